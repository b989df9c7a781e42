import type { ApprovalRule } from './approvalRule';
import type { CommandEnded, CommandStarted } from './commands';
import type {
  Admission,
  Attachment,
  BlockId,
  NoteSource,
  ReplyPart,
  SummaryWriter,
  ToolResult,
  ToolUseId,
} from './block';
import type { Budget } from './budget';
import type { AppliedContextEdit, ContextEdit } from './contextEditing';
import type { FileChange, TurnFile } from './fileChanges';
import type { FileChosen } from './files/fileChoices';
import type { JsonValue } from './json';
import type { Mode } from './mode';
import type { Pass } from './plan';
import type { Effort, Thinking } from './reasoning';
import type { RecordedSize } from './account/recordedSize';
import type { Scratchpad } from './scratchpad';
import type { CacheLife, CacheLifeChoice, SessionPauses } from './account/promptCache';
import type { TierTokens, Usage } from './account/spending';

/** The version of the log that Plimsoll writes, and the only one it reads. */
export const LOG_VERSION = 3;

/** Requests to a model other than steps. */
export const ASK_PURPOSES = ['summary', 'salience', 'commitMessage'] as const;
export type AskPurpose = (typeof ASK_PURPOSES)[number];

/** Sources of an official count of the window. */
export const COUNT_SOURCES = ['countTokens', 'overflowError'] as const;

/** Why a session left memory; `closed`: the user closed it for good. */
export const CLOSE_REASONS = ['closed', 'expired', 'evicted', 'ended'] as const;

/** An event of the session; `at` is milliseconds since the epoch. */
export type SessionEvent = WindowEvent | SubAgentEvent;

/**
 * An event in the window of a sub-agent, which the call with this id started. Its log is part of
 * its parent's, so that one file holds a session whole; a sub-agent starts no other.
 */
interface SubAgentEvent {
  readonly at: number;
  readonly type: 'subAgentEvent';
  readonly toolUseId: ToolUseId;
  readonly event: WindowEvent;
}

