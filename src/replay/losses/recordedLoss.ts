import type { BlockId } from '../../contextWindow/block';
import type { Action, Amount } from '../../contextWindow/plan';
import type { LaterNeed } from './neededLater';
import type { KeptOfBlock, SummaryKeeps } from './summaryKeeps';

/** What the recorded agent did: a summary, cleared results, or content removed without a summary. */
export type LossKind = 'compacted' | 'cleared' | 'truncated';

/** One compaction, clearing or truncation of the recorded agent, and what it lost. */
export interface RecordedLoss {
  readonly kind: LossKind;
  /** Counted from 1 among those of its kind. */
  readonly ordinal: number;
  /** The step after it; one past the last step if none followed. */
  readonly beforeStep: number;
  readonly byUser?: true;
  /** Tokens of the requests before and after it, by its server's count; absent without one. */
  readonly before?: number;
  readonly after?: number;
  readonly removed: readonly LostBlock[];
  /** Blocks that it kept. */
  readonly kept: number;
  readonly summary?: { readonly tokens: Amount; readonly keeps: SummaryKeeps };
  readonly needed: readonly PricedNeed[];
  /** Files that the agent added in full, after the summary; absent for none. */
  readonly filesAdded?: number;
  /** Instruction files that were in the window before it, and not after it. */
  readonly instructions: readonly MissingInstruction[];
  /** What the next request wrote to the prompt cache because of it; absent if less than half. */
  readonly rewrite?: { readonly tokens: number; readonly usd: number | null };
}

/** An instruction file that a compaction removed; its first step without it is `beforeStep`. */
export interface MissingInstruction {
  readonly path: string;
  /** The last step without it; absent if it did not come back. */
  readonly until?: number;
}

/** A block of which content was removed. */
export interface LostBlock {
  readonly blockId: BlockId;
  readonly label: string;
  readonly action: Action;
  /** The blocks that left the window. */
  readonly tokens: Amount;
  /** What the summary kept of it; absent without a summary, or if it has no prompt and no file. */
  readonly inSummary?: KeptOfBlock;
}

/** Removed content that was needed again, and what that took. */
export interface PricedNeed extends Omit<LaterNeed, 'texts' | 'pass'> {
  /** An estimate: tokens that came into the window again; 0 for none. */
  readonly tokens: number;
  /** US dollars for writing them to the cache once; null if unknown. */
  readonly usd: number | null;
}

/** The losses up to a step, and the content that was needed again. */
export function lossesUntil(
  losses: readonly RecordedLoss[],
  until: number,
): readonly RecordedLoss[] {
  return losses
    .filter(({ beforeStep }) => beforeStep <= until)
    .map((loss) => ({
      ...loss,
      needed: loss.needed.filter(({ step }) => step <= until),
      instructions: loss.instructions.map((one) =>
        (one.until ?? 0) > until ? { path: one.path } : one,
      ),
    }));
}
