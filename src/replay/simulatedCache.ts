import { weighBlock } from '../contextWindow/account/guesses';
import { CACHE_HOUR_MS, CACHE_TTL_MS, idleMs } from '../contextWindow/account/promptCache';
import { sameBlocks, sized } from '../contextWindow/account/recordedSize';
import type { Block } from '../contextWindow/block';
import { preambleOf, scratchpadMessages } from '../contextWindow/request/request';
import type { Estimate } from '../contextWindow/truncate';
import { blocksInWindow, type ContextWindow, lastStable } from '../contextWindow/window';

/** Why a request wrote more than half of its window to the cache. */
export const REWRITE_CAUSES = ['first', 'expired', 'pass', 'changed'] as const;
export type RewriteCause = (typeof REWRITE_CAUSES)[number];

/** What the simulated cache did for one request; shares of its tokens, 0..1. */
export interface CacheShares {
  readonly read: number;
  /** Written for an hour; the rest, without what was read, for five minutes. */
  readonly hour: number;
  /** Present if more than half of the request was written. */
  readonly rewrite?: RewriteCause;
}

/** The last request. */
interface Before {
  readonly window: ContextWindow;
  readonly blocks: readonly Block[];
  /** The tokens before each block, and those of the whole. */
  readonly sums: readonly number[];
  readonly head: string;
  readonly model: string;
  readonly passes: number;
  /** How many of its blocks are kept for an hour; -1 if not even tools and system prompt are. */
  readonly hour: number;
}

/**
 * A prompt cache by the API's documented rules: a request reads the longest prefix it shares with
 * the last one, as long as that lives. Blocks are immutable values, so the same value at the same
 * position means the same bytes. Time is that of the recording; without it nothing expires.
 */
export class SimulatedCache {
  #before: Before | undefined;
  #heads = new Map<string, number>();
  readonly #weights = new WeakMap<Block, number>();

  constructor(private readonly estimate: Estimate) {}

  /** Records the next request, answered at `now` (ms since the epoch, 0 if unknown). */
  next(window: ContextWindow, now: number, model: string): CacheShares {
    const blocks = blocksInWindow(window);
    const head = this.#headOf(window);
    const passes = window.ledger.length;
    const before = this.#before;
    const isSameHead = before?.head === head && before.model === model;
    const same = before !== undefined && isSameHead ? sharedWith(before.blocks, blocks) : -1;
    const found = before === undefined ? -1 : foundOf(before, same, idleOf(window, now));
    const marked = hourBlocks(window, blocks);
    const sums = this.#sums(window, head);
    this.#before = {
      window,
      blocks,
      sums,
      head,
      model,
      passes,
      hour: marked > found ? marked : Math.min(before?.hour ?? -1, same),
    };
    const upTo = (count: number) => (count < 0 ? 0 : (sums[count] ?? 0));
    const total = Math.max(1, upTo(blocks.length));
    const read = upTo(found);
    return {
      read: read / total,
      hour: Math.max(0, upTo(marked) - read) / total,
      rewrite: read * 2 >= total ? undefined : causeOf(before, { found, same, passes, isSameHead }),
    };
  }

  /** Tools, system prompt and scratchpad as sent. */
  #headOf(window: ContextWindow): string {
    const former = this.#before;
    const isSame =
      former?.window.preamble === window.preamble &&
      former.window.shownScratchpad === window.shownScratchpad;
    if (isSame) return former.head;
    return JSON.stringify([preambleOf(window.preamble), scratchpadMessages(window)]);
  }

  /** The tokens before each block, and those of the whole; only what changed is added up again. */
  #sums(window: ContextWindow, head: string): readonly number[] {
    const unrecorded = window.recorded?.sizes.get('unrecorded')?.unrecorded ?? 0;
    const headTokens = this.#headTokens(head) + unrecorded;
    const before = this.#before;
    const known = before?.sums[0] === headTokens ? sameBlocks(before.window, window) : 0;
    const sums = before?.sums.slice(0, known + 1) ?? [];
    sums[0] = headTokens;
    for (const block of blocksInWindow(window).slice(known))
      sums.push((sums.at(-1) ?? 0) + this.#weigh(block, window));
    return sums;
  }

  #headTokens(head: string): number {
    const known = this.#heads.get(head);
    if (known !== undefined) return known;
    const tokens = this.estimate(head);
    this.#heads.clear();
    this.#heads.set(head, tokens);
    return tokens;
  }

  #weigh(block: Block, { recorded }: ContextWindow): number {
    return sized(this.#weightOf(block), recorded?.sizes.get(block.id)).tokens;
  }

  #weightOf(block: Block): number {
    const known = this.#weights.get(block);
    if (known !== undefined) return known;
    const weight = weighBlock(block, this.estimate);
    this.#weights.set(block, weight);
    return weight;
  }
}

function sharedWith(before: readonly Block[], blocks: readonly Block[]): number {
  const changed = blocks.findIndex((block, index) => block !== before[index]);
  return changed === -1 ? blocks.length : changed;
}

/** The blocks of the shared prefix that the cache still has; -1 for none. */
function foundOf({ hour }: Before, same: number, idle: number): number {
  if (idle <= CACHE_TTL_MS) return same;
  if (idle > CACHE_HOUR_MS) return -1;
  // An entry is found only where it ends: at its breakpoint, or after tools and system prompt.
  return hour <= same ? hour : Math.min(hour, same, 0);
}

function idleOf({ cache }: ContextWindow, now: number): number {
  return cache === undefined ? 0 : idleMs(cache, now);
}

/** The blocks of a request that are kept for an hour; -1 for none, 0 for tools and system prompt. */
function hourBlocks(window: ContextWindow, blocks: readonly Block[]): number {
  switch (window.cacheLife ?? '5m') {
    case '5m':
      return -1;
    case '1h':
      return blocks.length;
    case 'mixed':
      return blocks.findIndex(({ id }) => id === lastStable(window)) + 1;
  }
}

function causeOf(
  before: Before | undefined,
  now: {
    readonly found: number;
    readonly same: number;
    readonly passes: number;
    readonly isSameHead: boolean;
  },
): RewriteCause {
  if (before === undefined) return 'first';
  if (now.found < now.same) return 'expired';
  if (now.passes > before.passes) return 'pass';
  return 'changed';
}
