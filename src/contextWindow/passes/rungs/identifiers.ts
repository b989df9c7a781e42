import type { Block, ToolUse } from '../../block';
import type { ContextWindow } from '../../window';

/** Most names kept for a block; the first ones say best what it is about. */
const MOST = 40;
/** Characters of a block's words and calls that are looked through; most are far shorter. */
const LONGEST = 20_000;
/** Characters of each result that are looked through: its head says what it shows. */
const RESULT_HEAD = 2_000;

/** The paths and names of code that a block mentions, each once. */
export interface BlockIdentifiers {
  /** In its own words and in its calls. */
  readonly said: readonly string[];
  /** There and in the heads of the results. */
  readonly all: readonly string[];
}

/** A cache, since blocks are immutable and every plan asks again. */
const KNOWN = new WeakMap<Block, BlockIdentifiers>();

/** Finds what a block mentions; worked out once for each block. */
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
 * The texts in a call's input themselves, so that names cut from them do not keep a copy of a long
 * input.
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

/** With more names than this, a prompt's names no longer say what it is about. */
const MOST_IDENTIFIERS = 40;

/** A run of the characters that paths and names in code are made of. */
const WORD = /[\w./-]+/g;
const BARE = /[A-Za-z_].*\w/;

/** With a dot, slash, underscore, digit or inner capital inside: a path or a name in code. */
const NAME = /^.+(?:[./_]|[a-z][A-Z]|\d).*\w$/;

/** The paths and names of code that a text mentions, each once, in order. */
export function identifiersIn(text: string): readonly string[] {
  // Word by word: matched against the whole text, a long run without a break would take forever.
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
export function numberedNamesIn({ blocks }: Pick<ContextWindow, 'blocks'>): NumberedNames {
  const first = blocks.at(0);
  const names = (first && NAMES.get(first)) ?? new NumberedNames();
  if (first !== undefined) NAMES.set(first, names);
  return names;
}
