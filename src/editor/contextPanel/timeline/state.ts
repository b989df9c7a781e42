import type { ListPatch } from '../../patch';

/**
 * How the window filled, step after step; every number belongs to the request that a step answered.
 */
export interface TimelineView {
  readonly points: readonly TimelinePoint[];
  readonly totals: TimelineTotals;
}

/** What differs from the timeline before. */
export interface TimelinePatch {
  readonly points: ListPatch<TimelinePoint>;
  readonly totals: TimelineTotals;
}

/** One step. */
export interface TimelinePoint {
  readonly step: number;
  readonly turn: number;
  readonly model: string;
  /** Tokens of the request by tier; they add up to what was in the window. */
  readonly system: number;
  readonly archive: number;
  readonly working: number;
  /** What summaries take of the archive; absent where there is none, or where it is not known. */
  readonly summary?: number;
  /** False where the tokens are estimates. */
  readonly exact: boolean;
  /** The estimate of a request minus the API's later count, in tokens. */
  readonly drift?: number;
  /** For a recording: what its own agent's request held by its server's count, in tokens. */
  readonly recordedTokens?: number;
  /**
   * Input tokens by price; null where nobody reported them. Of a replay: what Plimsoll's own request
   * would have taken, with a simulated cache.
   */
  readonly billed: BilledTokens | null;
  /**
   * US dollars at list price, including side requests: 0 where the scripted model answered, null
   * where it is not known. Of a replay: what Plimsoll would have paid.
   */
  readonly cost: number | null;
  /** Nobody was billed: it is a replay. */
  readonly simulated?: true;
  /** For a recording: what its own agent was charged; absent where nobody reported it. */
  readonly recordedBill?: RecordedBill;
  /** What the request had to fit, in tokens. */
  readonly budget: BudgetLevels;
  /** What happened before or in this step, in words, in order. */
  readonly marks: readonly TimelineMark[];
}

/** The budget in force at a step, in tokens. */
export interface BudgetLevels {
  readonly inputBudget: number;
  readonly highTokens: number;
  readonly lowTokens: number;
  /** The log does not say what it was, so this is today's. */
  readonly ofToday?: true;
}

/** What the agent of a recording was charged for a step. */
export interface RecordedBill {
  readonly billed: BilledTokens;
  /** US dollars at list price; null where that is not known. */
  readonly cost: number | null;
}

export interface BilledTokens {
  readonly fresh: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

export interface TimelineMark {
  readonly kind: MarkKind;
  /** The beginning of a sentence, without a full stop: "Pass 2: 17,924 → 10,011 tokens". */
  readonly words: string;
  /** "pass 2"; only for `pass` and `change`. */
  readonly name?: string;
}

/** `change`: the user changed a block by hand; `compacted`: the recorded agent made room itself. */
export type MarkKind =
  'pass' | 'change' | 'undo' | 'recall' | 'error' | 'overflow' | 'model' | 'compacted';

/** Sums over a session; what was paid is of a replay what Plimsoll would have paid. */
export interface TimelineTotals extends BillView {
  readonly passes: number;
  /** What the user changed by hand. */
  readonly changes: number;
  /** Times what the window no longer held was needed again: recalled, read again, or restored. */
  readonly refaults: number;
  /** For a recording: what its own agent paid, by the usage in the file. */
  readonly recordedBill?: BillView;
}

/** What a whole session cost. */
export interface BillView {
  /**
   * Share of all billed input tokens that were read from the cache, 0..1; null before the first.
   */
  readonly cacheReadShare: number | null;
  /** "$1.84", "≈ $1.84", "at least $1.84", "no charge (offline)", "price unknown". */
  readonly cost: string;
}
