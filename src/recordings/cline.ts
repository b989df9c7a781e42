import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import {
  type ImportAids,
  type MessageContent,
  messageContent,
  readPlainMessage,
  readContent,
} from './messages';
import { type JsonValue, parsed, shapedFile } from './readJson';
import {
  messagesIn,
  type Read,
  type RecordedItem,
  recordedPrice,
  type Recording,
  sourceOfDataUrl,
  timeOf,
  usageOfUnclearInput,
  textIn,
} from './recordedItem';

const message = z.object({
  /** Roo's version 2 has results as messages of their own. */
  role: z.enum(['user', 'assistant', 'tool']),
  content: messageContent,
  /** When it was added; ms since the epoch. */
  ts: z.nullish(z.number()),
  /** Roo: this message is a summary of earlier messages. */
  isSummary: z.nullish(z.boolean()),
  /** Roo: the id of a summary, and the summary that replaces this message. */
  condenseId: z.nullish(z.string()),
  condenseParent: z.nullish(z.string()),
  /** Roo: it stands for messages that were left out, by its id; and the id in each of these. */
  isTruncationMarker: z.nullish(z.boolean()),
  truncationId: z.nullish(z.string()),
  truncationParent: z.nullish(z.string()),
  modelInfo: z.nullish(z.looseObject({ id: z._default(z.string(), '') })),
  metrics: z.nullish(z.record(z.string(), z.unknown())),
});

type ClineMessage = z.output<typeof message>;

/** Thinking that OpenAI encrypted is an item of its own in Roo's files. */
const reasoning = z.object({ type: z.literal('reasoning') });

/** What the user was shown about a request or a truncation. */
const shownItem = z.looseObject({ ts: z.number(), say: z.string() });

const session = z.object({
  /** The cline SDK: `lead`, `subagent` or `teammate`. */
  agent: z.optional(z.unknown()),
  system_prompt: z.nullish(z.string()),
  messages: z.array(z.union([message, reasoning])),
  /** Cline and Roo: from the `ui_messages.json` next to it, where the counts of each request are. */
  shown: z._default(z.array(shownItem), []),
  /** The cline SDK: the newest compaction, from a file of its own. */
  compaction: z.optional(z.unknown()),
});

/** The result of a tool whose call the model wrote as XML in its text. */
const RESULT_AS_TEXT = /^\[[a-z_]+(?: [^\]]*)?\] Result:/;

/** What the agent tells the model after a reply that it could not use. */
const ERROR_AS_TEXT = /^\[ERROR\] /;

/** Reads a session of the cline SDK, or the `api_conversation_history.json` of Cline and Roo. */
export function readCline(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(session, value, 'cline');
  if (!read.ok) return read;
  const { system_prompt: system, shown, agent } = read.value;
  const messages = read.value.messages.filter((one) => 'role' in one);
  aids.leftOut.add('thinking', read.value.messages.length - messages.length);
  if (messages.some(isResultAsText)) aids.leftOut.add('toolsAsText');
  const items: RecordedItem[] = [];
  const itemsOf: (readonly RecordedItem[])[] = [];
  const compaction = compactionIn(read.value.compaction);
  const compact = (): void => {
    if (compaction?.before !== itemsOf.length) return;
    const kept = keptBy(compaction.messages, messages.slice(0, compaction.before));
    const { summary } = compaction;
    items.push({
      type: 'compacted',
      ...timeOf(compaction.at),
      ...(summary === undefined ? {} : { summary }),
      kept: messagesIn(kept.flatMap((at) => itemsOf[at] ?? [])),
    });
  };
  const staying = new Set<RecordedItem>();
  const summaries = new Set(messages.map(({ condenseId }) => condenseId ?? undefined));
  const truncations = truncationsIn(messages, shown);
  const counts = countsIn(messages, shown);
  let model = '';
  for (const one of messages) {
    compact();
    for (const truncation of truncations) {
      if (truncation.before !== one) continue;
      const stays = (_: unknown, at: number) => !truncation.removed.has(messages[at]);
      items.push({ type: 'compacted', kept: messagesIn(itemsOf.filter(stays).flat()) });
    }
    model = modelNamedIn(one) ?? model;
    const own =
      one.isTruncationMarker === true ? [] : readMessage(one, model, counts.get(one), aids);
    itemsOf.push(own);
    const isReplaced = summaries.has(one.condenseParent ?? '');
    for (const item of own) {
      items.push(item.type === 'compacted' ? withKept(item, items, staying) : item);
      if (!isReplaced) staying.add(item);
    }
  }
  compact();
  const isInner = agent === 'subagent' || agent === 'teammate';
  const by = isInner ? { promptsByAgent: 'all' as const } : {};
  return { ok: true, value: { system: system ?? '', tools: [], ...by, items } };
}

