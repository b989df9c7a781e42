import type { TranscriptEntry } from '../../sessions/transcript';

/** A run of the characters that occur in paths, names and numbers. */
const WORD = /[\w./-]+/g;
const PART = /\w+/g;
const SEPARATOR = /[./-]/;

/** Most parts of a path or dotted name to look up together; a longer name is not sought. */
const MOST_PARTS = 12;

/** A separate number: with marks between its digits, and with a unit of up to two letters. */
const NUMBER = /(?<![\w.])\d+(?:[.,:_]\d+)*(?=[a-z]{0,2}\b)/g;
const THOUSANDS = /^\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?$/;

/**
 * Visits each name and number of a text in every form that is a word of its own: `src/a.ts` is
 * visited as `src/a.ts`, `src/a`, `a.ts`, `src`, `a` and `ts`, `10,000` as `10000`, `500ms` as
 * `500`. Takes time in proportion to the text.
 */
export function eachWord(text: string, visit: (word: string) => void): void {
  for (const [word] of text.matchAll(WORD)) {
    if (!SEPARATOR.test(word)) {
      visit(word);
      continue;
    }
    const parts = [...word.matchAll(PART)];
    for (const [first, { index: start }] of parts.entries()) {
      for (const part of parts.slice(first, first + MOST_PARTS)) {
        visit(word.slice(start, part.index + part[0].length));
      }
    }
  }
  for (const [number] of text.matchAll(NUMBER)) visit(plainNumber(number));
}

/** The names and numbers of a text, each once. */
export function wordsIn(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  eachWord(text, (word) => void words.add(word));
  return words;
}

/** The numbers of a text, each once, without marks between thousands. */
export function numbersIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(NUMBER)].map(([number]) => plainNumber(number)));
}

function plainNumber(number: string): string {
  return THOUSANDS.test(number) ? number.replaceAll(/[,_]/g, '') : number;
}

/** Writes any white space as one space, so that a line break hides nothing. */
export function withSingleSpaces(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Characters of a sentence; a longer one is cut at a word. */
const LONGEST_SENTENCE = 400;

const FENCED = /```[\s\S]*?(?:```|$)/g;
const LIST_MARK = /^[ \t]*(?:[-*>]|#+|\d+[.)])[ \t]+/gm;

/** The sentences of a text, with single spaces. Fenced code has none. */
export function sentencesIn(text: string): readonly string[] {
  return text
    .replaceAll(FENCED, '\n')
    .replaceAll(LIST_MARK, '')
    .split(/\n+|(?<=[.!?]["')*_]*)\s+/)
    .map((sentence) => beginningOf(withSingleSpaces(sentence), LONGEST_SENTENCE))
    .filter((sentence) => sentence !== '');
}

/** The beginning of a text up to a number of characters, cut between two words. */
export function beginningOf(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const cut = text.lastIndexOf(' ', chars);
  return text.slice(0, cut === -1 ? chars : cut);
}

/**
 * Finds the texts that occur in another one, in time independent of their number: words are looked
 * up, and a phrase is searched for only if its longest word occurs.
 */
export class SoughtTexts {
  readonly #words: ReadonlySet<string>;
  readonly #phrasesOf = new Map<string, Set<string>>();

  /** Phrases are squeezed; one without a word of Latin letters or digits is not found. */
  constructor(words: Iterable<string>, phrases: Iterable<string>) {
    this.#words = new Set(words);
    for (const phrase of phrases) {
      const [longest] = (phrase.match(PART) ?? []).toSorted((a, b) => b.length - a.length);
      if (longest === undefined) continue;
      const known = this.#phrasesOf.get(longest) ?? new Set();
      this.#phrasesOf.set(longest, known.add(phrase));
    }
  }

  /** The words and phrases that occur in a text. */
  foundIn(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    const possible = new Set<string>();
    eachWord(text, (word) => {
      if (this.#words.has(word)) found.add(word);
      for (const phrase of this.#phrasesOf.get(word) ?? []) possible.add(phrase);
    });
    if (possible.size === 0) return found;
    const plain = withSingleSpaces(text);
    for (const phrase of possible) if (plain.includes(phrase)) found.add(phrase);
    return found;
  }
}

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/** The text of a reply. */
export function saidIn({ parts }: ReplyEntry): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Returns whether a reply ends its turn: it has text and no calls. */
export function isClosing(entry: ReplyEntry): boolean {
  return entry.parts.every(({ type }) => type !== 'toolUse') && saidIn(entry).trim() !== '';
}
