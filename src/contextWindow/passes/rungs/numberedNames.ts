import type { Block } from '../../block';
import type { ContextWindow } from '../../window';
import { identifiersOf } from './identifiers';

/** What a block mentions, as in `BlockIdentifiers`, by number. */
interface Mentioned {
  readonly said: readonly number[];
  readonly all: readonly number[];
}

/**
 * The names that blocks mention, each with a number: what is known of a name is then found in a list,
 * without a look at its letters. Every plan asks about tens of thousands of names.
 */
export class NumberedNames {
  readonly #numbers = new Map<string, number>();
  readonly #mentioned = new WeakMap<Block, Mentioned>();

  /** How many names have a number; the numbers are 0 to one less. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The number of a name; undefined where no block mentioned it. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** What a block mentions; worked out once for each block. */
  of(block: Block): Mentioned {
    const known = this.#mentioned.get(block);
    if (known !== undefined) return known;
    const { said, all } = identifiersOf(block);
    const found = {
      said: said.map((name) => this.#number(name)),
      all: all.map((name) => this.#number(name)),
    };
    this.#mentioned.set(block, found);
    return found;
  }

  #number(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    // A copy: a name is cut from a text, and would keep all of it in memory.
    this.#numbers.set(` ${name}`.slice(1), number);
    return number;
  }
}

/** By the first block of a session, which stays the same from step to step: so they go with the session. */
const NAMES = new WeakMap<Block, NumberedNames>();

/** The names of a session. */
export function namesIn({ blocks }: Pick<ContextWindow, 'blocks'>): NumberedNames {
  const first = blocks.at(0);
  const names = (first && NAMES.get(first)) ?? new NumberedNames();
  if (first !== undefined) NAMES.set(first, names);
  return names;
}
