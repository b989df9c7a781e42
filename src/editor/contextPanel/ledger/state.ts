import type {
  Action,
  Amount,
  PolicyName,
  SalienceFactors,
  Trigger,
} from '../../../contextWindow/plan';
import type { RungGain } from '../../../contextWindow/passes/rungGains';
import type { PassPrice } from '../../../contextWindow/account/passPrice';
import type { ExcerptsView, ShownSizeView } from '../files/state';

/** The decision for one block, with its reason. */
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
  /** Identifies it; the page shows `name`. */
  readonly number: number;
  /** "Pass 3", or "Change 2" for one by hand: they are counted separately. */
  readonly name: string;
  readonly beforeStep: number;
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly undone: boolean;
  /** Why it cannot be undone; absent if it can. */
  readonly whyNotUndone?: string;
  readonly before: Amount;
  readonly after: Amount;
  readonly target: number;
  /** What it aims at, what it reaches, and why not less; '' if it aims at no number. */
  readonly reach: string;
  readonly highTokens: number;
  readonly inputBudget: number;
  /** Each changed block once; the tokens add up to what the pass freed. */
  readonly rungs: readonly RungGain[];
  /** Number of changed and kept blocks; the page fetches the decisions. */
  readonly changed: number;
  readonly kept: number;
  /** Size of its excerpts, which the page fetches; absent if it shows none. */
  readonly shows?: ShownSizeView;
  /** The user's change of one block; only for a pass by hand. */
  readonly byHand?: DecisionView;
  /** What models were asked for its summaries; absent if none were, or the log does not say. */
  readonly exchanges?: readonly ExchangeView[];
  /** What it cost and what it has saved; absent if the log has lost the pass. */
  readonly price?: PriceView;
  /** What the API counted after it, or after its undo, next to the estimate; absent before that. */
  readonly counted?: CountedView;
  /** Cache tokens that the API reported for the first request after it; absent before that. */
  readonly measured?: { readonly cacheRead: number; readonly cacheWrite: number };
}

/** A count of the window after a change. */
export interface CountedView {
  /** Whether the count differs from the estimate. */
  readonly isOther: boolean;
  /** "The API counted 13,290 tokens after it, 50 more than estimated." */
  readonly text: string;
}

/** The price of a pass, with the sentences about it. */
export interface PriceView extends PassPrice {
  /** "Cost: $0.021 (summary $0.019, cache $0.002). Repaid since step 37." */
  readonly text: string;
}

/** The request for a summary of a pass and its answer; the page opens both on demand. */
export interface ExchangeView {
  readonly summaryId: string;
  /** Number of blocks that the summary replaces. */
  readonly covers: number;
  /** False if no answer came. */
  readonly hasAnswer: boolean;
}

/** What a summary was found to state, to have dropped, and to have kept for later work. */
export interface SummaryFindingsView {
  /** What the check of each summary found; a sentence or more. */
  readonly checked: readonly string[];
  /** Texts that were removed from a summary. */
  readonly removed: readonly { readonly text: string; readonly why: string }[];
  /** "Not in the summary: 2 prompts, 1 decision."; '' for nothing. */
  readonly droppedText: string;
  readonly dropped: readonly {
    readonly kind: string;
    readonly blockId: string;
    readonly text: string;
  }[];
  /** "Needed later: 12 names that the summary kept, and 1 that it had dropped."; '' for nothing yet. */
  readonly usedText: string;
  readonly needed: readonly { readonly step: number; readonly text: string }[];
}

/** What is removed next, or why that is unknown. */
export type NextView =
  /**
   * What a pass would remove now: the one that is `due` before the next step, else Compact Now.
   * `afterTokens` assumes summaries of maximum size.
   */
  | ({
      readonly type: 'planned';
      readonly due: boolean;
      readonly afterTokens: number;
    } & LeavingView)
  /** A pass would remove nothing, or nothing worth its price. */
  | { readonly type: 'nothing' }
  /** At a past step: what the passes right after it removed; seldom more than one. */
  | ({ readonly type: 'ran'; readonly passes: readonly number[] } & LeavingView)
  /** It follows in a moment: for a long window the rest of the state is sent first. */
  | { readonly type: 'workingOut' }
  /** `message` is a sentence. */
  | { readonly type: 'notWorkedOut'; readonly message: string };

/** What one pass removes. */
export interface LeavingView {
  readonly blocks: number;
  /** Some of them stay in part: without their thinking, or with head and tail. */
  readonly shortens: boolean;
  readonly freedTokens: number;
  /** The blocks that lose most, largest first; at most three. */
  readonly largest: readonly LeavingBlockView[];
}

/** A block that a pass removes, whole or in part. */
export interface LeavingBlockView {
  readonly blockId: string;
  readonly label: string;
  /** How much the pass removes of it. */
  readonly tokens: Amount;
}

/** A pass that has not run. */
interface PassNumbers {
  readonly trigger: Trigger;
  readonly policy: PolicyName;
  readonly before: Amount;
  /** Assumes summaries of maximum size where they are not written yet. */
  readonly after: Amount;
  readonly target: number;
  /** What it aims at, what it reaches, and why not less; '' if it aims at no number. */
  readonly reach: string;
  /** The changes, without kept blocks. */
  readonly decisions: readonly DecisionView[];
  /** Its excerpts; absent if it shows none. */
  readonly shows?: ExcerptsView;
}

/** A pass that waits for review. */
export interface ReviewView extends PassNumbers {
  /** Sent back with the user's answer, so that the answer applies to this plan only. */
  readonly proposedPassId: number;
  /** Constant while the pass is planned again around spared blocks. */
  readonly reviewId: number;
  /** The pass is being planned again: it cannot be answered yet. */
  readonly isPlanning: boolean;
  /** The blocks that the user spared. */
  readonly spared: readonly DecisionView[];
  /** Summaries that a model writes once the plan is applied; the pass is then shown again. */
  readonly toWrite: number;
  /** At a cold prompt cache: what the next request costs, as it is and compacted first. */
  readonly cold?: string;
  readonly highTokens: number;
  readonly inputBudget: number;
  readonly summaries: readonly ProposedSummaryView[];
}

/** A summary that would replace `covers` blocks, for the user to read and edit. */
export interface ProposedSummaryView {
  readonly id: string;
  readonly covers: number;
  readonly text: string;
  /** "written by claude-haiku-4-5", or that it is a work note and why. */
  readonly writtenBy: string;
  /** What its check found; '' for a work note. */
  readonly checked: string;
}

/** A plan that has not run: nothing has changed yet. */
export interface PlanView extends PassNumbers {
  readonly rungs: readonly RungGain[];
  /** The kept blocks, each with its reason. */
  readonly kept: readonly DecisionView[];
  /** True if the excerpts come from the log instead of the disk. */
  readonly filesByLog?: boolean;
  /** Why it would remove nothing; absent if it would remove something. */
  readonly whyNothing?: string;
}
