import type { ApprovalRule } from './approvalRule';
import type { CommandEnded, CommandStarted } from './commands';
import type {
  Admission,
  Attachment,
  BlockId,
  NoteSource,
  ReplyPart,
  ResultOrigin,
  ShownLines,
  SummaryWriter,
  ToolUseId,
} from './block';
import type { Budget } from './budget';
import type { AppliedContextEdit, ContextEdit } from './contextEditing';
import type { FileChange, TurnFile } from './fileChanges';
import type { FileChosen } from './files/fileChoices';
import type { JsonValue } from './json';
import type { Pass } from './plan';
import type { Effort, Thinking } from './reasoning';
import type { RecordedSize } from './account/recordedSize';
import type { Scratchpad } from './scratchpad';
import type { TierTokens, Usage } from './account/spending';

/** The version of the log that this Plimsoll writes, and the only one it reads. */
export const LOG_VERSION = 3;

/** What a model is asked for apart from steps. */
export const ASK_PURPOSES = ['summary', 'salience'] as const;
export type AskPurpose = (typeof ASK_PURPOSES)[number];

/** What gave an official count of the window. */
export const COUNT_SOURCES = ['countTokens', 'overflowError'] as const;

/** Why a session left memory; `closed`: the user closed it for good. */
export const CLOSE_REASONS = ['closed', 'expired', 'evicted', 'ended'] as const;