/** What the user typed, which the cline SDK stores in a tag that it does not send. */
export function withoutWrapper(text: string): string {
  return /^<user_input(?: mode="\w*")?>([^]*)<\/user_input>$/.exec(text)?.[1] ?? text;
}

type ShownItem = z.output<typeof shownItem>;

/** The items of a `ui_messages.json` that give the counts of requests and the truncations. */
export function shownItems(value: unknown): readonly ShownItem[] {
  const list = Array.isArray(value) ? value.filter(isObject) : [];
  let left = '';
  return list.flatMap((one): readonly ShownItem[] => {
    const { ts, say, text, contextTruncation: truncation } = one;
    if (typeof ts !== 'number') return [];
    if (say === 'sliding_window_truncation') {
      return [{ ts, say, id: isObject(truncation) ? truncation['truncationId'] : undefined }];
    }
    const { conversationHistoryDeletedRange: range, conversationHistoryIndex: asked } = one;
    const before = left;
    left = Array.isArray(range) ? range.join() : left;
    const cut = left === before ? [] : [{ ts, say: 'truncated', range, asked }];
    const counts = say === 'api_req_started' ? parsed(textIn(text)) : undefined;
    if (!isObject(counts)) return cut;
    const { request: _sent, ...numbers } = counts;
    return [...cut, { ...numbers, ts, say: 'api_req_started' }];
  });
}

/** The counts of the request that each reply answers: the last one that began before it. */
function countsIn(
  messages: readonly ClineMessage[],
  shown: readonly ShownItem[],
): ReadonlyMap<ClineMessage, ShownItem> {
  const requests = shown.filter(({ say }) => say === 'api_req_started');
  const counts = new Map<ClineMessage, ShownItem>();
  const taken = new Set<ShownItem>();
  for (const one of messages) {
    const { role, ts } = one;
    if (role !== 'assistant' || typeof ts !== 'number') continue;
    const request = requests.findLast((each) => each.ts <= ts);
    // A second message is no reply to the same request.
    if (request === undefined || taken.has(request)) continue;
    taken.add(request);
    counts.set(one, request);
  }
  return counts;
}

/** A truncation: the first message after it, and all that the window then lacks. */
interface Truncation {
  readonly before: ClineMessage;
  readonly removed: ReadonlySet<ClineMessage | undefined>;
}

/**
 * The truncations of a session, in order. Roo's markers stand where the messages are missing; what the
 * user was shown says when that was. Cline says there, too, which messages are missing, by their
 * indices.
 */
function truncationsIn(
  messages: readonly ClineMessage[],
  shown: readonly ShownItem[],
): readonly Truncation[] {
  const after = (at: number) => messages.find(({ ts }) => typeof ts === 'number' && ts > at);
  const marked = messages.flatMap((marker) => {
    const { isTruncationMarker, truncationId: id } = marker;
    if (isTruncationMarker !== true || !isText(id)) return [];
    const at = shown.find((one) => one['id'] === id)?.ts ?? marker.ts ?? 0;
    const own = messages.filter((one) => one.truncationParent === id);
    return [{ at, before: after(at) ?? marker, own }];
  });
  const ranges = shown.flatMap(({ ts: at, say, range, asked }) => {
    if (say !== 'truncated' || !Array.isArray(range)) return [];
    const [from, to]: readonly unknown[] = range;
    if (typeof from !== 'number' || typeof to !== 'number') return [];
    const before = after(at) ?? messages[Number(asked) + 1];
    return before === undefined ? [] : [{ at, before, own: messages.slice(from, to + 1) }];
  });
  const removed = new Set<ClineMessage | undefined>();
  return [...marked, ...ranges]
    .toSorted((a, b) => a.at - b.at)
    .map(({ before, own }) => {
      const summaries = messages.slice(0, messages.indexOf(before)).map((one) => one.condenseId);
      for (const one of messages) {
        const isSummarised = isText(one.condenseParent) && summaries.includes(one.condenseParent);
        if (isSummarised) removed.add(one);
      }
      for (const one of own) removed.add(one);
      return { before, removed: new Set(removed) };
    });
}

const [MODEL, END_OF_MODEL] = ['</name>\n<model>', '</model>'];

/** Roo names the model in the details that it adds to what the user said. */
function modelNamedIn({ role, content }: ClineMessage): string | undefined {
  if (role !== 'user') return undefined;
  const parts = typeof content === 'string' ? [{ text: content }] : content;
  for (const text of parts.map((part) => textIn(part['text'])).toReversed()) {
    const at = text.lastIndexOf(MODEL) + MODEL.length;
    const end = text.indexOf(END_OF_MODEL, at);
    if (at >= MODEL.length && end > at && text.includes('<environment_details>')) {
      return text.slice(at, end);
    }
  }
  return undefined;
}

