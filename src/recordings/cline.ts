import * as z from 'zod/mini';
import { isObject } from '../contextWindow/json';
import { type ImportAids, messageContent, readPlainMessage, readContent } from './messages';
import { type JsonValue, shapedFile } from './readJson';
import {
  messagesIn,
  type Read,
  type RecordedItem,
  recordedPrice,
  type Recording,
  timeOf,
  usageOfUnclearInput,
  textIn,
} from './recordedItem';

const message = z.object({
  role: z.enum(['user', 'assistant']),
  content: messageContent,
  /** Roo: this message is a summary of earlier messages. */
  isSummary: z.nullish(z.boolean()),
  /** Roo: the id of a summary, and the summary that replaces this message. */
  condenseId: z.nullish(z.string()),
  condenseParent: z.nullish(z.string()),
  modelInfo: z.nullish(z.looseObject({ id: z._default(z.string(), '') })),
  metrics: z.nullish(z.record(z.string(), z.unknown())),
});

type ClineMessage = z.output<typeof message>;

const session = z.object({
  system_prompt: z.nullish(z.string()),
  messages: z.array(message),
  /** The cline SDK: the newest compaction, from a file of its own. */
  compaction: z.optional(z.unknown()),
});

/** The result of a tool whose call the model wrote as XML in its text. */
const RESULT_AS_TEXT = /^\[[a-z_]+(?: [^\]]*)?\] Result:/;

/** Reads a session of the cline SDK, or the `api_conversation_history.json` of Cline and Roo. */
export function readCline(value: JsonValue, aids: ImportAids): Read<Recording> {
  const read = shapedFile(session, value, 'cline');
  if (!read.ok) return read;
  const { system_prompt: system, messages } = read.value;
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
  for (const one of messages) {
    compact();
    const isReplaced = summaries.has(one.condenseParent ?? '');
    const own = readMessage(one, aids);
    itemsOf.push(own);
    for (const item of own) {
      items.push(item.type === 'compacted' ? withKept(item, items, staying) : item);
      if (!isReplaced) staying.add(item);
    }
  }
  compact();
  return { ok: true, value: { system: system ?? '', tools: [], items } };
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

function readMessage(one: ClineMessage, aids: ImportAids): readonly RecordedItem[] {
  const { content, isSummary, metrics, modelInfo } = one;
  if (isSummary === true) return [{ type: 'compacted', summary: readContent(content, aids).text }];
  const usage = usageOfUnclearInput({
    input: metrics?.['inputTokens'],
    cacheCreation: metrics?.['cacheWriteTokens'],
    cacheRead: metrics?.['cacheReadTokens'],
    output: metrics?.['outputTokens'],
  });
  return readPlainMessage(one, modelInfo?.id ?? '', aids).map((item) =>
    item.type === 'reply' && usage !== undefined
      ? { ...item, usage, ...recordedPrice(metrics?.['cost']) }
      : item,
  );
}

function isResultAsText({ role, content }: ClineMessage): boolean {
  if (role !== 'user' || typeof content === 'string') return false;
  return content.some((part) => part.type === 'text' && RESULT_AS_TEXT.test(textIn(part['text'])));
}
