import type { Message, MessagePart } from '../contextWindow/request';

/** Opens a summary the API wrote, once it is sent as words. */
const LABEL = '[Summary by the API of everything before it]';

/**
 * Sends the API's own summaries as words of the assistant, and leaves out those that failed: a
 * request that asks for no compaction may hold no compaction block. Thinking behind the first one is
 * bound to the block and leaves with it (I6).
 */
export function withoutCompaction(messages: readonly Message[]): readonly Message[] {
  let isBehind = false;
  const partsFor = (part: MessagePart): readonly MessagePart[] => {
    if (part.type === 'thinking' || part.type === 'redacted_thinking') {
      return isBehind ? [] : [part];
    }
    if (part.type !== 'compaction') return [part];
    isBehind = true;
    const summary = part.content?.trim() ?? '';
    return summary === '' ? [] : [{ type: 'text', text: `${LABEL}\n${summary}` }];
  };
  return messages
    .map((message) => ({ ...message, content: message.content.flatMap(partsFor) }))
    .filter(({ content }) => content.length > 0);
}
