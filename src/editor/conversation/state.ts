import type { CallKind } from '../../contextWindow/callEffect';
import type { TodoItem } from '../../contextWindow/scratchpad';
import type { ApprovalView, RuleView } from '../approvals/state';
import type { PromptEffects } from '../../contextWindow/passes/undoPrompt';
import type { FileToRestore, TurnFileView } from '../checkpoints/state';
import type { CommandView } from '../commands/state';
import type { AttachedView } from '../composer/state';
import type { FieldPatch, ListPatch } from '../patch';
import type { SessionLinks } from '../sessions/state';
import type { WishAnswered } from '../wish';

/** What the Agent view shows: labels and numbers, times in ms since the epoch. */
export interface Conversation {
  /** Which session it is; empty before its first prompt. */
  readonly session: string;
  readonly title: string;
  readonly model: string;
  /** What is asked of it: "thinking adaptive, effort high"; absent where it decides by itself. */
  readonly reasoning?: string;
  /** True when answers come from the scripted offline model: the view must say so. */
  readonly offline: boolean;
  readonly turns: readonly TurnView[];
  readonly activity: Activity;
  /** Prompts typed while the agent was busy; sent when the turn ends, unless they are held. */
  readonly queued: readonly QueuedView[];
  /** Why they are not sent by themselves; absent where they are. */
  readonly held?: HoldReason;
  /** What is beside the prompt that is being typed; absent for nothing. */
  readonly attached?: AttachedView;
  /** What stands in the way of asking the model, with a button that helps. */
  readonly problem?: Problem;
  /** What is wrong with settings, and what the workspace sets that the user is asked about. */
  readonly settingNotices?: readonly SettingNotice[];
  /** The session was idle for long: how it goes on is for the user to say, and prompts wait. */
  readonly returning?: ReturnView;
  /** The checklist of the agent's notes; absent while there is none. */
  readonly todo?: readonly TodoItem[];
  /** The commands in the background: those that run, then those that ended last; absent for none. */
  readonly commands?: readonly CommandView[];
  /** What the user allowed or denied from now on: it answers for them. Newest first. */
  readonly rules?: readonly RuleView[];
  /** How many files the user has just put back, which can be undone; absent for none. */
  readonly restored?: number;
  /** Prompts that are worth trying next; shown as buttons that fill the composer. */
  readonly suggestions?: readonly string[];
  /** What goes on in sessions that are not shown; absent for nothing. */
  readonly elsewhere?: ElsewhereView;
  /** The sessions this one goes on with or in; absent for none. */
  readonly links?: SessionLinks;
  /** How full the window is; absent while the session is still being read. */
  readonly gauge?: GaugeView;
  /** What the session cost so far; absent before the first answer. */
  readonly costs?: CostsView;
  /** Only the last turns are there: the rest of the log is still being read. */
  readonly isOpening?: true;
}

/** A prompt that is not in the conversation yet; without an id it is just being sent. */
export interface QueuedView {
  readonly id?: number;
  readonly text: string;
  /** Names of what the user put beside it; absent for nothing. */
  readonly attached?: readonly string[];
  /** It is told at the next step of the turn that runs. */
  readonly atNextStep?: true;
}

/**
 * Why prompts that wait are held: the user stopped the turn; it ended early; the session was left, or the
 * window reloaded; something stood in the way of sending; the user is asked how the session goes on.
 */
export type HoldReason = 'stopped' | 'ended' | 'left' | 'refused' | 'question';

export interface GaugeView {
  readonly usedTokens: number;
  readonly exact: boolean;
  readonly inputBudget: number;
}

export interface Problem {
  readonly message: string;
  readonly action?: HelpingAction;
}

/** Something to be said of a setting, by its full name, with the buttons that help. */
export interface SettingNotice {
  readonly setting: string;
  readonly message: string;
  readonly actions: readonly HelpingAction[];
}

/** A button that helps. */
export interface HelpingAction {
  readonly label: string;
  readonly wish: HelpingWish;
}

/** The wishes that a helping button sends. */
export type HelpingWish =
  | {
      readonly type: 'continueTurn' | 'setApiKey' | 'chooseModel' | 'reopenSession' | 'openFolder';
    }
  | { readonly type: 'openSettings'; readonly setting?: string };