export type WindowEvent = { readonly at: number } & (
  | {
      readonly type: 'sessionStarted';
      readonly version: typeof LOG_VERSION;
      readonly sessionId: string;
      /** False if the settings switch the task anchor off. */
      readonly pinTaskAnchor: boolean;
      /** Whether the session keeps standing rules; absent in logs from before there were any. */
      readonly standingRules?: boolean;
      /** The name of the sub-agent whose log this is. */
      readonly subAgent?: string;
      /** The session and step from which this one was forked; the events up to that step follow. */
      readonly forkedFrom?: { readonly sessionId: string; readonly step: number };
      /** The session that handed its work over to this one. */
      readonly handedOverFrom?: SessionLink;
    }
  /** System prompt and tools for every request from here on. */
  | {
      readonly type: 'preambleSet';
      readonly system: string;
      readonly tools: readonly ToolDefinition[];
      /** Project memory of the workspace's root, then the profile, both capped; absent for none. */
      readonly memory?: readonly MemoryFile[];
      /**
       * In a replay without counts per part: tokens of every request that are missing from the
       * recording's file.
       */
      readonly unrecordedTokens?: number;
    }
  /**
   * The memory files in the workspace when the session began; others are used only after the user
   * allowed them.
   */
  | { readonly type: 'memoryListed'; readonly files: readonly MemoryContent[] }
  /** The user read a memory file and decided whether the model gets it. */
  | ({ readonly type: 'memoryAnswered'; readonly allowed: boolean } & MemoryContent)
  /** The model for every request from here on, as in the settings. */
  | { readonly type: 'modelSet'; readonly model: string }
  | {
      readonly type: 'promptSubmitted';
      /**
       * The turn that begins, counted from 1. Logged, so that a lost line does not renumber later
       * turns.
       */
      readonly turn: number;
      readonly text: string;
      readonly admission: Admission;
      readonly attachments?: readonly Attachment[];
      /** Not the user's words, so it states no standing rules. Only recordings have it. */
      readonly byAgent?: true;
    }
  | {
      readonly type: 'replyReceived';
      /** Counted from 1 in the session. */
      readonly step: number;
      readonly model: string;
      readonly parts: readonly ReplyPart[];
      readonly stopReason: StopReason;
      readonly usage: Usage;
      readonly durationMs: number;
      /** Time until the first part of the reply arrived; absent if none was streamed, and in recordings. */
      readonly firstTokenMs?: number;
      /** The user changed the window during the reply: usage and thinking belong to other bytes. */
      readonly editedMeanwhile?: true;
      /** The server reported far fewer tokens than the estimate: its usage measures nothing. */
      readonly underreported?: true;
      /** The server has no token counts that agree with its usage: the usage is an estimate. */
      readonly uncounted?: true;
      /** What the request went without because the server does not support it; absent for nothing. */
      readonly leftOut?: readonly LeftOut[];
      readonly tiers?: TierTokens;
      readonly estimatedTokens?: number;
      /** The `max_tokens` of the request. */
      readonly maxTokens?: number;
      /** The request's thinking setting, verbatim; absent if it had none. */
      readonly thinking?: Thinking;
      /** The request's effort; absent if it had none. */
      readonly effort?: Effort;
      /**
       * The budget of the request, including a step-down after an overflow; absent in recordings.
       */
      readonly budget?: Budget;
      /** The API's own context editing as requested, verbatim; absent for none. */
      readonly serverEdits?: readonly ContextEdit[];
      /** The edits that the API reports as applied; empty for none. */
      readonly appliedEdits?: readonly AppliedContextEdit[];
      /** Tokens of the API's own compaction of the request, in addition to `usage`. */
      readonly compactionUsage?: Usage;
    }
  /**
   * A request other than a step was answered. Logged as soon as the answer arrives, because an
   * answer that is rejected, postponed or never used is charged too.
   */
  | {
      readonly type: 'modelAsked';
      readonly purpose: AskPurpose;
      readonly model: string;
      readonly usage: Usage;
    }
  | (ToolResult & {
      readonly type: 'toolFinished';
      readonly toolUseId: ToolUseId;
      /** For a search by `recall`: the handles of the texts with matches, in order. */
      readonly recalled?: readonly string[];
      /**
       * The approval rules that let it run, in words; absent if the user decided or no approval was
       * needed.
       */
      readonly allowedBy?: readonly string[];
      /** For a command: its changes of files that outlast the session. */
      readonly lasting?: readonly LastingChange[];
      /** Handles of the background commands whose end the result reports. */
      readonly reportedEnds?: readonly string[];
    })
  | CommandStarted
  | CommandEnded
  /** A call's changes of workspace files; logged before the result of the call. */
  | {
      readonly type: 'filesChanged';
      readonly toolUseId: ToolUseId;
      readonly files: readonly FileChange[];
    }
  /**
   * All changes of files in a turn. Logged when the turn ends, and again when the user keeps or
   * undoes some of them.
   */
  | { readonly type: 'turnFiles'; readonly turn: number; readonly files: readonly TurnFile[] }
  /** The user restored files; with `undoes` they undid the last restore. */
  | {
      readonly type: 'filesRestored';
      readonly files: readonly FileChange[];
      readonly undoes?: true;
    }
  /**
   * After a change by the user the model gets a note, since no step of its own shows the change.
   */
  | {
      readonly type: 'scratchpadUpdated';
      readonly scratchpad: Scratchpad;
      readonly byUser?: true;
      /** It comes from the session that handed over, so no step of this one shows it either. */
      readonly handedOver?: true;
      /** Number of the note about it; absent if a step of the agent made the change. */
      readonly note?: number;
    }
  /**
   * A note to the model: a folder's memory when the folder is first touched, restored content, how
   * long the session was idle, and so on.
   */
  | {
      readonly type: 'noteAdded';
      /** Counted from 1 in the session. */
      readonly note: number;
      readonly source: NoteSource;
      readonly text: string;
      readonly admission: Admission;
    }
  /** A key of the session's free-form state for hooks and tools; null removes it. */
  | { readonly type: 'stateSet'; readonly key: string; readonly value: JsonValue }
  /** The API's count of the current window. */
  | {
      readonly type: 'windowCounted';
      readonly tokens: number;
      readonly source: (typeof COUNT_SOURCES)[number];
      readonly estimatedTokens?: number;
      /**
       * The API's own context editing ran first, or may have run: the count does not cover all that
       * is sent.
       */
      readonly edited?: true;
      /** Tokens of the request as it would be sent, before that editing. */
      readonly beforeEdits?: number;
      /** The context editing that the request asked for; absent for none. */
      readonly serverEdits?: readonly ContextEdit[];
    }
  /** In a replay: the recorded API's count of its agent's request for the next step. */
  | {
      readonly type: 'recordedCounted';
      readonly tokens: number;
      /** The sizes of the window's parts that this count changes. */
      readonly sizes: readonly RecordedSize[];
    }
  /** An official count failed; estimates continue, marked as such. */
  | { readonly type: 'countFailed'; readonly message: string }
  | { readonly type: 'passApplied'; readonly pass: Pass }
  /** The user postponed a pass; `tokens` is how full the window is. */
  | { readonly type: 'passPostponed'; readonly tokens: number }
  /** A pass was undone, except for what later passes changed. */
  | { readonly type: 'passUndone'; readonly number: number }
  /** With `undoes` this undoes the user's last unpinning of the block. */
  | { readonly type: 'blockPinned'; readonly blockId: BlockId; readonly undoes?: true }
  /** With `undoes` this undoes the user's last pinning of the block. */
  | { readonly type: 'blockUnpinned'; readonly blockId: BlockId; readonly undoes?: true }
  /**
   * A prompt became the task; the former anchor is an ordinary prompt from here on. With `undoes`
   * this undoes the user's last such change.
   */
  | { readonly type: 'anchorMoved'; readonly blockId: BlockId; readonly undoes?: true }
  | FileChosen
  /**
   * The user chose which masked secrets the requests hold: the marks of all of them. The secrets
   * themselves are never logged.
   */
  | { readonly type: 'secretsSent'; readonly marks: readonly string[] }
  /** The API refused the request as too long, so the input budget (tokens) was lowered. */
  | {
      readonly type: 'budgetSteppedDown';
      readonly attempt: number;
      readonly contextWindowTokens: number;
      readonly inputBudget: number;
      readonly message: string;
    }
  /**
   * For how long the next requests are cached, with the pauses of 5 to 60 minutes, the longer
   * ones, and the requests until then, by which `auto` decides.
   */
  | {
      readonly type: 'cacheLifeSet';
      readonly life: CacheLife;
      readonly choice: CacheLifeChoice;
      readonly pauses: number;
      readonly longPauses: number;
      readonly requests: number;
      /** The earlier sessions that counted as well; absent for none. */
      readonly earlier?: SessionPauses;
    }
  /** The user switched the standing rules of the session on or off. */
  | { readonly type: 'standingRulesSet'; readonly on: boolean }
  /**
   * A standing rule that no prompt states. A note tells the model, unless it is `given`: it comes from
   * the session that handed over or started this one, and the block of rules has it from the beginning.
   */
  | {
      readonly type: 'standingRuleAdded';
      readonly text: string;
      readonly given?: true;
      readonly note?: number;
    }
  /** The user struck a standing rule, wherever it was stated so far. */
  | { readonly type: 'standingRuleStruck'; readonly text: string; readonly note: number }
  /** The user chose a mode. */
  | { readonly type: 'modeSet'; readonly mode: Mode }
  /** The user made or revoked an approval rule for this session. */
  | { readonly type: 'ruleSet'; readonly rule: ApprovalRule }
  | { readonly type: 'ruleRevoked'; readonly rule: ApprovalRule }
  /** The user is asked to approve a call, then answers; both before the call runs. */
  | { readonly type: 'approvalAsked'; readonly toolUseId: ToolUseId }
  | {
      readonly type: 'approvalAnswered';
      readonly toolUseId: ToolUseId;
      readonly approved: boolean;
    }
  | { readonly type: 'turnEnded'; readonly outcome: TurnOutcome }
  /** The newest turn continues after it had ended or was interrupted. */
  | { readonly type: 'turnContinued' }
  /** The prompts that wait in the queue of this session, in order. */
  | { readonly type: 'queueChanged'; readonly prompts: readonly QueuedPrompt[] }
  /** A summary of the whole conversation, written at a handover or when the session was closed. */
  | { readonly type: 'sessionSummarised'; readonly text: string; readonly writtenBy: SummaryWriter }
  /** This session handed its work over to another one. */
  | { readonly type: 'handedOver'; readonly to: SessionLink }
  /** The user's command for the end of a session ran; `exitCode` is null if it was killed. */
  | {
      readonly type: 'closeCommandRan';
      readonly command: string;
      readonly exitCode: number | null;
    }
  /** The session was unloaded; its log stays and can be opened again. */
  | {
      readonly type: 'sessionClosed';
      /** `closed`: the user closed it, as over. */
      readonly reason: (typeof CLOSE_REASONS)[number];
    }
);

