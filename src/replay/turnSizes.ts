import { measure } from '../contextWindow/account/measure';
import type { Budget } from '../contextWindow/budget';
import { blocksInWindow, type ContextWindow } from '../contextWindow/window';
import type { Estimate } from '../contextWindow/truncate';

/** One turn in a window without evictions: its prompt and its steps. */
interface TurnSize {
  readonly steps: number;
  /** Estimated, or counted by the recorded API. */
  readonly tokens: number;
}

/** The turns of one recording, oldest first. */
export interface RecordedTurns {
  readonly turns: readonly TurnSize[];
  /** Tokens that every request has: tools, system prompt, and unrecorded tokens. */
  readonly fixedTokens: number;
}

/** The distribution of numbers: nine in ten are at or below `p90`. */
export interface Spread {
  readonly count: number;
  readonly least: number;
  readonly median: number;
  readonly p90: number;
  readonly most: number;
}

/** The lengths of the turns in all recordings, and the limits that follow. */
export interface TurnReport {
  readonly turnsPerFile: Spread;
  readonly stepsPerTurn: Spread;
  readonly tokensPerTurn: Spread;
  /**
   * 0 if not even the newest turn nearly always fits; undefined if every recording fits whole and
   * needs no limit.
   */
  readonly keepRecentTurns?: number;
  /** 0 for no limit. */
  readonly maxHistoryTurns: number;
}

/** Weighs the turns of a window without evictions. */
export function turnsOf(window: ContextWindow, estimate: Estimate): RecordedTurns {
  const weights = new Map(
    measure(window, estimate).parts.map(({ part, tokens }) => [part, tokens] as const),
  );
  const turns = new Map<number, TurnSize>();
  for (const { id, turn, kind } of blocksInWindow(window)) {
    const { steps, tokens } = turns.get(turn) ?? { steps: 0, tokens: 0 };
    turns.set(turn, {
      steps: steps + (kind === 'step' ? 1 : 0),
      tokens: tokens + (weights.get(id) ?? 0),
    });
  }
  const fixed = ['tools', 'system', 'unrecorded'] as const;
  const fixedTokens = fixed.reduce((sum, part) => sum + (weights.get(part) ?? 0), 0);
  return { turns: [...turns.values()], fixedTokens };
}

/**
 * Reports the lengths of turns, and proposes two settings. Both follow from how many of the newest
 * turns fit at the end of each turn, where not all do.
 *
 * `keepRecentTurns`: this many fit below the low watermark at nine in ten of these ends, so that a
 * pass can nearly always keep them. `maxHistoryTurns`: no more fit below the high watermark at nine
 * in ten of these ends, so that the limit removes almost nothing that a pass would keep.
 */
export function turnReportOf(recordings: readonly RecordedTurns[], budget: Budget): TurnReport {
  const turns = recordings.flatMap((recording) => recording.turns);
  const atLow = recordings.flatMap((recording) => fittingTurns(recording, budget.lowTokens));
  const atHigh = recordings.flatMap((recording) => fittingTurns(recording, budget.highTokens));
  return {
    turnsPerFile: spreadOf(recordings.map((recording) => recording.turns.length)),
    stepsPerTurn: spreadOf(turns.map(({ steps }) => steps)),
    tokensPerTurn: spreadOf(turns.map(({ tokens }) => tokens)),
    ...(atLow.length === 0 ? {} : { keepRecentTurns: atShare(atLow, 0.1) }),
    maxHistoryTurns: atHigh.length === 0 ? 0 : Math.max(1, atShare(atHigh, 0.9)),
  };
}

/**
 * How many of the newest turns fit in a number of tokens at the end of each turn, for the ends
 * where not all turns before it do. Takes time in proportion to the turns.
 */
function fittingTurns({ turns, fixedTokens }: RecordedTurns, limit: number): readonly number[] {
  const fitting: number[] = [];
  let first = 0;
  let used = fixedTokens;
  for (const [last, { tokens }] of turns.entries()) {
    used += tokens;
    while (used > limit && first <= last) {
      used -= turns[first]?.tokens ?? 0;
      first += 1;
    }
    if (first > 0) fitting.push(last - first + 1);
  }
  return fitting;
}

function spreadOf(numbers: readonly number[]): Spread {
  return {
    count: numbers.length,
    least: atShare(numbers, 0),
    median: atShare(numbers, 0.5),
    p90: atShare(numbers, 0.9),
    most: atShare(numbers, 1),
  };
}

/** The smallest number that is not below this share of all of them. */
function atShare(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