/** What a prompt led to, and what restoring files to the moment before it would do. */
export interface PromptEffectsView extends PromptEffects {
  readonly restore: readonly FileToRestore[];
}

/** Nothing has come since then; the request is made anew at `until`, absent for no limit. */
export interface Silence {
  readonly since: number;
  readonly until?: number;
}

/** What the agent is doing right now. */
export type Activity =
  | { readonly state: 'idle' }
  | {
      readonly state: 'asking';
      readonly since: number;
      readonly note?: string;
      /** Present while nothing comes from the server. */
      readonly silence?: Silence;
    }
  /**
   * The request failed for a passing reason, which `message` says, and is sent again at `until`: the
   * try with the number `attempt`, of `tries` in all.
   */
  | {
      readonly state: 'waiting';
      readonly since: number;
      readonly until: number;
      readonly attempt: number;
      readonly tries: number;
      readonly message: string;
    }
  | { readonly state: 'runningTool'; readonly toolUseId: string; readonly since: number }
  | { readonly state: 'awaitingApproval'; readonly approval: ApprovalView }
  | { readonly state: 'compacting'; readonly since: number }
  /** A pass is to be reviewed in the Context panel. */
  | { readonly state: 'awaitingReview' }
  | { readonly state: 'stopping' };

export interface TurnView {
  readonly turn: number;
  readonly prompt: string;
  /** Names of what the user put beside it; absent for nothing. */
  readonly attached?: readonly string[];
  /** The block of the prompt. */
  readonly promptId: string;
  /** Present where the prompt was taken back with its steps, so many. */
  readonly undonePrompt?: { readonly steps: number };
  readonly items: readonly TurnItem[];
  /** Absent while the turn runs; `message` is absent when it simply finished. */
  readonly outcome?: {
    readonly type: string;
    readonly message?: string;
    /** What goes on with it; absent for nothing, and for every turn but the newest. */
    readonly actions?: readonly HelpingAction[];
  };
  readonly usage: UsageView;
  /** The files it changed, told at its end; absent for none. */
  readonly files?: readonly TurnFileView[];
  /** Whether the scripted model answered; if absent, what the conversation says now counts. */
  readonly offline?: boolean;
}

/** A step of the agent, a pass between steps, or a summary of a whole session. */
export type TurnItem =
  | {
      readonly type: 'step';
      readonly step: number;
      /** Markdown, untrusted. */
      readonly text: string;
      /** What the model thought before it answered; absent where it did not. */
      readonly thinking?: ThinkingView;
      readonly tools: readonly ToolView[];
    }
  | {
      readonly type: 'pass';
      readonly number: number;
      /** As `PassView` has it. */
      readonly name: string;
      readonly trigger: string;
      readonly beforeTokens: number;
      /** What it shows of the files in work: "47 lines of 2 files"; absent for nothing. */
      readonly shows?: string;
      readonly afterTokens: number;
      readonly exact: boolean;
      readonly undone?: true;
    }
  /** What the user said while the agent worked. */
  | {
      readonly type: 'said';
      /** Its place among the items of the turn, counted from 1. */
      readonly number: number;
      readonly text: string;
      /** Names of what the user put beside it; absent for nothing. */
      readonly attached?: readonly string[];
    }
  | {
      readonly type: 'summary';
      /** Its place among the items of the turn, counted from 1. */
      readonly number: number;
      /** The session it came from; absent where it is of this one. */
      readonly from?: string;
      /** "by claude-x", or why it is a work note; absent where it came from another session. */
      readonly writtenBy?: string;
      /** Plain text, untrusted. */
      readonly text: string;
    };

/** What a model thought in a step. */
export interface ThinkingView {
  /** Plain text, untrusted, cut at 20,000 characters; '' where the API gave no words. */
  readonly text: string;
  /** By the API's count; absent where it did not say. */
  readonly tokens?: number;
}

