import type { BlockId } from '../block';
import { blocksInWindow, type ContextWindow } from '../window';

/** Tokens of a part, with those counted by the recording's API but missing from its file. */
export interface SizedWeight {
  readonly tokens: number;
  readonly unrecorded?: number;
}

/** Corrects an estimate by the counts of a recorded API, if they cover the part. */
export function sized(estimated: number, size: RecordedSize | undefined): SizedWeight {
  if (size === undefined) return { tokens: estimated };
  const { unrecorded, share = 1 } = size;
  const tokens = Math.round(estimated * share) + unrecorded;
  return unrecorded === 0 ? { tokens } : { tokens, unrecorded };
}

/**
 * Says whether a window of this many tokens is exactly as large as the recorded API's last count.
 */
export function isAsRecorded({ recorded, blocks }: ContextWindow, tokens: number): boolean {
  return recorded?.tokens === tokens && recorded.blocks === blocks.length;
}

/** The window's unrecorded tokens: counted by the recording's API but missing from its file. */
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

/** A part of a request whose size follows from the counts of a recorded API. */
export type RecordedPart = 'tools' | 'system' | 'unrecorded' | BlockId;

/**
 * In a replay: the size of one part by the recorded API's counts. It is the difference of two
 * counts if only this part came in between, else computed so that all parts add up to a count.
 */
export interface RecordedSize {
  readonly part: RecordedPart;
  /**
   * Tokens missing from the file: thinking and injected text; for `unrecorded`, which has no text
   * at all, everything.
   */
  readonly unrecorded: number;
  /** Counted tokens of the recorded text as a share of the estimate, 0..1; absent for 1. */
  readonly share?: number;
}
