import type { Block } from '../block';
import { blockText } from '../blockText';
import { type Claim, LETTERS, plainNumber } from './claims';

/** Texts in which the claims of a summary are looked up. */
export class Evidence {
  readonly #text: string;
  #withoutThousands: string | undefined;
  #withSlashes: string | undefined;
  #squeezed: string | undefined;
  #quotable: string | undefined;

  constructor(texts: readonly string[]) {
    // Some file systems store an accent as a character of its own.
    this.#text = texts.join('\n').replaceAll(TERMINAL_CODE, '').toLowerCase().normalize();
  }

  /** Says whether the texts state a claim: in any case, and in another form of the same path or number. */
  has({ kind, text: stated }: Claim): boolean {
    const text = stated.normalize();
    switch (kind) {
      case 'number':
        return this.#hasNumber(text);
      case 'path':
        return this.#hasPath(text);
      case 'name':
        return this.#hasName(text);
      case 'quote':
        return this.#hasQuote(text);
    }
  }

  /** Whether the texts name something in a folder of this name. */
  readonly isFolder = (name: string): boolean =>
    hasBetween(this.#slashed, `${name.toLowerCase().normalize()}/`, GOES_ON.folder);

  get #slashed(): string {
    return (this.#withSlashes ??= this.#text.replaceAll(/\\+/g, '/'));
  }

  #hasNumber(text: string): boolean {
    const number = plainNumber(text).replaceAll(',', '.');
    this.#withoutThousands ??= plainNumbers(this.#text);
    return (
      hasBetween(this.#withoutThousands, number, GOES_ON.number) ||
      hasBetween(this.#text, text.toLowerCase(), GOES_ON.number)
    );
  }

  #hasPath(text: string): boolean {
    const parts = pathParts(text);
    const has = (some: readonly string[]) =>
      hasBetween(this.#slashed, some.join('/'), GOES_ON.word);
    if (has(parts)) return true;
    const [first = ''] = parts;
    // The texts have only the end of an absolute path.
    const isAbsolute = /^(?:[/~\\]|[a-z]:)/i.test(text);
    const ends = isAbsolute ? parts.slice(0, -2).map((_, at) => parts.slice(at + 1)) : [];
    if (ends.some((end) => has(end))) return true;
    // A listing of a folder names its files alone.
    return parts.length > 1 && first !== '' && has(parts.slice(-1)) && has(parts.slice(0, -1));
  }

  #hasName(text: string): boolean {
    const name = text.replace(/^[@$~.]+/, '').toLowerCase();
    if (hasBetween(this.#text, name, GOES_ON.word)) return true;
    // The first parts of a long name with underscores.
    if (name.includes('_') && hasBetween(this.#text, `${name}_`, GOES_ON.start)) return true;
    // A short form of a commit's hash.
    if (HASH.test(name) && hasBetween(this.#text, name, GOES_ON.start)) return true;
    const parts = name.split(/[.-]/).filter((part) => part.length > 1);
    // `Store.save` for a member of `Store`, `utf-8` for `utf8`; but `notes.ts` and `--no-color` are
    // one name.
    if (!name.startsWith('--') && parts.length > 1 && (!FILE.test(name) || name.includes('-'))) {
      if (parts.every((part) => hasBetween(this.#text, part, GOES_ON.word))) return true;
    }
    this.#squeezed ??= this.#text.replaceAll(/[-_]/g, '');
    const squeezed = name.replaceAll(/[-_]/g, '');
    return hasBetween(this.#squeezed, squeezed, GOES_ON.word);
  }

  #hasQuote(text: string): boolean {
    const said = plainWords(text.toLowerCase());
    this.#quotable ??= plainWords(this.#text);
    const pieces = said.split(GAP).map((piece) => piece.trim());
    return pieces
      .filter((piece) => piece.length > 2)
      .every((piece) => this.#quotable?.includes(piece) === true);
  }
}

/** The text of blocks that a summary may state, whatever the window still shows of them. */
export function statedBy(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.kind !== 'step') return [block.id, blockText(block)];
    const said = block.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const calls = block.pairs.flatMap(({ use, result }) => [
      use.name,
      ...inputTexts(use.input),
      ...(result === undefined ? [] : [result.text]),
    ]);
    return [block.id, ...said, ...calls];
  });
}

/** The texts and numbers of a call's input: its JSON would join a line break and the next word. */
function inputTexts(input: unknown): readonly string[] {
  if (typeof input === 'string') return [input];
  if (typeof input === 'number' || typeof input === 'boolean') return [String(input)];
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) => [key, ...inputTexts(value)]);
}

// oxlint-disable-next-line no-control-regex
const TERMINAL_CODE = /\u001B\[[0-9;]*[A-Za-z]/g;

/** A longer end is a member's name: `Store.saveAll`. */
const FILE = /^[^/]+\.[a-z][a-z0-9]{0,3}$/;
const HASH = /^(?=.*\d)[0-9a-f]{7,40}$/;

/** What in an error text stands for something else. */
const GAP = /…|\.\.\.|<[^>]*>|\[[^\]]*\]|\$?\{[^}]*\}|\*/;

function plainNumbers(text: string): string {
  return text.replaceAll(/(?<=\d)[,_](?=\d{3}(?!\d))/g, '');
}

/** One kind of quotation marks, and single spaces. */
function plainWords(text: string): string {
  return text
    .replaceAll(/[`"“”‘’]/g, "'")
    .replaceAll(/\\'/g, "'")
    .replaceAll(/\s+/g, ' ');
}

function pathParts(path: string): readonly string[] {
  return path
    .toLowerCase()
    .split(/[/\\]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '~' && part !== '..');
}

/** Whether the characters around a match make it part of another word. */
interface GoesOn {
  readonly before: RegExp;
  readonly after: RegExp;
}

const ENDS_IN_WORD = new RegExp(String.raw`[\w${LETTERS}]$`, 'u');
const BEGINS_WITH_WORD = new RegExp(String.raw`^[\w${LETTERS}]`, 'u');

const GOES_ON = {
  word: { before: ENDS_IN_WORD, after: BEGINS_WITH_WORD },
  folder: { before: ENDS_IN_WORD, after: /^(?![\w.])/ },
  /** Anything may follow. */
  start: { before: ENDS_IN_WORD, after: /^(?!)/ },
  number: { before: /(?:\d|\d[.,])$/, after: /^(?:\d|[.,]\d)/ },
} as const satisfies Readonly<Record<string, GoesOn>>;

function hasBetween(text: string, sought: string, { before, after }: GoesOn): boolean {
  if (sought === '') return true;
  for (let at = text.indexOf(sought); at !== -1; at = text.indexOf(sought, at + 1)) {
    const end = at + sought.length;
    if (!before.test(text.slice(Math.max(0, at - 2), at)) && !after.test(text.slice(end, end + 2)))
      return true;
  }
  return false;
}
