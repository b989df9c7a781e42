import type { ListPatch } from '../../patch';
import type { BilledTokens, TimelineTotals } from '../../session/state';

/**
 * How the window filled, step by step; every number belongs to the request that a step answered.
 */
export interface TimelineView {
  readonly points: readonly TimelinePoint[];
  readonly totals: TimelineTotals;
  readonly pace: readonly PaceLevel[];
}

/** How the steps went whose windows were about equally full. */
export interface PaceLevel {
  /**
   * At most this full, in percent of the input budget, and fuller than the level before it; the last
   * level also has those over the budget.
   */
  readonly upTo: number;
  readonly steps: number;
  /** Median time until the first part of a reply, and of whole replies; ms, null if unknown. */
  readonly firstTokenMs: number | null;
  readonly replyMs: number | null;
  readonly calls: number;
  readonly failedCalls: number;
  /** Calls that an earlier step had made with the same result. */
  readonly repeatedCalls: number;
  /** How often removed content was needed again. */
  readonly neededAgain: number;
}

/** The difference from the previous timeline. */
export interface TimelinePatch {
  readonly points: ListPatch<TimelinePoint>;
  readonly totals: TimelineTotals;
  readonly pace: readonly PaceLevel[];
}

/** One step. */
export interface TimelinePoint {
  readonly step: number;
  readonly turn: number;
  readonly model: string;
  /** Tokens of the request by tier; they add up to the size of the window. */
  readonly system: number;
  readonly archive: number;
  readonly working: number;
  /** The summaries' share of the archive; absent if there are none, or if it is unknown. */
  readonly summary?: number;
  /** False if the tokens are estimates. */
  readonly exact: boolean;
  /** The estimate of a request minus the API's later count, in tokens. */
  readonly drift?: number;
  /** For a recording: tokens of its own agent's request, by its server's count. */
  readonly recordedTokens?: number;
  /**
   * Input tokens by price, side requests included; null if the API reported none. In a replay: those
   * of Plimsoll's own request, with a simulated cache.
   */
  readonly billed: BilledTokens | null;
  /**
   * US dollars at list price, including side requests: 0 for the scripted model, null if unknown.
   * In a replay: what Plimsoll would have paid.
   */
  readonly cost: number | null;
  /** The server does not count reliably. */
  readonly isEstimatedCost?: true;
  /** It is a replay, so it was never billed. */
  readonly simulated?: true;
  /** For a recording: its own agent's charge; absent if not recorded. */
  readonly recordedBill?: RecordedBill;
  /** The budget of the request, in tokens. */
  readonly budget: BudgetLevels;
  /** Events before or in this step, in words, in order. */
  readonly marks: readonly TimelineMark[];
}

/** The budget at a step, in tokens. */
export interface BudgetLevels {
  readonly inputBudget: number;
  readonly highTokens: number;
  readonly lowTokens: number;
  /** The log does not hold the budget, so this is today's. */
  readonly ofToday?: true;
}

/** The recorded agent's charge for a step. */
interface RecordedBill {
  readonly billed: BilledTokens;
  /** US dollars at list price; null if unknown. */
  readonly cost: number | null;
}

export interface TimelineMark {
  readonly kind: MarkKind;
  /** The beginning of a sentence, without a full stop: "Pass 2: 17,924 → 10,011 tokens". */
  readonly words: string;
  /** "pass 2"; only for `pass` and `change`. */
  readonly name?: string;
}

/** `change`: the user changed a block by hand; `compacted`: the recorded agent's own compaction. */
export type MarkKind =
  'pass' | 'change' | 'undo' | 'recall' | 'error' | 'overflow' | 'model' | 'compacted';
