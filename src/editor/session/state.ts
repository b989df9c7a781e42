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
  /** Why no rule can answer it, as a sentence. */
  readonly whyAsked?: string;
  /** Edits of other files in the same reply, which the same answer can cover. */
  readonly further?: readonly FurtherEditView[];
  /** The user edited the proposal in its diff: Allow writes their version. */
  readonly revised?: true;
  /** For edits: lines added and removed. */
  readonly added?: number;
  readonly removed?: number;
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
