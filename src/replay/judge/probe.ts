import type {
  Message,
  MessagePart,
  WindowRequest,
} from '../../contextWindow/request/blockMessages';

/**
 * Kinds of questions about a window. The recording has every answer, so no model writes or judges
 * one.
 */
export const PROBE_KINDS = ['file', 'value', 'decision', 'next'] as const;

export type ProbeKind = (typeof PROBE_KINDS)[number];

/** The answer to a control question: it asks about something that the session never mentions. */
export const NOT_KNOWN = 'not known';

/** One question with its answer. */
export interface Probe {
  /** `control` asks about something that the session never mentions, to notice a model that guesses. */
  readonly kind: ProbeKind | 'control';
  readonly question: string;
  /** What the answer must contain; the recording has it, and the question does not. */
  readonly truth: string;
  /** The newest step that shows the answer, counted from 1; absent if only a prompt does. */
  readonly evidenceStep?: number;
}

/** Characters of an answer that are checked: a longer one could name everything in the window. */
const LONGEST_ANSWER = 300;

/** Returns whether an answer contains the truth as a separate word. */
export function isRight({ truth }: Probe, answer: string): boolean {
  return statesTruth(truth, normalised(answer).slice(0, LONGEST_ANSWER));
}

/** Returns whether a text contains the truth of a probe, ignoring case, quotes and white space. */
export function statesTruth(truth: string, text: string): boolean {
  const [sought, said] = [normalised(truth), normalised(text)];
  if (sought === '') return false;
  for (let at = said.indexOf(sought); at !== -1; at = said.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    const [before, after] = [said.slice(Math.max(0, at - 2), at), said.slice(end, end + 2)];
    if (!GOES_ON_BEFORE.test(before) && !GOES_ON_AFTER.test(after)) return true;
  }
  return false;
}

/** A longer word or number around a match: `8080` is not in `18080`, nor `1.5` in `1.52`. */
const GOES_ON_BEFORE = /(?:\w|\d[.,:])$/;
const GOES_ON_AFTER = /^(?:\w|[.,:]\d)/;

const QUOTES = /[`"'“”‘’*]/g;

/** One case, `/` in every path, no quotes and single spaces. */
function normalised(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\\', '/')
    .replaceAll(QUOTES, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Comes before each question: it separates the question from the conversation in the window. */
const INTRODUCTION =
  'The work stops here for a question about this session. Do not go on with the task and call no ' +
  'tool. Answer from what you can see of the session, in one line. Where it is not there, answer: ' +
  `${NOT_KNOWN}.`;

/**
 * Adds a question after the window of a request and its cache breakpoints, so that all questions of
 * a window share one prefix. It leaves out thinking, which is bound to the model that produced it.
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

/** The server's own compaction is text, so any model may read it. */
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

/** Drops empty messages, and joins neighbours of one role. */
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
