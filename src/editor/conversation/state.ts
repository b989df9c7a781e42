import type { Mode } from '../../contextWindow/mode';
import type { CallKind } from '../../contextWindow/callEffect';
import type { TodoItem } from '../../contextWindow/scratchpad';
import type {
  Activity,
  CostsView,
  ElsewhereView,
  HelpingAction,
  HoldReason,
  Problem,
  ApprovalRuleView,
  SessionLinks,
  SettingNotice,
} from '../session/state';
import type { PromptEffects } from '../../contextWindow/passes/undoPrompt';
import type { FileToRestore, TurnFileView } from '../checkpoints/state';
import type { CommandView } from '../commands/state';
import type { AttachedView, OfferedView } from '../composer/state';
import type { FieldPatch, ListPatch } from '../patch';
import type { WishAnswered } from '../wish';

export type {
  Activity,
  HelpingAction,
  HelpingWish,
  HoldReason,
  Problem,
  SettingNotice,
  Silence,
} from '../session/state';

/** What the Agent view shows: labels and numbers, times in ms since the epoch. */
export interface Conversation {
  /** The id of the session; empty before its first prompt. */
  readonly session: string;
  readonly title: string;
  readonly model: string;
  /** Its reasoning settings: "thinking adaptive, effort high"; absent for the model's default. */
  readonly reasoning?: string;
  /** True if the scripted offline model answers: the view must say so. */
  readonly offline: boolean;
  readonly turns: readonly TurnView[];
  readonly activity: Activity;
  /** Prompts typed while the agent was busy; sent when the turn ends, unless they are held. */
  readonly queued: readonly QueuedView[];
  /** Why they are not sent automatically; absent if they are. */
  readonly held?: HoldReason;
  /** The attachments of the prompt being typed; absent for none. */
  readonly attached?: AttachedView;
  /** The file or selection in the editor that is not attached yet; absent for none. */
  readonly offered?: OfferedView;
  /** What prevents a request, with a button that helps. */
  readonly problem?: Problem;
  /** Problems of settings. */
  readonly settingNotices?: readonly SettingNotice[];
  /** The question how to continue a session that was idle for long; prompts wait for the answer. */
  readonly returning?: ReturnView;
  /** The pass that waits for its review while the prompt cache is cold; absent for none. */
  readonly coldPass?: ColdPassView;
  /** The checklist of the agent's notes; absent for none. */
  readonly todo?: readonly TodoItem[];
  /** The background commands: running ones, then those that ended last; absent for none. */
  readonly commands?: readonly CommandView[];
  /** The approval rules, newest first. */
  readonly rules?: readonly ApprovalRuleView[];
  /** The number of files just restored, which can be undone; absent for none. */
  readonly restored?: number;
  /** What a session without a prompt offers to begin with; absent once it has one. */
  readonly start?: StartView;
  /** Prompts worth trying next; shown as buttons that fill the composer. */
  readonly suggestions?: readonly string[];
  /** Activity in other sessions; absent for none. */
  readonly elsewhere?: ElsewhereView;
  /** The sessions that this one continues and is continued in; absent for none. */
  readonly links?: SessionLinks;
  /** How full the window is; absent while the session is still being read. */
  readonly gauge?: GaugeView;
  /** The cost of the session so far; absent before the first answer. */
  readonly costs?: CostsView;
  readonly mode: Mode;
  /** The last reply is a plan that waits for its start. */
  readonly hasPlan?: true;
  /** Only the last turns are here: the rest of the log is still being read. */
  readonly isOpening?: true;
}

/** The offers of an empty session. */
export interface StartView {
  /** There is no key yet; only servers other than Anthropic's may need none. */
  readonly needsKey: boolean;
  /** Names of other agents that have kept sessions on this machine: "Claude Code". */
  readonly otherAgents: readonly string[];
}

/** A prompt that is not in the conversation yet; without an id it is being sent. */
export interface QueuedView {
  readonly id?: number;
  readonly text: string;
  /** Names of its attachments; absent for none. */
  readonly attached?: readonly string[];
  /** It is sent at the next step of the running turn. */
  readonly atNextStep?: true;
}

export interface GaugeView {
  readonly usedTokens: number;
  readonly exact: boolean;
  readonly inputBudget: number;
}

/** What a prompt led to, and what restoring files to the moment before it would do. */
export interface PromptEffectsView extends PromptEffects {
  readonly restore: readonly FileToRestore[];
}

export interface TurnView {
  readonly turn: number;
  readonly prompt: string;
  /** Names of its attachments; absent for none. */
  readonly attached?: readonly string[];
  /** The block of the prompt. */
  readonly promptId: string;
  /** Present if the prompt was undone, with this many steps. */
  readonly undonePrompt?: { readonly steps: number };
  readonly items: readonly TurnItem[];
  /** Absent while the turn runs; `message` is absent if it finished normally. */
  readonly outcome?: {
    readonly type: string;
    readonly message?: string;
    /** Buttons that continue the turn; absent for none, and for every turn but the newest. */
    readonly actions?: readonly HelpingAction[];
  };
  readonly usage: UsageView;
  /** The files it changed, known when it ends; absent for none. */
  readonly files?: readonly TurnFileView[];
  /** Whether the scripted model answered; if absent, the conversation's value applies. */
  readonly offline?: boolean;
}

