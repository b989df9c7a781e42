import type { Block } from '../../block';
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
    this.#numbers.set(name, number);
    return number;
  }
}

/** With more names than this the numbers begin anew: blocks of sessions long closed had most of them. */
const MOST_NAMES = 200_000;

let names = new NumberedNames();

/** The names of all sessions; to be asked for once for each plan. */
export function numberedNames(): NumberedNames {
  if (names.count > MOST_NAMES) names = new NumberedNames();
  return names;
}