/**
 * What replaced the messages before one of them (session-compaction.ts in cline/cline, version 1); undefined
 * if there is no such compaction. Only the newest one is stored.
 */
function compactionIn(value: unknown) {
  if (!isObject(value) || !Array.isArray(value['messages'])) return undefined;
  const { source_message_count: before, updated_at: at } = value;
  if (typeof before !== 'number') return undefined;
  const messages = value['messages'].filter(isObject);
  const about = messages.map(({ metadata }) => (isObject(metadata) ? metadata : {}));
  const own = about.find(({ kind }) => kind === 'compaction_summary');
  return { before, at, messages, summary: own === undefined ? undefined : textIn(own['summary']) };
}

/** The indices of the messages that stayed as they were. */
function keptBy(
  compacted: readonly Readonly<Record<string, unknown>>[],
  messages: readonly ClineMessage[],
): readonly number[] {
  const prints = messages.map(printOf);
  const kept: number[] = [];
  let end = prints.length;
  for (const one of compacted.toReversed()) {
    const found = end === 0 ? -1 : prints.lastIndexOf(printOf(one), end - 1);
    if (found === -1) continue;
    kept.unshift(found);
    end = found;
  }
  return kept;
}

function printOf({
  role,
  content,
}: {
  readonly role?: unknown;
  readonly content?: unknown;
}): string {
  return JSON.stringify([role, content]);
}

/** An older file no longer holds the messages its summary covers. */
function withKept(
  compacted: Extract<RecordedItem, { readonly type: 'compacted' }>,
  items: readonly RecordedItem[],
  staying: ReadonlySet<RecordedItem>,
): RecordedItem {
  const found = messagesIn(items);
  const kept = found.filter((message) => staying.has(message));
  return kept.length < found.length ? { ...compacted, kept } : compacted;
}

function readMessage(
  one: ClineMessage,
  modelNamed: string,
  counts: ShownItem | undefined,
  aids: ImportAids,
): readonly RecordedItem[] {
  const { isSummary, metrics, modelInfo, ts } = one;
  const place = typeof ts === 'number' ? { at: ts } : {};
  const content = asMessagesContent(one.content);
  if (isSummary === true) {
    return [{ type: 'compacted', ...place, summary: readContent(content, aids).text }];
  }
  const usage = usageOfUnclearInput({
    input: metrics?.['inputTokens'] ?? counts?.['tokensIn'],
    cacheCreation: metrics?.['cacheWriteTokens'] ?? counts?.['cacheWrites'],
    cacheRead: metrics?.['cacheReadTokens'] ?? counts?.['cacheReads'],
    output: metrics?.['outputTokens'] ?? counts?.['tokensOut'],
  });
  const price = recordedPrice(metrics?.['cost'] ?? counts?.['cost']);
  const role = one.role === 'tool' ? 'user' : one.role;
  const isByAgent = isResultAsText(one) || saysAny(one, ERROR_AS_TEXT);
  const by = isByAgent ? { byAgent: true as const } : {};
  return readPlainMessage({ role, content }, modelInfo?.id ?? modelNamed, aids).map((item) => {
    if (item.type === 'prompt') return { ...item, ...place, ...by };
    if (item.type !== 'reply') return item;
    return { ...item, ...place, ...(usage === undefined ? {} : { usage, ...price }) };
  });
}

/** Writes the parts of Roo's version 2, which are those of the AI SDK, as the Messages API has them. */
function asMessagesContent(content: MessageContent): MessageContent {
  if (typeof content === 'string') return content;
  return content.map((part) => {
    switch (part.type) {
      case 'text':
        return { ...part, text: withoutWrapper(textIn(part['text'])) };
      case 'tool-call':
        return {
          type: 'tool_use',
          id: part['toolCallId'],
          name: part['toolName'],
          input: part['input'],
        };
      case 'tool-result': {
        const { output } = part;
        const value = isObject(output) ? output['value'] : output;
        const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
        const isError = text.trimStart().startsWith('[ERROR]');
        return {
          type: 'tool_result',
          tool_use_id: part['toolCallId'],
          content: text,
          is_error: isError,
        };
      }
      case 'reasoning':
        return { type: 'thinking' };
      case 'image':
        return 'image' in part ? { type: 'image', source: sourceOfDataUrl(part['image']) } : part;
    }
    return part;
  });
}

function isResultAsText(one: ClineMessage): boolean {
  return saysAny(one, RESULT_AS_TEXT);
}

function saysAny({ role, content }: ClineMessage, words: RegExp): boolean {
  if (role !== 'user' || typeof content === 'string') return false;
  return content.some((part) => part.type === 'text' && words.test(textIn(part['text'])));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
