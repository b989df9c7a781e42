import type { Charge, Usage } from '../contextWindow/account/spending';
import type { Attachment } from '../contextWindow/block';
import { countText } from '../contextWindow/amount';
import type { RuleChange, ToolDefinition } from '../contextWindow/event';
import { isObject } from '../contextWindow/json';
import type { Result } from '../contextWindow/result';
import { parsed } from './readJson';

/** One recorded call; its id may have any form and may repeat. */
interface RecordedCall {
  readonly type: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One sendable part of a recorded reply. */
export type RecordedPart = { readonly type: 'text'; readonly text: string } | RecordedCall;

/** The user's text, or its replacement. */
export interface RecordedPrompt {
  readonly type: 'prompt';
  readonly line?: number;
  /** Milliseconds since the epoch, if its line does not say it. */
  readonly at?: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** As in a transcript. */
  readonly byAgent?: true;
}

/** A reply, or a piece of one; pieces share a `responseId`. */
export interface RecordedReply {
  readonly type: 'reply';
  readonly line?: number;
  readonly at?: number;
  readonly responseId?: string;
  /** '' if unknown. */
  readonly model: string;
  readonly parts: readonly RecordedPart[];
  readonly usage?: Usage;
  /** US dollars, if the file names its price. */
  readonly usd?: number;
}

/** An answer that its agent was charged for, and that is not part of the conversation. */
export interface RecordedCharge {
  readonly type: 'charged';
  readonly charge: Charge;
}

/** An instruction file that its agent added to the window while it worked. */
export interface RecordedInstruction {
  readonly type: 'instruction';
  readonly line?: number;
  readonly path: string;
}

/** The user came back to the session: its agent was started again. */
export interface RecordedResume {
  readonly type: 'resumed';
  readonly line?: number;
}

/** Something else than the conversation changed before the next request: its tools, or its thinking. */
export interface RecordedChange {
  readonly type: 'changed';
  readonly line?: number;
  readonly what: 'preamble' | 'thinking';
}

/** The user decided something about the standing rules. */
export interface RecordedRuleChange {
  readonly type: 'rules';
  readonly change: RuleChange;
}

/** The result of a call; `callId` as recorded. */
export interface RecordedOutcome {
  readonly type: 'result';
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly attachments: readonly Attachment[];
}

/** Items that can stay when an agent makes room; results stay with their reply. */
export type RecordedMessage = RecordedPrompt | RecordedReply;

/** The other agent made room here. */
export interface RecordedCompaction {
  readonly type: 'compacted';
  readonly line?: number;
  readonly at?: number;
  readonly summary?: string;
  readonly clearedCallIds?: readonly string[];
  /** The user asked for it. */
  readonly byUser?: true;
  /** Items that stayed unchanged, in addition to the summary. */
  readonly kept?: readonly RecordedMessage[];
  /** The paths of files that the agent added in full, after the summary. */
  readonly addedFiles?: readonly string[];
}

/** An importer's items in the order of the file; calls and results are not paired yet. */
export type RecordedItem =
  | RecordedPrompt
  | RecordedReply
  | RecordedOutcome
  | RecordedCompaction
  | RecordedCharge
  | RecordedInstruction
  | RecordedResume
  | RecordedChange
  | RecordedRuleChange;

/** Prompts and replies, or their pieces. */
export function messagesIn(items: readonly RecordedItem[]): readonly RecordedMessage[] {
  return items.filter((item) => item.type === 'prompt' || item.type === 'reply');
}

/** Codex (its `compact.rs`) and Zed keep the newest prompts up to this many tokens, at four characters each. */
const KEPT_PROMPT_CHARS = 20_000 * 4;

/** The prompts that a compaction of Codex or Zed keeps, if the file does not name them. */
export function newestPrompts(items: readonly RecordedItem[]): readonly RecordedPrompt[] {
  const prompts = items.filter((item) => item.type === 'prompt');
  let left = KEPT_PROMPT_CHARS;
  const start = prompts.findLastIndex(({ text }) => {
    left -= text.length;
    return left < 0;
  });
  return prompts.slice(start + 1);
}

/** Takes the items from one on out of the conversation: the user has undone them. */
export function undoItems(items: RecordedItem[], from: number, leftOut: LeftOut): void {
  const undone = items.splice(from);
  leftOut.add('otherBranch', undone.length);
  // They were paid for all the same.
  for (const item of undone) {
    if (item.type === 'charged') items.push(item);
    if (item.type !== 'reply' || item.usage === undefined) continue;
    const { model, usage, usd } = item;
    const price = usd === undefined ? {} : { usd };
    items.push({ type: 'charged', charge: { model, usage, ...price } });
  }
}

/** A value, or a sentence with the problem and its place. */
export type Read<T> = Result<{ readonly value: T }>;

/** The result of an importer. */
export interface Recording {
  /** Empty if the recording lacks them. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** The last known size of the model's context window; tokens. */
  readonly windowTokens?: number;
  /** As in a transcript. */
  readonly subAgent?: string;
  /** As in a transcript. */
  readonly lineage?: string;
  /** Which prompts of a sub-agent another agent wrote; absent for a session of the user's. */
  readonly promptsByAgent?: 'first' | 'all';
  readonly items: readonly RecordedItem[];
}

/** Reads a time from text, ms since the epoch; undefined if it is not one. */
export function timeOf(stamp: unknown): { readonly at?: number } {
  const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  return Number.isNaN(at) ? {} : { at };
}

/** Reads the size of a model's context window; undefined if it is not one. */
export function windowSize(tokens: unknown): Pick<Recording, 'windowTokens'> {
  const size = tokensIn(tokens);
  return size === 0 ? {} : { windowTokens: size };
}

/** Counts an attachment by the published formula. */
export type AttachmentTokens = (attachment: Omit<Attachment, 'tokens'>) => number;

const DATA_URL = /^data:([^;,]+);base64,/;

/** Reads base64 data as an attachment; undefined if the recording does not hold the data. */
export function readAttachment(
  type: Attachment['type'],
  mediaType: unknown,
  data: unknown,
  tokensOf: AttachmentTokens,
): Attachment | undefined {
  if (typeof mediaType !== 'string' || typeof data !== 'string' || data === '') return undefined;
  const attachment = { type, mediaType, data };
  return { ...attachment, tokens: tokensOf(attachment) };
}

/** Reads a data URL as the source the Messages API has; any other address holds no data. */
export function sourceOfDataUrl(url: unknown): {
  readonly media_type?: string;
  readonly data?: string;
} {
  const match = typeof url === 'string' ? DATA_URL.exec(url) : null;
  if (typeof url !== 'string' || match?.[1] === undefined) return {};
  return { media_type: match[1], data: url.slice(match[0].length) };
}

/** Reads the arguments of a call written as a JSON text; anything but an object is kept as it is. */
export function readCallArguments(
  written: unknown,
  leftOut: LeftOut,
): Readonly<Record<string, unknown>> {
  if (isObject(written)) return written;
  if (written === undefined || written === null || written === '') return {};
  const input = typeof written === 'string' ? parsed(written) : undefined;
  if (isObject(input)) return input;
  leftOut.add('unreadableInput');
  return { arguments: written };
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * The API takes only the schema of an object for a tool; other servers also take one that does not
 * say so.
 */
export function objectSchema(schema: Schema, leftOut: LeftOut): Schema {
  if (schema['type'] === 'object') return schema;
  leftOut.add('openSchema');
  return { ...schema, type: 'object' };
}

/** Reads usage fields that a recording may lack; undefined when all of them are missing or zero. */
export function recordedUsage(fields: {
  readonly input: unknown;
  readonly cacheCreation: unknown;
  /** The part of it that was written for 1 hour. */
  readonly cacheCreation1h?: unknown;
  readonly cacheRead: unknown;
  readonly output: unknown;
}): Usage | undefined {
  const hour = tokensIn(fields.cacheCreation1h);
  const usage = {
    inputTokens: tokensIn(fields.input),
    cacheCreationTokens: tokensIn(fields.cacheCreation),
    ...(hour === 0 ? {} : { cacheCreation1hTokens: hour }),
    cacheReadTokens: tokensIn(fields.cacheRead),
    outputTokens: tokensIn(fields.output),
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : undefined;
}

/** The same, where the recorded input includes cache reads and writes. */
export function usageOfWholeInput(fields: Parameters<typeof recordedUsage>[0]): Usage | undefined {
  const cached = tokensIn(fields.cacheCreation) + tokensIn(fields.cacheRead);
  return recordedUsage({ ...fields, input: Math.max(0, tokensIn(fields.input) - cached) });
}

/** The same, where the input includes the cache with some models and not with others. */
export function usageOfUnclearInput(
  fields: Parameters<typeof recordedUsage>[0],
): Usage | undefined {
  const cached = tokensIn(fields.cacheCreation) + tokensIn(fields.cacheRead);
  return tokensIn(fields.input) < cached ? recordedUsage(fields) : usageOfWholeInput(fields);
}

/** Reads the price of a reply, US dollars; files also say 0 where the price is unknown. */
export function recordedPrice(value: unknown): Pick<RecordedReply, 'usd'> {
  const isPrice = typeof value === 'number' && value > 0 && value <= HIGHEST_PRICE;
  return isPrice ? { usd: value } : {};
}

/** No reply costs more, in US dollars: a higher price is damage. */
const HIGHEST_PRICE = 1e6;

/** No request has more: a higher number is damage, and sums of them would be infinite. */
const MOST_TOKENS = 1e9;

/** A recorded number of tokens; 0 for any other value. */
export function tokensIn(value: unknown): number {
  const isCount = Number.isInteger(value) && Number(value) > 0 && Number(value) <= MOST_TOKENS;
  return isCount ? Number(value) : 0;
}

/**
 * For each thing an importer leaves out or repairs, the sentence that says so; `n` is how often.
 */
const SENTENCES = {
  thinking: (n: number) =>
    `${countText(n, 'thinking block')} skipped: thinking is signed for the server that wrote it.`,
  commandLine: (n: number) => `${countText(n, 'line')} of the user's own commands skipped.`,
  interruptMark: (n: number) => `${countText(n, 'interrupt marker')} skipped.`,
  injectedText: (n: number) => `${countText(n, 'injected text')} skipped.`,
  subagentLine: (n: number) => `${countText(n, 'subagent line')} skipped.`,
  syntheticReply: (n: number) => `${countText(n, 'synthetic reply', 'synthetic replies')} skipped.`,
  emptyReply: (n: number) => `${countText(n, 'empty reply', 'empty replies')} skipped.`,
  emptyPrompt: (n: number) => `${countText(n, 'empty prompt')} skipped.`,
  repeatedLine: (n: number) => `${countText(n, 'repeated line')} skipped.`,
  otherBranch: (n: number) => `${countText(n, 'entry', 'entries')} of abandoned branches skipped.`,
  orphanResult: (n: number) => `${countText(n, 'tool result')} without a call skipped.`,
  secondResult: (n: number) => `${countText(n, 'duplicate result')} skipped.`,
  interruptedCall: (n: number) => `${countText(n, 'unanswered call')} marked interrupted.`,
  renamedCall: (n: number) =>
    `${countText(n, 'call id')} replaced: the API would refuse the original.`,
  earlyReply: (n: number) => `${countText(n, 'reply', 'replies')} before the first prompt skipped.`,
  summaryFirst: () => 'It begins with a summary, which is used as the first prompt.',
  unreadableInput: (n: number) =>
    `The arguments of ${countText(n, 'call')} are not a JSON object; they are shown as text.`,
  openSchema: (n: number) =>
    `${countText(n, 'tool schema')} completed with the type that the API requires.`,
  unknownPart: (n: number) => `${countText(n, 'part')} of an unknown kind skipped.`,
  remoteAttachment: (n: number) =>
    `${countText(n, 'image or document', 'images or documents')} outside the file skipped.`,
  serverTool: (n: number) => `${countText(n, 'server-side tool')} skipped.`,
  systemMessage: (n: number) => `${countText(n, 'system message')} after the first prompt skipped.`,
  subagentOnly: () => 'It is the recording of a subagent: an agent wrote its first prompt.',
  toolsAsText: () => 'Its tool calls are plain text, so every result is shown as a prompt.',
  otherTask: (n: number) =>
    `It holds ${countText(n + 1, 'task')}, one per line, and shows the first. To open another, put its line into a file of its own.`,
  otherRequest: (n: number) =>
    `${countText(n, 'request')} of other conversations skipped: the last one is shown.`,
  previousResponse: () =>
    'It continues a response that it does not hold; what was said before is missing.',
  continuedSession: () =>
    'It continues another session: the history of that one, with its cost, is included.',
  lostSession: () =>
    'It continues another session, whose file is missing: its earlier messages cannot be shown.',
  ownNote: (n: number) => `${countText(n, 'note')} added by Plimsoll skipped.`,
  ownPass: (n: number) =>
    `${countText(n, 'pass', 'passes')} of Plimsoll skipped (a change by hand counts as one): the replay has what was said and done.`,
} as const satisfies Readonly<Record<string, (n: number) => string>>;

/** What can be left out or repaired. */
type LeftOutKind = keyof typeof SENTENCES;

/** A line or message that cannot be read, and why. */
interface Unreadable {
  /** For example `line 12`. */
  readonly place: string;
  /** What is wrong and, if known, what to do about it. */
  readonly why: string;
}

/** More unreadable lines than this are counted, not named. */
const MOST_NAMED = 3;

/** Counts what an importer leaves out or repairs, and reports each kind in one sentence. */
export class LeftOut {
  private readonly counts = new Map<LeftOutKind, number>();
  private readonly unreadable: Unreadable[] = [];

  /** Leaves out one line or message that cannot be read; the others are read all the same. */
  addUnreadable(place: string, why: string): void {
    this.unreadable.push({ place, why });
  }

  /** What is wrong with the first line or message that cannot be read; undefined where all can. */
  get firstUnreadable(): string | undefined {
    const [first] = this.unreadable;
    return first === undefined ? undefined : `${first.place}: ${first.why}`;
  }

  add(kind: LeftOutKind, count = 1): void {
    if (count > 0) this.counts.set(kind, (this.counts.get(kind) ?? 0) + count);
  }

  notes(): readonly string[] {
    const named = this.unreadable
      .slice(0, MOST_NAMED)
      .map(({ place, why }) => `${capitalised(place)} left out; it cannot be read: ${why}`);
    const more = this.unreadable.length - named.length;
    const last = this.unreadable.at(-1);
    return [
      ...named,
      ...(more === 0
        ? []
        : [`${more} more left out for the same or another reason, up to ${last?.place}.`]),
      ...[...this.counts].map(([kind, count]) => SENTENCES[kind](count)),
    ];
  }
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The prompt tokens of the chat form include cache reads and writes. */
export function readChatUsage(fields: Readonly<Record<string, unknown>>): Usage | undefined {
  const details = fields['prompt_tokens_details'];
  const cached = isObject(details) ? details['cached_tokens'] : undefined;
  return usageOfWholeInput({
    input: fields['prompt_tokens'],
    // OpenHands' own lists of usage have the shorter names.
    cacheCreation: fields['cache_creation_input_tokens'] ?? fields['cache_write_tokens'],
    cacheRead: fields['cache_read_input_tokens'] ?? fields['cache_read_tokens'] ?? cached,
    output: fields['completion_tokens'],
  });
}

/** A text of a recording; '' for any other value. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Gives the last reply the usage of the newest request, of an agent that counts no other. */
export function withNewestUsage(
  items: readonly RecordedItem[],
  usage: Usage,
): readonly RecordedItem[] {
  const last = items.findLastIndex(({ type }) => type === 'reply');
  return items.map((item, at) =>
    at === last && item.type === 'reply' ? { ...item, usage } : item,
  );
}
