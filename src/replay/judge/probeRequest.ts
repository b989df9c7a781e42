import type {
  Message,
  MessagePart,
  WindowRequest,
} from '../../contextWindow/request/blockMessages';

/** Stands before each question: the window is a conversation at work, and this is none of it. */
const INTRODUCTION =
  'The work stops here for a question about this session. Do not go on with the task and call no ' +
  'tool. Answer from what you can see of the session, in one line. Where it is not there, answer: ' +
  'not known.';

/**
 * Puts a question behind the window of a request, behind its cache breakpoints, so that all questions
 * of a window share one prefix. Thinking stays out: it is bound to the model that thought it.
 */
export function probeRequest(request: WindowRequest, question: string): WindowRequest {
  const asked: Message = {
    role: 'user',
    content: [{ type: 'text', text: `${INTRODUCTION}\n\n${question}`.toWellFormed() }],
  };
  return { ...request, messages: joined([...request.messages.map(withoutThinking), asked]) };
}

function withoutThinking(message: Message): Message {
  return { ...message, content: message.content.flatMap(plainPart) };
}

/** A server's own compaction is words, too: as such any model may read it. */
function plainPart(part: MessagePart): readonly MessagePart[] {
  switch (part.type) {
    case 'thinking':
    case 'redacted_thinking':
      return [];
    case 'compaction':
      return (part.content ?? '').trim() === '' ? [] : [{ type: 'text', text: part.content ?? '' }];
    case 'text':
    case 'image':
    case 'document':
    case 'tool_use':
    case 'tool_result':
      return [part];
  }
}

/** Leaves out what has become empty, and joins neighbours of one role. */
function joined(messages: readonly Message[]): readonly Message[] {
  const all: Message[] = [];
  for (const message of messages) {
    if (message.content.length === 0) continue;
    const last = all.at(-1);
    if (last?.role !== message.role) all.push(message);
    else all[all.length - 1] = { ...last, content: [...last.content, ...message.content] };
  }
  return all;
}
