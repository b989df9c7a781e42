import type { RecordableAgent } from '../../recordings/captures/captureStore';
import type { Exactness } from '../../recordings/windowOrigin';

/**
 * Why queued prompts are held: the user stopped the turn; the turn ended early; the user opened
 * another session or the window reloaded; a problem prevented sending; the question about an idle
 * session is open.
 */
export type HoldReason = 'stopped' | 'ended' | 'left' | 'refused' | 'question';

export interface Problem {
  readonly message: string;
  readonly action?: HelpingAction;
}

/** A problem of a setting, with buttons that help. */
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

/**
 * The server has sent nothing since then; the request is repeated at `until`, absent for no limit.
 */
export interface Silence {
  readonly since: number;
  readonly until?: number;
}

export type Activity =
  | { readonly state: 'idle' }
  | {
      readonly state: 'asking';
      readonly since: number;
      readonly note?: string;
      /** Present while the server sends nothing. */
      readonly silence?: Silence;
    }
  /**
   * The request failed for a temporary reason, given in `message`, and is retried at `until`: try
   * number `attempt` of `tries`.
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
  /** A pass waits for review in the Context panel. */
  | { readonly state: 'awaitingReview' }
  | { readonly state: 'stopping' };

/** A question to the user: whether the agent may do something, or what it wants to know. */
export interface ApprovalView {
  readonly toolUseId: string;
  readonly kind:
    | 'edit'
    | 'create'
    | 'command'
    | 'input'
    | 'memory'
    | 'move'
    | 'delete'
    | 'fetch'
    | 'tool'
    | 'question';
  /** The action: "Edit", "Create", "Run a command". */
  readonly title: string;
  /** The sub-agent that asks; absent for the agent itself. */
  readonly by?: string;
  /**
   * The command, path, address, tool input or question, character by character; for a move, both
   * paths.
   */
  readonly subject: string;
  /** For a question: the answers on offer. */
  readonly answers?: readonly string[];
  /** For memory: the whole text that the agent would follow. */
  readonly text?: string;
  /** What the file does beyond this session, in a sentence: instructions, hooks and others. */
  readonly lasting?: string;
  /** The file has unsaved changes in the editor, which the edit would save. */
  readonly unsaved?: true;
  /** The rules on offer, each named by its index. */
  readonly choices?: readonly RuleChoiceView[];
  /** What a command may destroy, as a sentence. */
  readonly danger?: string;
  /** Why no rule can answer it, as a sentence. */
  readonly whyAsked?: string;
  /** Edits of other files in the same reply, which the same answer can cover. */
  readonly further?: readonly FurtherEditView[];
  /** The user edited the proposal in its diff: Allow writes their version. */
  readonly revised?: true;
  /** For edits: lines added and removed. */
  readonly added?: number;
  readonly removed?: number;
  /** For edits: the first changed lines, each with '+' or '-' in front. */
  readonly firstLines?: readonly string[];
}

/** A rule on offer. */
export interface RuleChoiceView {
  readonly text: string;
  /** What the rule covers, as a sentence, if the text does not say it. */
  readonly means?: string;
}

/** An edit that can be answered along with another of the same reply. */
export interface FurtherEditView {
  readonly toolUseId: string;
  readonly kind: 'edit' | 'create';
  /** The path, character by character. */
  readonly subject: string;
  readonly added?: number;
  readonly removed?: number;
}

/** The sessions before and after a handover; absent if there are none. */
export interface SessionLinks {
  /** The session that handed its work over to this one. */
  readonly from?: LinkedSession;
  /** The sessions this one handed its work over to, oldest first. */
  readonly to: readonly LinkedSession[];
}

/** Another session, with its title at the time of the handover. */
export interface LinkedSession {
  readonly session: string;
  readonly title: string;
  /** Its log was deleted. */
  readonly isGone: boolean;
}

/** A window of the session: its own, or a sub-agent's. */
export interface WindowView {
  /** The call that started the sub-agent; absent for the session's own. */
  readonly toolUseId?: string;
  /** The sub-agent's name; absent for the session's own. */
  readonly name?: string;
  /** Tokens of its newest request, as counted; absent before its first reply. */
  readonly tokens?: number;
  readonly isAtWork?: boolean;
  readonly isShown: boolean;
}

