import { eachWord, withSingleSpaces } from '../../contextWindow/sentences';
import type { TranscriptEntry } from '../../sessions/transcript';

/** A run of word characters. */
const PART = /\w+/g;

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
