import type { Block } from '../contextWindow/block';
import { isInWindow } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';
import { weighBlock } from '../contextWindow/measure';
import { notesOf, preambleOf } from '../contextWindow/request';
import type { Estimate } from '../contextWindow/truncate';

/**
 * Measures how much of each request stood at the start of the one before. Blocks are immutable
 * values, so the same value in the same place means the same bytes.
 */
export class PrefixReuse {
  #before: readonly Block[] = [];
  #head = '';
  #headTokens = 0;
  readonly #weights = new WeakMap<Block, number>();

  constructor(private readonly estimate: Estimate) {}

  /** Takes the window of the next request; answers the share, 0..1, that was there before. */
  next(window: ContextWindow): number {
    const blocks = window.blocks.filter(isInWindow);
    const head = JSON.stringify([preambleOf(window.preamble), notesOf(window)]);
    const isSameHead = head === this.#head;
    if (!isSameHead) this.#headTokens = this.estimate(head);
    const changed = blocks.findIndex((block, index) => block !== this.#before[index]);
    const kept = changed === -1 ? blocks.length : changed;
    this.#before = blocks;
    this.#head = head;
    const total = this.#weigh(blocks) + this.#headTokens;
    const same = isSameHead ? this.#weigh(blocks.slice(0, kept)) + this.#headTokens : 0;
    return same / Math.max(1, total);
  }

  #weigh(blocks: readonly Block[]): number {
    return blocks.reduce((sum, block) => sum + this.#weightOf(block), 0);
  }

  #weightOf(block: Block): number {
    const known = this.#weights.get(block);
    if (known !== undefined) return known;
    const weight = weighBlock(block, this.estimate);
    this.#weights.set(block, weight);
    return weight;
  }
}