/** A message of the user: text with images and documents. */
export interface PromptContent {
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

/** A prompt that waits to be sent; `id` is unique in its session. */
export interface QueuedPrompt extends PromptContent {
  readonly id: number;
  /** It is sent as a note with the turn's next step if there is one, else as a prompt. */
  readonly atNextStep?: true;
}

/** Another session with the title it had at that time. */
export interface SessionLink {
  readonly sessionId: string;
  readonly title: string;
}

/** One kind of session event. */
export type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { readonly type: T }>;

/** The events that may add a note. */
type NotedType = 'noteAdded' | 'scratchpadUpdated' | 'standingRuleAdded' | 'standingRuleStruck';

type Unnumbered<E> = E extends { readonly type: 'promptSubmitted' }
  ? Omit<E, 'at' | 'turn'>
  : E extends { readonly type: 'replyReceived' }
    ? Omit<E, 'at' | 'step'>
    : E extends { readonly type: NotedType }
      ? Omit<E, 'at' | 'note'>
      : Omit<E, 'at'>;

/** An event without its time and number, which `entered` adds. */
export type NewEvent = Unnumbered<SessionEvent>;

/** A decision of the user about the standing rules. */
export type RuleChange = Extract<
  NewEvent,
  { readonly type: 'standingRulesSet' | 'standingRuleAdded' | 'standingRuleStruck' }
>;

/** Why the model stopped writing; `stopped` is Plimsoll's own, for a stop by the user. */
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

/** The parts of a request that it can go without where a server does not support them. */
export const LEFT_OUT = ['cacheControl', 'thinking', 'effort', 'images', 'documents'] as const;
export type LeftOut = (typeof LEFT_OUT)[number];

export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema with `type: "object"`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Name of the provider; absent for Plimsoll's own tools. Shown to the user, never sent. */
  readonly provider?: string;
  /** Names of the tools that are called through this one. Shown to the user, never sent. */
  readonly holds?: readonly string[];
}

