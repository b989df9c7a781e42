import * as z from 'zod/mini';
import {
  callName,
  readContent,
  type ImportAids,
  type MessageContent,
  type ReadContent,
} from './messages';
import { type JsonValue, shapedFile, shapedPart } from './readJson';
import {
  messagesIn,
  type Read,
  type RecordedItem,
  type RecordedPart,
  recordedPrice,
  recordedUsage,
  type Recording,
  sourceOfDataUrl,
  textIn,
  tokensIn,
  undoItems,
} from './recordedItem';
import { isObject } from '../contextWindow/json';

const part = z.looseObject({ type: z.string() });

type Part = z.output<typeof part>;

/**
 * One message as `opencode export` writes it. Seen in an export of version 1.4.3: a user's parts are
 * `text` (`synthetic` where OpenCode wrote it), `file` and `compaction`; an assistant's are
 * `step-start`, `reasoning`, `text`, `tool` with call and result in one, `patch` and `step-finish`
 * with `tokens`, whose `input` does not include the cache. A message with `summary: true` answers the
 * compaction in front of it.
 */
const message = z.object({
  info: z.looseObject({
    role: z.enum(['user', 'assistant']),
    modelID: z._default(z.string(), ''),
    tokens: z.nullish(z.record(z.string(), z.unknown())),
    time: z.nullish(z.looseObject({ created: z.optional(z.unknown()) })),
  }),
  parts: z.array(part),
});

type OpenCodeMessage = z.output<typeof message>;

const session = z.object({
  info: z.optional(z.unknown()),
  messages: z.array(z.unknown()),
});

const tool = z.looseObject({
  tool: callName,
  callID: z._default(z.string(), ''),
  state: z.looseObject({
    status: z._default(z.string(), ''),
    input: z._default(z.unknown(), {}),
    output: z.nullish(z.unknown()),
    error: z.nullish(z.unknown()),
    attachments: z.nullish(z.array(part)),
  }),
});

/** Reads a session that `opencode export` wrote, or the same from the database. */
export function readOpenCode(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(session, value, 'opencode');
  if (!read.ok) return read;
  const items: RecordedItem[] = [];
  const clearings = new Clearings(read.value.messages);
  const starts = new Map<unknown, number>();
  /** The compaction that was asked for: the message that asks, and the first one that stays. */
  let asked: { readonly id: unknown; readonly tail: unknown; readonly at: number } | undefined;
  const revert = revertIn(read.value.info);
  /** Where the messages begin that the user has undone; undefined for none. */
  let undoneFrom: number | undefined;
  for (const [index, one] of read.value.messages.entries()) {
    const place = `message ${index + 1}`;
    const checked = shapedPart(message, one, { leftOut: aids.leftOut, place });
    if (checked === undefined) continue;
    const { info, parts } = checked;
    items.push(...clearings.before(info.time?.created));
    starts.set(info['id'], items.length);
    const compaction = parts.find(({ type }) => type === 'compaction');
    if (compaction !== undefined) {
      asked = { id: info['id'], tail: compaction['tail_start_id'], at: items.length };
    }
    const before = partsBefore(checked, revert);
    if (before === 0) undoneFrom = items.length;
    const own =
      before === undefined || before === 0 ? checked : { info, parts: parts.slice(0, before) };
    for (const item of readMessage(own, place, aids)) {
      if (item.type !== 'compacted') items.push(item);
      else {
        // Since version 1.14 the newest messages stay, from the one that it names.
        const isOf = asked?.tail !== undefined && info['parentID'] === asked.id;
        const from = isOf ? starts.get(asked?.tail) : undefined;
        const kept = from === undefined ? [] : messagesIn(items.slice(from, asked?.at));
        items.push({ ...item, kept });
      }
    }
    if (own !== checked) undoneFrom = items.length;
  }
  items.push(...clearings.before(Infinity));
  if (undoneFrom !== undefined) undoItems(items, undoneFrom, aids.leftOut);
  const { info } = read.value;
  const isStarted = isObject(info) && textIn(info['parentID']) !== '';
  const by = isStarted ? { promptsByAgent: 'first' as const } : {};
  return { ok: true, value: { system: '', tools: [], ...by, items } };
}