/** Something that happened in the session; `at` is milliseconds since the epoch. */
export type SessionEvent = { readonly at: number } & (
  | {
      readonly type: 'sessionStarted';
      readonly version: typeof LOG_VERSION;
      readonly sessionId: string;
      /** False when the owner switched the task anchor off. */
      readonly pinTaskAnchor: boolean;
      /** The session and step this one was forked from; the events up to that step follow. */
      readonly forkedFrom?: { readonly sessionId: string; readonly step: number };
      /** The session that handed its work over to this one. */
      readonly handedOverFrom?: SessionLink;
    }
  /** System prompt and tools for every request from here on. */
  | {
      readonly type: 'preambleSet';
      readonly system: string;
      readonly tools: readonly ToolDefinition[];
      /** Project memory files of the workspace's root, then the profile; capped, absent for none. */
      readonly memory?: readonly MemoryFile[];
      /** In an older replay: tokens of every request whose text the recording does not hold. */
      readonly unrecordedTokens?: number;
    }
  /** The memory files that were in the workspace when the session began: no others are told unasked. */
  | { readonly type: 'memoryListed'; readonly files: readonly MemoryContent[] }
  /** The user was asked whether a memory file is told as it is, with its text in sight. */
  | ({ readonly type: 'memoryAnswered'; readonly allowed: boolean } & MemoryContent)
  /** The model for every request from here on, as the settings name it. */
  | { readonly type: 'modelSet'; readonly model: string }
  | {
      readonly type: 'promptSubmitted';
      /**
       * The turn it begins, counted from 1. It is logged because a lost line must not rename what
       * comes after.
       */
      readonly turn: number;
      readonly text: string;
      readonly admission: Admission;
      readonly attachments?: readonly Attachment[];
    }
  | {
      readonly type: 'replyReceived';
      /** Number of the step, counted from 1 in the session. */
      readonly step: number;
      readonly model: string;
      readonly parts: readonly ReplyPart[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly durationMs: number;
      /**
       * The user edited the window while this was being written: usage and thinking belong to other
       * bytes.
       */
      readonly editedMeanwhile?: true;
      /** Tokens of the request by tier. */
      readonly tiers?: TierTokens;
      /** The estimate for the same request. */
      readonly estimatedTokens?: number;
      /** Most tokens the reply could have, as the request set it. */
      readonly maxTokens?: number;
      /** How the request asked the model to think, byte for byte; absent where it did not say. */
      readonly thinking?: Thinking;
      /** The effort it asked for; absent where it did not say. */
      readonly effort?: Effort;
      /**
       * The budget the request was fitted to, including a step-down after an overflow; absent in
       * older logs.
       */
      readonly budget?: Budget;
      /** The API's own context editing as the request asked for it, byte for byte; absent for none. */
      readonly serverEdits?: readonly ContextEdit[];
      /** What that did to the request, if the API said; empty for nothing. */
      readonly appliedEdits?: readonly AppliedContextEdit[];
      /** What the API's own compaction of the request took, besides `usage`. */
      readonly compactionUsage?: Usage;
    }
  /**
   * A request other than a step was answered. It is logged when the answer comes, whatever becomes
   * of it: an answer that is refused, postponed or never used is charged all the same.
   */
  | {
      readonly type: 'modelAsked';
      readonly purpose: AskPurpose;
      readonly model: string;
      readonly usage: Usage;
    }
  | {
      readonly type: 'toolFinished';
      readonly toolUseId: ToolUseId;
      readonly text: string;
      readonly isError: boolean;
      readonly origin: ResultOrigin;
      readonly durationMs: number;
      readonly admission: Admission;
      readonly attachments?: readonly Attachment[];
      /** Lines of the edited file that came with it, since the window no longer showed them. */
      readonly shown?: readonly ShownLines[];
      /**
       * For a search by `recall`: the handles of the texts it found something in, in their order.
       */
      readonly recalled?: readonly string[];
      /** The rules that let it run unasked, in words; absent where the user was asked, or need not be. */
      readonly allowedBy?: readonly string[];
      /** For a command: what it did to files that outlast the session. */
      readonly lasting?: readonly LastingChange[];
      /** The commands in the background whose end it tells, by their handles. */
      readonly toldEnds?: readonly string[];
    }
  | CommandStarted
  | CommandEnded
  /** What a call did to files of the workspace; it comes before the result of the call. */
  | {
      readonly type: 'filesChanged';
      readonly toolUseId: ToolUseId;
      readonly files: readonly FileChange[];
    }
  /** What a turn made of files: told when it ends, and again when the user keeps or undoes some of it. */
  | { readonly type: 'turnFiles'; readonly turn: number; readonly files: readonly TurnFile[] }
  /** The user put files back; `undoes`: they took the last putting back back. */
  | {
      readonly type: 'filesRestored';
      readonly files: readonly FileChange[];
      readonly undoes?: true;
    }
  /**
   * If the user changed it by hand, the model is told in a note, since no step of its own shows it.
   */
  | {
      readonly type: 'scratchpadUpdated';
      readonly scratchpad: Scratchpad;
      readonly byUser?: true;
      /** It comes from the session that handed over: no step of this one shows it either. */
      readonly handedOver?: true;
      /** Number of the note that tells it; present where no step of the agent's made the change. */
      readonly note?: number;
    }
  /**
   * The memory of a folder, told when the folder is first touched; content the user brought back;
   * or how long the session was idle, told once when the user goes on with it.
   */
  | {
      readonly type: 'noteAdded';
      /** Number of the note, counted from 1 in the session. */
      readonly note: number;
      readonly source: NoteSource;
      readonly text: string;
      readonly admission: Admission;
    }
  /** One key of the session's free-form state for hooks and tools; null removes it. */
  | { readonly type: 'stateSet'; readonly key: string; readonly value: JsonValue }
  /** The API's count of the window as it stands. */
  | {
      readonly type: 'windowCounted';
      readonly tokens: number;
      readonly source: (typeof COUNT_SOURCES)[number];
      /** The estimate for the same request. */
      readonly estimatedTokens?: number;
      /**
       * The API's own context editing came first, or may have: not all that is sent was counted.
       */
      readonly edited?: true;
      /** Tokens of the request before that editing, as it would be sent. */
      readonly beforeEdits?: number;
      /** The editing the request asked for; absent in older logs. */
      readonly serverEdits?: readonly ContextEdit[];
    }
  /** In a replay: what the recorded API counted of its agent's request for the step that comes next. */
  | {
      readonly type: 'recordedCounted';
      readonly tokens: number;
      /** What that says of the parts of the window, where it is other than before. */
      readonly sizes: readonly RecordedSize[];
    }
  /** An official count was asked for and failed; estimates go on, marked as such. */
  | { readonly type: 'countFailed'; readonly message: string }
  | { readonly type: 'passApplied'; readonly pass: Pass }
  /** The user wants no pass now; `tokens` is how full the window is. */
  | { readonly type: 'passPostponed'; readonly tokens: number }
  /** What a pass took comes back, as far as later passes left it alone. */
  | { readonly type: 'passUndone'; readonly number: number }
  /** `undoes`: it takes the user's last unpinning of the block back. */
  | { readonly type: 'blockPinned'; readonly blockId: BlockId; readonly undoes?: true }
  /** `undoes`: it takes the user's last pinning of the block back. */
  | { readonly type: 'blockUnpinned'; readonly blockId: BlockId; readonly undoes?: true }
  /** The prompt that is the task from here on; the former anchor becomes a prompt like any other. */
  | { readonly type: 'anchorMoved'; readonly blockId: BlockId }
  | FileChosen
  /** The API said the request was too long: the input budget (tokens) was lowered. */
  | {
      readonly type: 'budgetSteppedDown';
      readonly attempt: number;
      readonly contextWindowTokens: number;
      readonly inputBudget: number;
      readonly message: string;
    }
  /** The user made a rule for this session, or took it back. */
  | { readonly type: 'ruleSet'; readonly rule: ApprovalRule }
  | { readonly type: 'ruleRevoked'; readonly rule: ApprovalRule }
  /** The user is asked whether a call may run, and has answered; both before it runs. */
  | { readonly type: 'approvalAsked'; readonly toolUseId: ToolUseId }
  | {
      readonly type: 'approvalAnswered';
      readonly toolUseId: ToolUseId;
      readonly approved: boolean;
    }
  | { readonly type: 'turnEnded'; readonly outcome: TurnOutcome }
  /** The newest turn goes on that had ended, or was interrupted. */
  | { readonly type: 'turnContinued' }
  /** The prompts that wait to be sent in this session, in order. */
  | { readonly type: 'queueChanged'; readonly prompts: readonly QueuedPrompt[] }
  /** The whole conversation in short, written when the session was handed over or closed. */
  | { readonly type: 'sessionSummarised'; readonly text: string; readonly writtenBy: SummaryWriter }
  /** The session that goes on with the work. */
  | { readonly type: 'handedOver'; readonly to: SessionLink }
  /** The user's command for the end of a session has run; `exitCode` is null where it was ended. */
  | {
      readonly type: 'closeCommandRan';
      readonly command: string;
      readonly exitCode: number | null;
    }
  /** The session left memory; the log stays and can be opened again. */
  | {
      readonly type: 'sessionClosed';
      /** `closed`: the user closed it, as over. */
      readonly reason: (typeof CLOSE_REASONS)[number];
    }
);

/** What the user sends: words, with the images and documents beside them. */
export interface PromptContent {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/** A prompt that waits to be sent; the id distinguishes it in its session. */
export interface QueuedPrompt extends PromptContent {
  readonly id: number;
  /** It is told at the next step of the turn that runs, and is a prompt only after that. */
  readonly atNextStep?: true;
}

/** Names another session, by what it was called then. */
export interface SessionLink {
  readonly sessionId: string;
  readonly title: string;
}

/** One kind of session event. */
export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

type Unnumbered<E> = E extends { readonly type: 'promptSubmitted' }
  ? Omit<E, 'at' | 'turn'>
  : E extends { readonly type: 'replyReceived' }
    ? Omit<E, 'at' | 'step'>
    : E extends { readonly type: 'noteAdded' | 'scratchpadUpdated' }
      ? Omit<E, 'at' | 'note'>
      : Omit<E, 'at'>;

/** An event to which the session will add time and number; see `entered`. */
export type NewEvent = Unnumbered<SessionEvent>;

/** Why the model stopped writing; `stopped` is Plimsoll's own: the user stopped it. */
export const STOP_REASONS = [
  'end_turn',
  'tool_use',
  'max_tokens',
  'stop_sequence',
  'pause_turn',
  'refusal',
  'model_context_window_exceeded',
  'stopped',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** A tool as it is described to the model. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema with `type: "object"`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Who provides it, in words; absent for Plimsoll's own. It is shown, and not sent. */
  readonly provider?: string;
}

/** The last numbers given in a session; 0 for none. */
interface LastNumbers {
  readonly turn: number;
  readonly step: number;
  readonly note: number;
}

/** Completes a new event: its time (ms since the epoch), and the turn, step or note it begins. */
export function entered(event: NewEvent, at: number, last: LastNumbers): SessionEvent {
  switch (event.type) {
    case 'promptSubmitted':
      return { at, ...event, turn: last.turn + 1 };
    case 'replyReceived':
      return { at, ...event, step: last.step + 1 };
    case 'noteAdded':
      return { at, ...event, note: last.note + 1 };
    case 'scratchpadUpdated':
      return event.byUser === true || event.handedOver === true
        ? { at, ...event, note: last.note + 1 }
        : { at, ...event };
    default:
      return { at, ...event };
  }
}

/** What the spending limits of a turn count; `usd` is US dollars at list price. */
export const TURN_CAPS = ['steps', 'tokens', 'usd'] as const;

/** Limits at which a turn stops and asks whether to continue. */
export type TurnCaps = { readonly [Cap in (typeof TURN_CAPS)[number]]?: number };

/** What a turn has spent. */
export interface TurnSpend {
  readonly steps: number;
  /** Sent and written, cached ones included. */
  readonly tokens: number;
  /** US dollars at list price; absent where the price of a model is not known. */
  readonly usd?: number;
}

/** How a turn ended; `message` is a sentence for the user. */
export type TurnOutcome =
  | { readonly type: 'finished' }
  | { readonly type: 'replyCut'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'stopped' }
  /** The window was reloaded or closed. A turn that a crash ended has no end in the log. */
  | { readonly type: 'interrupted' }
  /** A limit of the user's was reached: `most` of what it counts. */
  | {
      readonly type: 'capReached';
      readonly cap: keyof TurnCaps;
      readonly most: number;
      /** Since the turn began, or the user last said that it goes on. */
      readonly spent: TurnSpend;
    }
  | { readonly type: 'contextFull'; readonly message: string }
  | { readonly type: 'failed'; readonly failure: string; readonly message: string };

export const LASTING_CHANGES = ['made', 'changed', 'gone'] as const;

/** What became of a file that later sessions are told, or that runs by itself. */
export interface LastingChange {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly how: (typeof LASTING_CHANGES)[number];
}

/** How a text came to be told as memory; `step` is the last one before the user's yes. */
export type MemoryOrigin =
  { readonly how: 'begin' } | { readonly how: 'allowed'; readonly step: number };

/** A memory file by its content: `hash` is the beginning of its SHA-256, in hexadecimal. */
interface MemoryContent {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly hash: string;
}

/** One project memory file, or the user's profile, as the model is shown it. */
export interface MemoryFile {
  /** Relative to the workspace, with forward slashes; the profile's own name. */
  readonly path: string;
  /** Present for the user's profile, which is for all projects. */
  readonly profile?: true;
  /** What the window holds of it: only the head where the file exceeds its cap. */
  readonly text: string;
  /** Length of the whole file, characters. */
  readonly chars: number;
  /** Absent for the profile, and in older logs. */
  readonly origin?: MemoryOrigin;
}