/** Whether the agent of a recording records its requests for Plimsoll. */
export interface RecordsView {
  /** The key of the agent. */
  readonly agent: RecordableAgent;
  readonly isOn: boolean;
  /** Says since when, and from when on windows are exact; absent while it is off. */
  readonly words?: string;
}

export type SourceView =
  | { readonly type: 'session' }
  | {
      readonly type: 'recording';
      /** Name of the file; of the sub-agent for the format `subAgent`. */
      readonly file: string;
      readonly format: string;
      /** Whether the panel follows the file while it grows. */
      readonly following: boolean;
      /**
       * A session of Plimsoll's own: its passes, decisions and requests are those it had. Absent for a
       * replay, which makes its own.
       */
      readonly asItWas?: true;
      /** Its log has no pass that says what its policy was. */
      readonly policyUnknown?: true;
      /** Whether its windows are exact; absent for a session of Plimsoll shown as it was. */
      readonly origin?: string;
      /** The same in a word or two; absent with `origin`. */
      readonly exactness?: Exactness;
      /** Whether its agent records its requests; absent for an agent that cannot be made to. */
      readonly records?: RecordsView;
      /**
       * What it lacks of its agent's requests, in one sentence; absent if nothing is known to be
       * missing.
       */
      readonly lacks?: string;
      /** Settings or recorded values that are ignored for it, and why; absent if none are. */
      readonly setAside?: string;
      /** What was skipped or repaired when it was read; one sentence each. */
      readonly notes: readonly string[];
    };

/** The cost of a session, by the numbers of the Context panel. */
export interface CostsView {
  /** Of the newest turn: "$0.0123", "no charge (offline)", or "price unknown". */
  readonly turn: string;
  /** Of the session, in the same words. */
  readonly session: string;
  /** Present for a fork. */
  readonly fork?: ForkCosts;
  /**
   * Share of all billed input tokens that were read from the cache, 0..1; null before the first.
   */
  readonly cacheReadShare: number | null;
  /** The tokens that passes removed; absent if none ran. */
  readonly saved?: { readonly passes: number; readonly tokens: number; readonly exact: boolean };
}

/** Activity in other sessions. */
export interface ElsewhereView {
  /** "Another session waits for your answer · 2 other sessions are at work". */
  readonly words: string;
  readonly isWaiting: boolean;
}

export interface BilledTokens {
  readonly fresh: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** Sums over a session; in a replay the cost is what Plimsoll would have paid. */
export interface TimelineTotals extends SessionBill {
  readonly passes: number;
  /** Number of changes by hand. */
  readonly changes: number;
  /** How often removed content was needed again: recalled, read again, or restored. */
  readonly refaults: number;
}

/** The cost of a session, with all that it consists of. */
export interface SessionBill extends BillView {
  /** For a recording: what its own agent paid, from the usage in the file. */
  readonly recordedBill?: BillView | undefined;
  /** Present for a fork. */
  readonly fork?: ForkCosts | undefined;
}

/** The parts of a fork's cost, in the words of `BillView.cost`. */
export interface ForkCosts {
  /** For the steps it took over. */
  readonly inherited: string;
  /** For its own steps. */
  readonly spent: string;
}

/** The cost of a whole session. */
export interface BillView {
  /**
   * Share of all billed input tokens that were read from the cache, 0..1; null before the first.
   */
  readonly cacheReadShare: number | null;
  /** "$1.84", "≈ $1.84", "at least $1.84", "no charge (offline)", "price unknown". */
  readonly cost: string;
}

/** An approval rule. */
export interface ApprovalRuleView {
  /** Names it in a wish. */
  readonly name: string;
  readonly decision: 'allow' | 'deny';
  /** "npm run *", "edits in the workspace". */
  readonly subject: string;
  /** "in this session", "in this workspace", "always". */
  readonly where: string;
  /** Its author, by the system's name. */
  readonly by?: string;
  /** Its date, ms since the epoch. */
  readonly at?: number;
}