/**
 * What the user has undone: everything from a message on, or from one of its parts. OpenCode deletes it
 * with the next prompt.
 */
interface Reverted {
  readonly message: string;
  readonly part: string;
}

function revertIn(info: unknown): Reverted {
  const revert = isObject(info) ? info['revert'] : undefined;
  const { messageID, partID } = isObject(revert) ? revert : {};
  return { message: textIn(messageID), part: textIn(partID) };
}

/** How many parts of a message are before what the user has undone; undefined if it has all. */
function partsBefore({ info, parts }: OpenCodeMessage, revert: Reverted): number | undefined {
  if (revert.message === '' || info['id'] !== revert.message) return undefined;
  if (revert.part === '') return 0;
  const at = parts.findIndex((one) => one['id'] === revert.part);
  return at === -1 ? undefined : at;
}

/** Results that OpenCode clears in later requests, if it is set to: each says when. */
class Clearings {
  readonly #left: { readonly id: string; readonly at: number }[];

  constructor(messages: readonly unknown[]) {
    this.#left = messages
      .flatMap((one) => (isObject(one) && Array.isArray(one['parts']) ? one['parts'] : []))
      .flatMap((part: unknown) => {
        const state = isObject(part) && part['type'] === 'tool' ? part['state'] : undefined;
        const time = isObject(state) ? state['time'] : undefined;
        const at = isObject(time) ? time['compacted'] : undefined;
        const id = isObject(part) ? part['callID'] : undefined;
        return typeof at === 'number' && typeof id === 'string' ? [{ id, at }] : [];
      })
      .toSorted((one, other) => one.at - other.at);
  }

  /** Those before a message; none if its time is unknown. */
  before(created: unknown): readonly RecordedItem[] {
    const next = this.#left.findIndex(({ at }) => !(typeof created === 'number' && at <= created));
    const taken = this.#left.splice(0, next === -1 ? this.#left.length : next);
    const [first] = taken;
    if (first === undefined) return [];
    return [{ type: 'compacted', at: first.at, clearedCallIds: taken.map(({ id }) => id) }];
  }
}

function readMessage(
  { info, parts }: OpenCodeMessage,
  place: string,
  aids: ImportAids,
): readonly RecordedItem[] {
  const created = info.time?.created;
  const at = typeof created === 'number' && Number.isFinite(created) ? { at: created } : {};
  if (info.role === 'user') return readPrompt(parts, at, aids);
  if (info['summary'] === true) {
    const { text } = readContent(textsIn(parts), aids);
    const usage = usageOf(info.tokens ?? {});
    const charge = usage && { model: info.modelID, usage, ...recordedPrice(info['cost']) };
    // One that failed changed nothing.
    const isLost = text.trim() === '' || isObject(info['error']);
    return [
      ...(charge === undefined ? [] : [{ type: 'charged' as const, charge }]),
      ...(isLost ? [] : [{ type: 'compacted' as const, ...at, summary: text }]),
    ];
  }
  const steps = stepsOf(parts);
  return steps.flatMap((step) => {
    const finish = step.findLast(({ type }) => type === 'step-finish');
    const own = isObject(finish?.['tokens']) ? finish['tokens'] : undefined;
    const usage = usageOf(own ?? (steps.length === 1 ? (info.tokens ?? {}) : {}));
    const usd = recordedPrice(own === undefined ? info['cost'] : finish?.['cost']);
    const read = step.map((one) => readReplyPart(one, place, aids));
    return [
      {
        type: 'reply' as const,
        ...at,
        model: info.modelID,
        parts: read.flatMap(({ reply }) => reply),
        ...(usage === undefined ? {} : { usage, ...usd }),
      },
      ...read.flatMap(({ results }) => results),
    ];
  });
}

