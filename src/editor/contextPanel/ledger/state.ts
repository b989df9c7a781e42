import type {
  Action,
  Amount,
  PolicyName,
  SalienceFactors,
  Trigger,
} from '../../../contextWindow/plan';
import type { RungGain, RungName } from '../../../contextWindow/passes/rungGains';
import type { ExcerptsView, ShownSizeView } from '../files/state';

/** What was decided for one block, and why. */
export interface DecisionView {
  readonly blockId: string;
  readonly label: string;
  readonly action: Action;
  readonly reason: string;
  readonly before: Amount;
  readonly after: Amount;
  readonly salience?: SalienceFactors;
}

/** A pass that ran. */
export interface PassView {
  /** Identifies it; `name` is what is shown. */
  readonly number: number;
  /** "Pass 3", or "Change 2" for one by hand: the two are counted apart. */
  readonly name: string;
  readonly beforeStep: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly undone: boolean;
  /** Why it cannot be undone (any more); absent when it can. */
  readonly whyNotUndone?: string;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly highTokens: number;
  readonly inputBudget: number;
  /** Every changed block once; the tokens add up to what the pass freed. */
  readonly rungs: readonly RungGain[];
  /** Blocks it changed and blocks it kept; the decisions themselves are fetched. */
  readonly changed: number;
  readonly kept: number;
  /** What it shows of the files in work, fetched on demand; absent for nothing. */
  readonly shows?: ShownSizeView;
  /** What the user did to which block; only for a pass by hand. */
  readonly byHand?: DecisionView;
  /** What a model was asked for its summaries; absent where none was, or the log does not say. */
  readonly exchanges?: readonly ExchangeView[];
  readonly rewrittenTokens: number;
  /**
   * US dollars that writing the prefix again costs more, at the list price of the model it ran
   * under; null where no price is known, `offline` where nothing is charged.
   */
  readonly rewriteCost: number | 'offline' | null;
  /** Cache tokens that the API reported for the first request after it; absent before that. */
  readonly measured?: { readonly cacheRead: number; readonly cacheWrite: number };
  readonly freedTokens: number;
  /** Null when the pass cannot pay for itself. */
  readonly breakEvenRequests: number | null;
  /** Counted until the pass has paid for itself, so that old passes stay as they are. */
  readonly requestsSince: number;
}

/** What a model was asked for a summary of a pass; both texts are opened on demand. */
export interface ExchangeView {
  readonly summaryId: string;
  /** How many blocks the summary stands for. */
  readonly covers: number;
  /** False where no answer came. */
  readonly hasAnswer: boolean;
}

/** What leaves next, or why nobody can say. */
export type NextView =
  /**
   * What would leave if a pass ran now: the one that is `due` before the next step, else the one the
   * user may ask for. `afterTokens` has each summary at its largest.
   */
  | ({
      readonly type: 'planned';
      readonly due: boolean;
      readonly afterTokens: number;
    } & LeavingView)
  /** A pass would run and take nothing, or nothing worth its price. */
  | { readonly type: 'nothing' }
  /** At a past step: what left by the passes that ran right after it; seldom more than one. */
  | ({ readonly type: 'ran'; readonly passes: readonly number[] } & LeavingView)
  /** It follows in a moment: for a long window everything else is told first. */
  | { readonly type: 'workingOut' }
  /** `message` is a sentence. */
  | { readonly type: 'notWorkedOut'; readonly message: string };

/** What leaves by one pass. */
export interface LeavingView {
  readonly blocks: number;
  readonly freedTokens: number;
  /** The view of files that a former pass showed leaves; it is no block of a rung here. */
  readonly formerExcerpts?: true;
  /** Every other block once. */
  readonly rungs: readonly { readonly rung: RungName; readonly blocks: number }[];
  /** What is shown of the files in work in its place; absent for nothing. */
  readonly shows?: Pick<ShownSizeView, 'lines' | 'files'>;
}

/** A pass as it would apply. */
export interface ReviewView {
  /** Sent back with the user's answer, so that it answers this proposed pass and no other. */
  readonly proposedPassId: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  readonly highTokens: number;
  readonly inputBudget: number;
  /** What would change; kept blocks are left out. */
  readonly decisions: readonly DecisionView[];
  readonly summaries: readonly ProposedSummaryView[];
  /** What it would show of the files in work; absent for nothing. */
  readonly shows?: ExcerptsView;
}

/** A summary that would stand for `covers` blocks, to be read and edited. */
export interface ProposedSummaryView {
  readonly id: string;
  readonly covers: number;
  readonly text: string;
  /** "written by claude-haiku-4-5", or that it is a work note and why. */
  readonly writtenBy: string;
}

/** A plan, drawn before it runs: nothing has changed yet. */
export interface PlanView {
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly before: Amount;
  /** With each summary at its largest. */
  readonly after: Amount;
  readonly target: number;
  readonly rungs: readonly RungGain[];
  /** What would change. */
  readonly decisions: readonly DecisionView[];
  /** What would stay, each with the reason. */
  readonly kept: readonly DecisionView[];
  /** What would be shown of the files in work; absent for nothing. */
  readonly shows?: ExcerptsView;
  /** True where that is what the log knows of the files, and not read from the disk. */
  readonly filesByLog?: boolean;
  /** Why nothing would leave; absent where something would. */
  readonly whyNothing?: string;
}
