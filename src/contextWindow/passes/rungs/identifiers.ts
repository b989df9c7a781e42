import type { Block, ToolUse } from '../../block';
import type { ContextWindow } from '../../window';

/** Most names kept for a block; the first ones describe it best. */
const MOST = 40;
/** Characters of a block's text and calls to search; most are far shorter. */
const LONGEST = 20_000;
/** Characters of each result to search: its head says what it shows. */
const RESULT_HEAD = 2_000;

/** The paths and names in code that a block mentions, each once. */
interface BlockIdentifiers {
  /** In its own text and calls. */
  readonly said: readonly string[];
  /** In those and in the heads of the results. */
  readonly all: readonly string[];
}

/** A cache, since blocks are immutable and every plan asks again. */
const KNOWN = new WeakMap<Block, BlockIdentifiers>();

/** Finds what a block mentions; computed once for each block. */
export function identifiersOf(block: Block): BlockIdentifiers {
  const known = KNOWN.get(block);
  if (known !== undefined) return known;
  const found = workOut(block);
  KNOWN.set(block, found);
  return found;
}

function workOut(block: Block): BlockIdentifiers {
  if (block.kind !== 'step') {
    const said = namesIn([block.text]);
    return { said, all: said };
  }
  const words = block.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const said = namesIn([...block.pairs.flatMap(({ use }) => textsOfCall(use)), ...words]);
  const heads = block.pairs.map(({ result }) => result?.text.slice(0, RESULT_HEAD) ?? '');
  return { said, all: [...new Set([...said, ...namesIn(heads)])].slice(0, MOST) };
}

/**
 * The texts of a call's input, not copies: names cut from them must not keep a long input in
 * memory.
 */
function textsOfCall({ input }: ToolUse): readonly string[] {
  const texts: string[] = [];
  const open: unknown[] = [input];
  while (open.length > 0 && texts.length < MOST) {
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value).toReversed()) open.push(inner);
  }
  return texts;
}

function namesIn(texts: readonly string[]): readonly string[] {
  const names = new Set<string>();
  let left = LONGEST;
  for (const text of texts) {
    if (left <= 0 || names.size >= MOST) break;
    for (const name of identifiersIn(text.slice(0, left))) names.add(name);
    left -= text.length;
  }
  return [...names].slice(0, MOST);
}

/** With more names than this, a prompt's names do not say what it is about. */
const MOST_IDENTIFIERS = 40;

/** A run of the characters of paths and names in code. */
const WORD = /[\w./-]+/g;
const BARE = /[A-Za-z_].*\w/;

/** A dot, slash, underscore, digit or inner capital makes a word a path or a name in code. */
const NAME = /^.+(?:[./_]|[a-z][A-Z]|\d).*\w$/;

/** The paths and names in code that a text mentions, each once, in order. */
export function identifiersIn(text: string): readonly string[] {
  // Word by word: the expression would take forever on a long text without breaks.
  const words = text.slice(0, 20_000).match(WORD) ?? [];
  const bare = words.map((word) => BARE.exec(word)?.[0] ?? '');
  return [...new Set(bare.filter((word) => word.length >= 4 && NAME.test(word)))].slice(
    0,
    MOST_IDENTIFIERS,
  );
}

/** What a block mentions, as in `BlockIdentifiers`, by number. */
interface Mentioned {
  readonly said: readonly number[];
  readonly all: readonly number[];
}

/**
 * The names that blocks mention, each with a number, so that facts about names are in arrays. Every
 * plan asks about tens of thousands of names.
 */
export class NumberedNames {
  readonly #numbers = new Map<string, number>();
  readonly #mentioned = new WeakMap<Block, Mentioned>();

  /** How many names have a number; numbers run from 0 to one less. */
  get count(): number {
    return this.#numbers.size;
  }

  /** The number of a name; undefined if no block mentioned it. */
  numberOf(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** What a block mentions; computed once for each block. */
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
    // A copy: a name cut from a text would keep the whole text in memory.
    this.#numbers.set(` ${name}`.slice(1), number);
    return number;
  }
}

/** By the first block of a session, which stays the same from step to step. */
const NAMES = new WeakMap<Block, NumberedNames>();

/** The numbered names of a session. */
export function numberedNamesIn({ blocks }: Pick<ContextWindow, 'blocks'>): NumberedNames {
  const first = blocks.at(0);
  const names = (first && NAMES.get(first)) ?? new NumberedNames();
  if (first !== undefined) NAMES.set(first, names);
  return names;
}
