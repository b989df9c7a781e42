import type { Attachment } from '../contextWindow/block';
import type { ToolDefinition } from '../contextWindow/event';
import type { Usage } from '../contextWindow/account/spending';
import type { Result } from '../contextWindow/result';

/** One call as it was recorded; its id may be of any form, and may come twice. */
export interface RecordedCall {
  readonly type: 'call';
  readonly id: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One sendable part of a recorded reply. */
export type RecordedPart = { readonly type: 'text'; readonly text: string } | RecordedCall;

/** What the user typed, or what stands for it. */
export interface RecordedPrompt {
  readonly type: 'prompt';
  readonly line?: number;
  /** When it was, ms since the epoch, where its line does not say it. */
  readonly at?: number;
  readonly text: string;
  readonly attachments: readonly Attachment[];
}

/** A reply, or a piece of one: pieces with the same `responseId` are one reply. */
export interface RecordedReply {
  readonly type: 'reply';
  readonly line?: number;
  readonly at?: number;
  readonly responseId?: string;
  /** '' where the recording does not say. */
  readonly model: string;
  readonly parts: readonly RecordedPart[];
  readonly usage?: Usage;
}

/** What came back for a call; `callId` is as the recording has it. */
export interface RecordedOutcome {
  readonly type: 'result';
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly attachments: readonly Attachment[];
}

/** What can stay where its agent made room; results stay with their reply. */
export type RecordedMessage = RecordedPrompt | RecordedReply;

/** Where the other agent made room. */
export interface RecordedCompaction {
  readonly type: 'compacted';
  readonly line?: number;
  readonly at?: number;
  readonly summary?: string;
  readonly clearedCallIds?: readonly string[];
  /** What stayed as it was, in addition to the summary. */
  readonly kept?: readonly RecordedMessage[];
}

/** What an importer finds, in the order of the file; calls and results are not yet paired. */
export type RecordedItem = RecordedPrompt | RecordedReply | RecordedOutcome | RecordedCompaction;

/** The prompts and replies among the items, or their pieces. */
export function messagesIn(items: readonly RecordedItem[]): readonly RecordedMessage[] {
  return items.filter((item) => item.type === 'prompt' || item.type === 'reply');
}

/** A value that was read, or a sentence that says what is wrong and where. */
export type Read<T> = Result<{ readonly value: T }>;

/** What one importer hands on. */
export interface Recording {
  /** '' and none where the recording leaves them out. */
  readonly system: string;
  readonly tools: readonly ToolDefinition[];
  /** The last known size of the model's context window; tokens. */
  readonly windowTokens?: number;
  readonly items: readonly RecordedItem[];
}

/** Reads a time written as a text, ms since the epoch; nothing if it is not one. */
export function timeOf(stamp: unknown): { readonly at?: number } {
  const at = typeof stamp === 'string' ? Date.parse(stamp) : Number.NaN;
  return Number.isNaN(at) ? {} : { at };
}

/** Reads the size of a model's context window; nothing if it is not one. */
export function windowSize(tokens: unknown): Pick<Recording, 'windowTokens'> {
  const isSize = typeof tokens === 'number' && Number.isInteger(tokens) && tokens > 0;
  return isSize ? { windowTokens: tokens } : {};
}
