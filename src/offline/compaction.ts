import { blocksOf } from './conversation';
import type { CompactionBlock, ContentBlock, CountRequest } from './messagesApi';

const longestQuote = 200;

/** Says whether a block stands for everything before it; a failed compaction stands for nothing. */
export function isSummary(block: ContentBlock | undefined): boolean {
  return block?.type === 'compaction' && typeof block.content === 'string';
}

/** Leaves of a conversation what the API reads: everything from the last compaction block on. */
export function fromLastCompaction<R extends CountRequest>(request: R): R {
  const start = request.messages.findLastIndex(({ content }) => blocksOf(content).some(isSummary));
  const message = request.messages[start];
  if (message === undefined) return request;
  const blocks = blocksOf(message.content);
  const content = blocks.slice(blocks.findLastIndex(isSummary));
  return {
    ...request,
    messages: [{ role: message.role, content }, ...request.messages.slice(start + 1)],
  };
}

const quoted = (text: string) =>
  `"${text.length > longestQuote ? `${text.slice(0, longestQuote)}...` : text}"`;

/** Summarises a conversation without a model, the same way every time. */
export function summaryOf(request: CountRequest, instructions: string | null | undefined): string {
  const blocks = request.messages.flatMap(({ role, content }) =>
    blocksOf(content).map((block) => ({ role, block })),
  );
  const prompts = blocks.flatMap(({ role, block }) =>
    role === 'user' && block.type === 'text' ? [block.text] : [],
  );
  const calls = new Map<string, number>();
  for (const { block } of blocks) {
    if (block.type === 'tool_use') calls.set(block.name, (calls.get(block.name) ?? 0) + 1);
  }
  const earlier = blocks.find(({ block }) => isSummary(block))?.block as
    CompactionBlock | undefined;
  return [
    `Summary of ${request.messages.length} messages.`,
    ...(earlier ? [`Before them: ${quoted(earlier.content ?? '')}`] : []),
    ...(prompts[0] === undefined ? [] : [`First prompt: ${quoted(prompts[0])}`]),
    ...(prompts.length < 2 ? [] : [`Latest prompt: ${quoted(prompts.at(-1) ?? '')}`]),
    ...[...calls].map(([name, times]) => `Called ${name}: ${times}`),
    ...(instructions?.trim() ? [`Instructions: ${quoted(instructions.trim())}`] : []),
  ].join('\n');
}

/** Puts a summary in the place of the whole conversation. */
export function compactedTo<R extends CountRequest>(request: R, block: CompactionBlock): R {
  return { ...request, messages: [{ role: 'assistant', content: [block] }] };
}
