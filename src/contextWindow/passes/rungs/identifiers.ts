import type { Block, ToolUse } from '../../block';

/** A block is told by this many names; the first ones say best what it is about. */
const MOST = 40;
/** Characters of a block's words and calls that are looked through; most are far shorter. */
const LONGEST = 20_000;
/** Characters of each result that are: its head says what it shows. */
const RESULT_HEAD = 2_000;

/** The paths and names of code a block speaks of, each once. */
export interface BlockIdentifiers {
  /** In its own words and in its calls. */
  readonly said: readonly string[];
  /** There and in the heads of the results. */
  readonly all: readonly string[];
}

/** Blocks are immutable, and every plan asks again. */
const KNOWN = new WeakMap<Block, BlockIdentifiers>();

/** Tells what a block speaks of; worked out once for each block. */
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

/** The texts in a call's input as they stand: no copy of a long input lives on in its names. */
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

/** More names than this in a prompt say no longer what it is about. */
const MOST_IDENTIFIERS = 40;

/** Letters that paths and names in code are made of; from a letter to the last that is no mark. */
const WORD = /[\w./-]+/g;
const BARE = /[A-Za-z_].*\w/;

/** With a dot, slash, underscore, digit or inner capital inside: a path or a name in code. */
const NAME = /^.+(?:[./_]|[a-z][A-Z]|\d).*\w$/;

/** The paths and names of code a text speaks of, each once, in order. */
export function identifiersIn(text: string): readonly string[] {
  // Word by word: looked for in the whole text, a long run without a break would take forever.
  const words = text.slice(0, 20_000).match(WORD) ?? [];
  const bare = words.map((word) => BARE.exec(word)?.[0] ?? '');
  return [...new Set(bare.filter((word) => word.length >= 4 && NAME.test(word)))].slice(
    0,
    MOST_IDENTIFIERS,
  );
}
