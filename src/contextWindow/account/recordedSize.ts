import type { Block, BlockId } from '../block';
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

/** How many blocks at the beginning of a window are the same as in another one, and of the same size. */
export function sameBlocks(before: ContextWindow, window: ContextWindow): number {
  const [former, blocks] = [blocksInWindow(before), blocksInWindow(window)];
  const changed = changedSizes(before, window);
  if (changed === undefined) return 0;
  let same = 0;
  while (same < blocks.length && blocks[same] === former[same]) same += 1;
  // Sizes change at the end as a rule, so they are looked for from there.
  for (let at = blocks.length - 1; changed.size > 0 && at >= 0; at -= 1) {
    if (changed.delete((blocks[at] as Block).id)) same = Math.min(same, at);
  }
  return same;
}

/** The blocks whose sizes changed; undefined if that is not known. */
function changedSizes(before: ContextWindow, { recorded }: ContextWindow): Set<string> | undefined {
  const [former, sizes] = [before.recorded?.sizes, recorded?.sizes];
  if (former === sizes) return new Set();
  if (former === undefined || sizes === undefined) return undefined;
  const changed = sizes.changedSince(former);
  if (changed === undefined) return undefined;
  const parts = new Set<string>(changed);
  for (const part of ['tools', 'system', 'unrecorded']) parts.delete(part);
  return parts;
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