export interface ToolView {
  readonly toolUseId: string;
  readonly name: string;
  /** What the call is for. */
  readonly kind: CallKind;
  /** "read_file src/a.js 1-40". */
  readonly label: string;
  /** It runs, and can be moved to the background. */
  readonly isMovable?: true;
  /** The arguments as indented JSON, cut at 4,000 characters. */
  readonly argumentsText: string;
  /** Of an edit: lines as they were and are, each with ' ', '+' or '-' before it, cut at 400; untrusted. */
  readonly diff?: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'stopped';
  /** Why it failed or was denied, in a line: "exit code 1", the user's words. */
  readonly why?: string;
  /** What a command did to files that outlast the session, in a sentence. */
  readonly lasting?: string;
  /** The rules of the user that let it run unasked, in words. */
  readonly allowedBy?: readonly string[];
  readonly elapsedMs?: number;
  /** Length of the whole result in characters; its text is fetched on demand. */
  readonly resultChars?: number;
}

/** How one conversation turns into the next. */
export interface ConversationPatch extends FieldPatch<Omit<Conversation, 'turns'>> {
  /** How many turns there are now. */
  readonly turnCount: number;
  /** The turns that are new or changed, each with its place in the list. */
  readonly turns: readonly TurnPatch[];
}

export type TurnPatch =
  | { readonly at: number; readonly put: TurnView }
  | ({ readonly at: number; readonly items: ListPatch<TurnItem> } & FieldPatch<TurnHead>);

/** A turn without its items. */
export type TurnHead = Omit<TurnView, 'items'>;

/**
 * Said by the host to the Agent view. A conversation is told whole, with a number, and then only
 * its changes: a patch changes the conversation with the number before its own.
 */
export type AgentFact =
  | {
      readonly type: 'conversationChanged';
      readonly conversation: Conversation;
      readonly number?: number;
    }
  | {
      readonly type: 'conversationPatched';
      readonly number: number;
      readonly patch: ConversationPatch;
    }
  /**
   * More of the reply being written; its `step` is not in the conversation yet. With `whole` the
   * text replaces what came before: a retry starts over, or a view has just opened.
   */
  | {
      readonly type: 'replyStreamed';
      readonly step: number;
      readonly text: string;
      readonly whole?: boolean;
    }
  /** More of what the model thinks before it answers; the same `step` and `whole` as of its reply. */
  | {
      readonly type: 'thinkingStreamed';
      readonly step: number;
      readonly text: string;
      readonly whole?: boolean;
    }
  /** More of a running tool's output, or with `whole` everything so far. */
  | {
      readonly type: 'toolOutputStreamed';
      readonly toolUseId: string;
      readonly text: string;
      readonly whole?: boolean;
    }
  | WishAnswered;

/** What a session cost, by the numbers of the Context panel. */
export interface CostsView {
  /** Of the newest turn: "$0.0123", "no charge (offline)", or "price unknown". */
  readonly turn: string;
  /** Of the session, in the same words. */
  readonly session: string;
  /** Share of all billed input tokens that were read from the cache, 0..1; null before the first. */
  readonly cacheReadShare: number | null;
  /** What passes made the window smaller by, tokens; absent where none ran. */
  readonly saved?: { readonly passes: number; readonly tokens: number; readonly exact: boolean };
}

/** What one turn took. */
export interface UsageView {
  /** All prompts of the turn together, cached or not. */
  readonly inputTokens: number;
  /** The share of `inputTokens` that was read from the prompt cache. */
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** "$0.0123", "no charge (offline)", or "price unknown". */
  readonly cost: string;
  readonly elapsedMs: number;
}

/** What goes on in sessions that are not shown. */
export interface ElsewhereView {
  /** "Another session waits for your answer · 2 other sessions are at work". */
  readonly words: string;
  readonly isWaiting: boolean;
}

/** The question how to go on with a session that was idle for longer than its time to live. */
export interface ReturnView {
  /** "Idle 30 days, 140,000 tokens, 31 files changed since (git and file times)." */
  readonly sentence: string;
  /** Some of the files that changed, those first that the agent knew. */
  readonly files: readonly ReturnFile[];
  /** How many more there are. */
  readonly moreFiles: number;
  /** The user has answered, and what follows from it is under way. */
  readonly isAnswered: boolean;
}

/** A file that changed while a session was idle; `isGone`: it is no longer there. */
export interface ReturnFile {
  readonly path: string;
  readonly isGone: boolean;
  readonly isKnown: boolean;
}
