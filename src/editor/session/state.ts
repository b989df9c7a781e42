import type { ApprovalView } from '../approvals/state';

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
   * The request failed for a temporary reason, given in `message`, and is sent again at `until`:
   * try number `attempt` of `tries`.
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
