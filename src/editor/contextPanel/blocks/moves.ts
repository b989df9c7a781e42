import type { Estimator } from '../../../agent/model';
import { textsAdded } from '../../../contextWindow/account/measure';
import { type Block, type BlockId, isInWindow } from '../../../contextWindow/block';
import type { NewEvent } from '../../../contextWindow/event';
import { whyNotBack } from '../../../contextWindow/passes/byHand';
import { movementOf, windowAfter } from '../../../contextWindow/passes/movement';
import type { Estimate } from '../../../contextWindow/truncate';
import { type ContextWindow, findBlock } from '../../../contextWindow/window';
import {
  anchorChange,
  blockChange,
  type Priced,
  pinChange,
  undoChange,
  type WindowChange,
} from '../../session/changesByHand';
import { undoAllByHand } from '../../session/undoAllByHand';
import type { BlockMoves, MoveView, UndoAllView } from './state';

export interface Moves {
  readonly moves: Readonly<Record<string, BlockMoves>>;
  readonly undoMoves: Readonly<Record<string, MoveView>>;
  readonly undoAll?: UndoAllView;
}

/** The newest passes whose undo shows its number: older ones can seldom be undone. */
const NEWEST_PASSES = 8;

/**
 * Calculates how far each button of the watched blocks moves the window: it makes the change that
 * the button makes, and measures both windows. That takes a whole window for each number, so only
 * blocks in sight are watched. A number appears once its texts are tokenized, as the change itself
 * does first.
 */
export class BlockMovements {
  #watched: readonly string[] = [];
  /** Texts that could not be tokenized: their numbers stay rough estimates. */
  readonly #rough = new Set<string>();
  #uncounted = new Set<string>();
  #known: { readonly of: readonly unknown[]; readonly byId: Map<string, unknown> } | undefined;

  constructor(private readonly estimator: () => Pick<Estimator, 'warm'>) {}

  /** Watches these blocks instead of the former ones; says whether any is new. */
  watch(blocks: readonly string[]): boolean {
    const former = new Set(this.#watched);
    this.#watched = blocks;
    return blocks.some((id) => !former.has(id));
  }

  /** Says whether numbers wait for `count`. */
  get isWaiting(): boolean {
    return this.#uncounted.size > 0;
  }

  /** Tokenizes the texts of the numbers that wait. */
  async count({ isCounted }: Pick<Estimate, 'isCounted'>): Promise<void> {
    const texts = [...this.#uncounted];
    this.#uncounted = new Set();
    await this.estimator().warm(texts);
    for (const text of texts) if (isCounted?.(text) === false) this.#rough.add(text);
  }

  /** The moves of the watched blocks, of the newest passes, and of the undo of all changes. */
  of(window: ContextWindow, priced: Priced, of: readonly unknown[]): Moves {
    this.#uncounted = new Set();
    const { generation } = priced.estimate;
    const key = [window, generation, ...of];
    const known = this.#known;
    const isSame = generation !== undefined && key.every((each, at) => each === known?.of[at]);
    const byId = isSame && known !== undefined ? known.byId : new Map<string, unknown>();
    this.#known = { of: key, byId };
    const once = <T>(name: string, make: () => T | undefined): T | undefined => {
      const made = (byId.get(name) as T | undefined) ?? make();
      if (made !== undefined) byId.set(name, made);
      return made;
    };
    const { estimate } = priced;
    const move = (change: WindowChange) => this.#move(window, change, estimate);
    const moves = this.#watched.flatMap((id) => {
      const found = once(`block ${id}`, () => this.#ofBlock(window, id, priced));
      return found === undefined ? [] : [[id, found] as const];
    });
    const passes = window.ledger.toArray().slice(-NEWEST_PASSES);
    const undos = passes.flatMap(({ pass: { number }, undone }) => {
      if (undone === true) return [];
      const found = once(`pass ${number}`, () => move(undoChange(window, number)));
      return found === undefined ? [] : [[`${number}`, found] as const];
    });
    return {
      moves: Object.fromEntries(moves),
      undoMoves: Object.fromEntries(undos),
      undoAll: once('all', () => this.#undoAll(window, priced)),
    };
  }

  /** Undefined until all its texts are counted. */
  #ofBlock(window: ContextWindow, id: string, priced: Priced): BlockMoves | undefined {
    const block = findBlock(window, id as BlockId);
    if (block === undefined) return {};
    const found = Object.entries(changesOf(window, block, priced)).map(
      ([name, change]) => [name, this.#move(window, change, priced.estimate)] as const,
    );
    return found.some(([, moved]) => moved === undefined) ? undefined : Object.fromEntries(found);
  }

  #undoAll(window: ContextWindow, priced: Priced): UndoAllView | undefined {
    const { events, changes } = undoAllByHand(window);
    if (changes === 0) return undefined;
    const move = this.#moved(window, events, priced.estimate);
    return move === undefined ? undefined : { changes, move };
  }

  #move(window: ContextWindow, change: WindowChange, estimate: Estimate): MoveView | undefined {
    if (!change.ok) return { whyNot: change.message };
    return this.#moved(window, change.event === undefined ? [] : [change.event], estimate);
  }

  #moved(
    window: ContextWindow,
    events: readonly NewEvent[],
    estimate: Estimate,
  ): MoveView | undefined {
    const { isCounted } = estimate;
    if (isCounted !== undefined) {
      const texts = textsAdded(window, windowAfter(window, events));
      const open = texts.filter((text) => !isCounted(text) && !this.#rough.has(text));
      for (const text of open) this.#uncounted.add(text);
      if (open.length > 0) return undefined;
    }
    const { before, after } = movementOf(window, events, estimate);
    return { tokens: after.tokens - before.tokens, exact: before.exact && after.exact };
  }
}

/** The changes that the buttons of a block make, by button. */
function changesOf(
  window: ContextWindow,
  block: Block,
  priced: Priced,
): Partial<Record<keyof BlockMoves, WindowChange>> {
  const { id } = block;
  const act = (name: Parameters<typeof blockChange>[1]) => blockChange(window, name, id, priced);
  const isBack = whyNotBack(window, block) === undefined;
  return {
    ...(isBack ? { restore: act('restore'), recall: act('recall') } : {}),
    ...(isInWindow(block) ? { exclude: act('exclude') } : {}),
    ...(isInWindow(block) && block.kind === 'step' ? { clear: act('clear') } : {}),
    ...(block.pinned ? { unpin: pinChange(window, id, false) } : {}),
    ...(isInWindow(block) && !block.pinned ? { pin: pinChange(window, id, true) } : {}),
    ...(block.kind === 'prompt' ? { task: anchorChange(window, id) } : {}),
  };
}
