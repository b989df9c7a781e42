import type { BlockId } from '../block';
import { blocksInWindow, type ContextWindow } from '../window';

/** Tokens of a part, and how many of them the recorded API counted beyond what the file holds. */
export interface SizedWeight {
  readonly tokens: number;
  readonly unrecorded?: number;
}

/** Makes of an estimate what the counts of a recorded API say; the estimate where they say nothing. */
export function sized(estimated: number, size: RecordedSize | undefined): SizedWeight {
  if (size === undefined) return { tokens: estimated };
  const { unrecorded, share = 1 } = size;
  const tokens = Math.round(estimated * share) + unrecorded;
  return unrecorded === 0 ? { tokens } : { tokens, unrecorded };
}

/** Says whether a window of so many tokens is as large as the recorded API just counted it. */
export function isAsRecorded({ recorded, blocks }: ContextWindow, tokens: number): boolean {
  return recorded?.tokens === tokens && recorded.blocks === blocks.length;
}

/** Tokens of the window that the recorded API counted and the file of the recording does not hold. */
export function unrecordedTokens(window: ContextWindow): number {
  const { recorded, preamble } = window;
  const parts: readonly RecordedPart[] = [
    'tools',
    'system',
    'unrecorded',
    ...blocksInWindow(window).map(({ id }) => id),
  ];
  return parts.reduce(
    (sum, part) => sum + (recorded?.sizes.get(part)?.unrecorded ?? 0),
    preamble.unrecordedTokens ?? 0,
  );
}

/** A part of a request that the counts of a recorded API say something of. */
export type RecordedPart = 'tools' | 'system' | 'unrecorded' | BlockId;

/**
 * In a replay: what the counts of the recorded API say of one part. It is the difference of two
 * counts where the part alone came in between, else worked out so that all parts add up to a count.
 */
export interface RecordedSize {
  readonly part: RecordedPart;
  /**
   * Tokens counted beyond what the file holds of the part: thinking, injected text; for
   * `unrecorded`, which has no text at all, everything.
   */
  readonly unrecorded: number;
  /** Counted tokens of what the file holds as a share of the estimate, 0..1; absent for all of it. */
  readonly share?: number;
}