/** A step of the agent, a pass between steps, or a summary of a whole session. */
export type TurnItem =
  | {
      readonly type: 'step';
      readonly step: number;
      /** Markdown, untrusted. */
      readonly text: string;
      /** The model's thinking before its answer; absent for none. */
      readonly thinking?: ThinkingView;
      readonly tools: readonly ToolView[];
    }
  | {
      readonly type: 'pass';
      readonly number: number;
      /** The same name as in the Context panel. */
      readonly name: string;
      readonly trigger: string;
      readonly beforeTokens: number;
      /** The excerpts it shows: "47 lines of 2 files"; absent for none. */
      readonly shows?: string;
      readonly afterTokens: number;
      readonly exact: boolean;
      readonly undone?: true;
    }
  /** A prompt sent while the agent worked. */
  | {
      readonly type: 'said';
      /** Its position among the items of the turn, counted from 1. */
      readonly number: number;
      readonly text: string;
      /** Names of its attachments; absent for none. */
      readonly attached?: readonly string[];
    }
  | {
      readonly type: 'summary';
      /** Its position among the items of the turn, counted from 1. */
      readonly number: number;
      /** The session it came from; absent if it is of this session. */
      readonly from?: string;
      /** "by claude-x", or why it is a work note; absent if it came from another session. */
      readonly writtenBy?: string;
      /** Plain text, untrusted. */
      readonly text: string;
    };

export interface ThinkingView {
  /** Plain text, untrusted, cut at 20,000 characters; '' if the API returned none. */
  readonly text: string;
  /** Counted by the API; absent if it did not say. */
  readonly tokens?: number;
}

export interface ToolView {
  readonly toolUseId: string;
  readonly name: string;
  readonly kind: CallKind;
  /** "read_file src/a.js 1-40". */
  readonly label: string;
  /** The file or folder it names; absent for none. */
  readonly path?: string;
  /** It runs, and can be moved to the background. */
  readonly isMovable?: true;
  /** A command that is only started. */
  readonly isBackground?: true;
  /** The arguments as indented JSON, cut at 4,000 characters. */
  readonly argumentsText: string;
  /** The diff of an edit: lines with ' ', '+' or '-' in front, cut at 400; untrusted. */
  readonly diff?: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'denied' | 'stopped';
  /** The last lines of a failed command's output; absent for none. */
  readonly tail?: readonly string[];
  /** For a command that ran tests: "9 failed", "60 passed"; absent if its output does not say. */
  readonly tests?: string;
  /** For a sub-agent: its steps so far, and the tokens of its newest request, as counted. */
  readonly subAgent?: { readonly steps: number; readonly tokens?: number };
  /** Why it failed or was denied, in a line: "exit code 1", the user's note. */
  readonly why?: string;
  /** What a command did to files that outlast the session, in a sentence. */
  readonly lasting?: string;
  /** The approval rules that let it run, in words. */
  readonly allowedBy?: readonly string[];
  readonly elapsedMs?: number;
  /** Length of the whole result in characters; its text is fetched on demand. */
  readonly resultChars?: number;
}

/** The difference between two conversations. */
export interface ConversationPatch extends FieldPatch<Omit<Conversation, 'turns'>> {
  /** The number of turns now. */
  readonly turnCount: number;
  /** The new and changed turns with their positions. */
  readonly turns: readonly TurnPatch[];
}

export type TurnPatch =
  | { readonly at: number; readonly put: TurnView }
  | ({ readonly at: number; readonly items: ListPatch<TurnItem> } & FieldPatch<TurnHead>);

/** A turn without its items. */
export type TurnHead = Omit<TurnView, 'items'>;

/**
 * What the host tells the Agent view. A conversation is sent whole, with a number, and then as
 * patches: a patch applies to the conversation with the previous number.
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
   * text replaces the text so far: after a retry, or when a view has just opened.
   */
  | {
      readonly type: 'replyStreamed';
      readonly step: number;
      readonly text: string;
      readonly whole?: boolean;
    }
  /** More of the model's thinking before its answer; `step` and `whole` as for its reply. */
  | {
      readonly type: 'thinkingStreamed';
      readonly step: number;
      readonly text: string;
      readonly whole?: boolean;
    }
  /** More of a running tool's output, or with `whole` all of it so far. */
  | {
      readonly type: 'toolOutputStreamed';
      readonly toolUseId: string;
      readonly text: string;
      readonly whole?: boolean;
    }
  /** A prompt from elsewhere in the editor that was not sent: it belongs in the composer. */
  | { readonly type: 'promptOffered'; readonly text: string }
  | WishAnswered;

/** What one turn used. */
export interface UsageView {
  /** All prompts of the turn together, cached or not. */
  readonly inputTokens: number;
  /** The part of `inputTokens` that was read from the prompt cache. */
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** "$0.0123", "≈ $0.0123", "no charge (offline)", or "price unknown". */
  readonly cost: string;
  /** The server does not count reliably, so these numbers are estimates. */
  readonly isEstimate?: true;
  readonly elapsedMs: number;
}

/** The question how to continue a session that was idle for longer than its time to live. */
export interface ReturnView {
  /** "Idle 30 days, 140,000 tokens, 31 files changed since (git and file times)." */
  readonly sentence: string;
  /** "The prompt cache is cold: sending 251,000 tokens costs ≈ $0.94, from a summary ≈ $0.31." */
  readonly cost?: string;
  /** Some of the changed files, those the agent knew first. */
  readonly files: readonly ReturnFile[];
  /** How many more there are. */
  readonly moreFiles: number;
  /** The user has answered, and the answer is being carried out. */
  readonly isAnswered: boolean;
}

/** The question whether to compact first, since the prompt cache is cold. */
export interface ColdPassView {
  readonly proposedPassId: number;
  /** "The prompt cache is cold: sending 251,000 tokens costs ≈ $0.94, compacted first ≈ $0.31." */
  readonly cost: string;
}

/** A file that changed while a session was idle; `isGone`: it was deleted. */
export interface ReturnFile {
  readonly path: string;
  readonly isGone: boolean;
  readonly isKnown: boolean;
}
