import type { Amount } from '../../../contextWindow/plan';

/** What the compactions of a recorded agent lost, in sentences; there is at least one. */
export interface LossesView {
  /** All of them in one line. */
  readonly text: string;
  /** Why more may have been lost. */
  readonly limits: string;
  /** Newest first. */
  readonly cards: readonly LossView[];
}

/** One compaction, clearing or truncation of the recorded agent. */
export interface LossView {
  /** Identifies it; the page shows `name`. */
  readonly number: number;
  /** "Compaction 1". */
  readonly name: string;
  readonly beforeStep: number;
  /** The requests before and after it, by its server's count. */
  readonly size: string;
  /** What it did, what its summary kept, missing instructions, and its cost; each a sentence. */
  readonly sentences: readonly string[];
  /** Blocks of which content was removed; the page fetches them. */
  readonly blocks: number;
  /** Everything that was needed again, in a sentence. */
  readonly neededText: string;
  readonly needed: readonly NeedView[];
}

/** Removed content that was needed again. */
interface NeedView {
  readonly step: number;
  /** "Read again at step 14: src/a.ts (≈ 640 tokens, ≈ $0.002)". */
  readonly text: string;
}

/** The requests of a session that wrote most of their window to the prompt cache again. */
export interface CacheRewritesView {
  /** "98 of 4,212 requests made 68 % of all cache writes". */
  readonly text: string;
  /** One line for each cause, that of most tokens first. */
  readonly causes: readonly string[];
}

/** A block of which content was removed. */
export interface LostBlockView {
  readonly blockId: string;
  readonly label: string;
  /** The blocks that left the window. */
  readonly tokens: Amount;
  /** How much of it the summary kept; '' if that is not known. */
  readonly kept: string;
}