/** The last numbers that were given in a session; 0 for none. */
interface LastNumbers {
  readonly turn: number;
  readonly step: number;
  readonly note: number;
}

/**
 * Completes a new event with its time (ms since the epoch) and the number of the turn, step or note
 * that it begins.
 */
export function entered(event: NewEvent, at: number, last: LastNumbers): SessionEvent {
  switch (event.type) {
    case 'promptSubmitted':
      return { at, ...event, turn: last.turn + 1 };
    case 'replyReceived':
      return { at, ...event, step: last.step + 1 };
    case 'noteAdded':
    case 'standingRuleStruck':
      return { at, ...event, note: last.note + 1 };
    case 'standingRuleAdded':
      return event.given === true ? { at, ...event } : { at, ...event, note: last.note + 1 };
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

/** Limits at which a turn stops and asks whether to continue; absent for no limit. */
export type TurnCaps = { readonly [Cap in (typeof TURN_CAPS)[number]]?: number };

export interface TurnSpend {
  readonly steps: number;
  /** Input and output tokens, cached ones included. */
  readonly tokens: number;
  /** US dollars at list price; absent if a model's price is unknown. */
  readonly usd?: number;
  /** The server does not count reliably. */
  readonly isEstimate?: true;
}

/** How a turn ended; `message` is a sentence for the user. */
export type TurnOutcome =
  | { readonly type: 'finished' }
  | { readonly type: 'replyCut'; readonly message: string }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'stopped' }
  /** The editor window was reloaded or closed. A turn that a crash ended has no such event. */
  | { readonly type: 'interrupted' }
  /** A limit of the user was reached; `most` is its value. */
  | {
      readonly type: 'capReached';
      readonly cap: keyof TurnCaps;
      readonly most: number;
      /** Since the start of the turn, or since the user last continued it. */
      readonly spent: TurnSpend;
      /** Estimated price of the request that was not sent, in US dollars; absent if one was. */
      readonly nextUsd?: number;
    }
  | { readonly type: 'contextFull'; readonly message: string }
  | { readonly type: 'failed'; readonly failure: string; readonly message: string };

export const LASTING_CHANGES = ['made', 'changed', 'gone'] as const;

/** A change of a file that later sessions read, or that runs automatically. */
export interface LastingChange {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly how: (typeof LASTING_CHANGES)[number];
}

/** How a memory file came into the window; `step` is the last one before the user allowed it. */
export type MemoryOrigin =
  { readonly how: 'begin' } | { readonly how: 'allowed'; readonly step: number };

/**
 * Identifies the content of a memory file; `hash` is the beginning of its SHA-256, in hexadecimal.
 */
interface MemoryContent {
  /** Relative to the workspace, with forward slashes. */
  readonly path: string;
  readonly hash: string;
}

/** A project memory file, or the user's profile, as the model sees it. */
export interface MemoryFile {
  /** Relative to the workspace, with forward slashes; for the profile its own name. */
  readonly path: string;
  /** Present for the user's profile, which applies to all projects. */
  readonly profile?: true;
  /** Present for a skill, of which only the description is sent; `hash` of its whole file. */
  readonly skill?: { readonly name: string; readonly hash: string };
  /** The part in the window: only the head if the file exceeds its cap. */
  readonly text: string;
  /** Length of the whole file in characters. */
  readonly chars: number;
  /** Absent for the profile. */
  readonly origin?: MemoryOrigin;
}