/** The user's text and mentions; a message that OpenCode wrote alone has none. */
function readPrompt(
  parts: readonly Part[],
  at: { readonly at?: number },
  aids: ImportAids,
): readonly RecordedItem[] {
  const sent = parts.filter(({ type, ...one }) => type !== 'compaction' && one['ignored'] !== true);
  if (sent.length === 0) return [];
  if (sent.every((one) => one['synthetic'] === true)) {
    aids.leftOut.add('injectedText', sent.length);
    return [];
  }
  // The text of a mentioned file has its own part.
  const said = readContent(asMessagesContent(sent.filter((one) => !isMentionedFile(one))), aids);
  if (said.text.trim() === '' && said.attachments.length === 0) {
    aids.leftOut.add('emptyPrompt');
    return [];
  }
  return [{ type: 'prompt', ...at, ...said }];
}

function isMentionedFile({ type, url }: Part & { readonly url?: unknown }): boolean {
  return type === 'file' && typeof url === 'string' && url.startsWith('file:');
}

/** Older versions put several responses into one message; each begins with its own part. */
function stepsOf(parts: readonly Part[]): readonly (readonly Part[])[] {
  const steps: Part[][] = [[]];
  for (const one of parts) {
    const last = steps.at(-1);
    if (one.type === 'step-start' && last !== undefined && last.length > 0) steps.push([one]);
    else last?.push(one);
  }
  return steps;
}

interface ReplyRead {
  readonly reply: readonly RecordedPart[];
  readonly results: readonly RecordedItem[];
}

const NOTHING: ReplyRead = { reply: [], results: [] };

function readReplyPart(one: Part, place: string, aids: ImportAids): ReplyRead {
  switch (one.type) {
    case 'text':
      return { reply: [{ type: 'text', text: textOf(one['text']) }], results: [] };
    case 'tool': {
      const call = shapedPart(tool, one, { leftOut: aids.leftOut, place, within: 'a tool part' });
      return call === undefined ? NOTHING : readTool(call, aids);
    }
    case 'reasoning':
      aids.leftOut.add('thinking');
      return NOTHING;
    // Book-keeping of OpenCode: how a response began and ended, and which files it changed.
    case 'step-start':
    case 'step-finish':
    case 'patch':
    case 'snapshot':
      return NOTHING;
  }
  aids.leftOut.add('unknownPart');
  return NOTHING;
}

function readTool({ tool: name, callID: id, state }: z.output<typeof tool>, aids: ImportAids) {
  const { status, input, output, error, attachments } = state;
  const call = { type: 'call' as const, id, name, input: isObject(input) ? input : { input } };
  // A pending or running call has no result yet.
  if (status !== 'completed' && status !== 'error') return { reply: [call], results: [] };
  const isError = status === 'error';
  const attached = readContent(asMessagesContent(attachments ?? []), aids);
  const text = textOf(isError ? error : output);
  const result = { type: 'result' as const, callId: id, isError, ...attached, text };
  return { reply: [call], results: [result] };
}

function usageOf(tokens: Readonly<Record<string, unknown>>) {
  const { input, output, reasoning, cache } = tokens;
  const { read, write } = isObject(cache) ? cache : {};
  const sum = tokensIn(output) + tokensIn(reasoning);
  return recordedUsage({ input, cacheCreation: write, cacheRead: read, output: sum });
}

function textsIn(parts: readonly Part[]): MessageContent {
  return parts.filter(({ type }) => type === 'text');
}

/** Writes the parts as the Messages API has them. */
function asMessagesContent(parts: readonly Part[]): Exclude<MessageContent, string> {
  return parts.map((one) => {
    if (one.type !== 'file') return one;
    const type = one['mime'] === 'application/pdf' ? 'document' : 'image';
    return { type, source: sourceOfDataUrl(one['url']) };
  });
}

function textOf(value: unknown): ReadContent['text'] {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
