import type { Block } from '../../block';
import type { ContextWindow } from '../../contextWindow';
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

/** Names of so many sessions are kept: of those that were planned for last. */
const MOST_SESSIONS = 8;

const SESSIONS = new Map<string, NumberedNames>();

/** The names of a session; the same ones until eight other sessions were asked about. */
export function namesIn({ sessionId }: Pick<ContextWindow, 'sessionId'>): NumberedNames {
  const names = SESSIONS.get(sessionId) ?? new NumberedNames();
  // Behind the others: the first is the one that nobody asked for the longest.
  SESSIONS.delete(sessionId);
  SESSIONS.set(sessionId, names);
  if (SESSIONS.size > MOST_SESSIONS) SESSIONS.delete(SESSIONS.keys().next().value ?? '');
  return names;
}
