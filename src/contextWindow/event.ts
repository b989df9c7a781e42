import type { Admission, BlockId, ReplyPart, ResultOrigin, ToolUseId } from './block';
import type { Pass } from './plan';
import type { Scratchpad } from './scratchpad';
import type { Usage } from './usage';

export type { Usage } from './usage';

/** Why the model stopped writing; `stopped` is Plimsoll's own: the user did. */
export type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'stop_sequence'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'stopped';

/** A tool as the model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema with `type: "object"`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** How a turn ended; `message` is a sentence for the user. */
export type TurnOutcome =
  | { readonly type: 'finished' }
  | { readonly type: 'replyCut'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'stopped' }
  | { readonly type: 'stepLimit'; readonly steps: number }
  | { readonly type: 'contextFull'; readonly message: string }
  | { readonly type: 'failed'; readonly failure: string; readonly message: string };

/** Something that happened in the session; `at` is milliseconds since the epoch. */
export type SessionEvent = { readonly at: number } & (
  | {
      readonly type: 'sessionStarted';
      readonly version: 1;
      readonly sessionId: string;
      /** False when the owner switched the task anchor off. */
      readonly pinTaskAnchor: boolean;
    }
  /** System prompt and tools of every request from here on. */
  | {
      readonly type: 'preambleSet';
      readonly system: string;
      readonly tools: readonly ToolDefinition[];
    }
  /** The model of every request from here on, as the settings name it. */
  | { readonly type: 'modelSet'; readonly model: string }
  | { readonly type: 'promptSubmitted'; readonly text: string; readonly admission: Admission }
  | {
      readonly type: 'replyReceived';
      readonly model: string;
      readonly parts: readonly ReplyPart[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly durationMs: number;
      /** The user edited the window while this was written: usage and thinking are of other bytes. */
      readonly editedMeanwhile?: true;
    }
  | {
      readonly type: 'toolFinished';
      readonly toolUseId: ToolUseId;
      readonly text: string;
      readonly isError: boolean;
      readonly origin: ResultOrigin;
      readonly durationMs: number;
      readonly admission: Admission;
    }
  | { readonly type: 'scratchpadUpdated'; readonly scratchpad: Scratchpad }
  /** The API's count of the window as it stands. */
  | {
      readonly type: 'windowCounted';
      readonly tokens: number;
      readonly source: 'countTokens' | 'overflowError';
    }
  /** An official count was asked for and could not be had; estimates go on, marked. */
  | { readonly type: 'countFailed'; readonly message: string }
  | { readonly type: 'passApplied'; readonly pass: Pass }
  | { readonly type: 'blockPinned'; readonly blockId: BlockId }
  | { readonly type: 'blockUnpinned'; readonly blockId: BlockId }
  /** The API said the request was too long: the input budget (tokens) was lowered. */
  | {
      readonly type: 'budgetSteppedDown';
      readonly attempt: number;
      readonly contextWindowTokens: number;
      readonly inputBudget: number;
      readonly message: string;
    }
  | { readonly type: 'turnEnded'; readonly outcome: TurnOutcome }
);

/** One kind of session event. */
export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

type WithoutTime<E> = E extends SessionEvent ? Omit<E, 'at'> : never;

/** An event whose time the session will add. */
export type NewEvent = WithoutTime<SessionEvent>;
