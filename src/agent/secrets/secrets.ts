import {
  isDistinct,
  isMaskingOn,
  keysNow,
  mappedTexts,
  mask,
  maskedNow,
  redacted,
} from './knownSecrets';
import { findSecrets, LONGEST_PRIVATE_KEY } from './secretShapes';

/** Masks everything in a text that is shaped like a secret, from now on. */
function learn(text: string): void {
  if (!isMaskingOn()) return;
  for (const { value, kind } of findSecrets(text)) {
    const isPassword = kind === 'password in an address' && !isDistinct(value);
    mask({ value, name: kind, ...(isPassword ? { between: [':', '@'] as const } : {}) });
  }
}

/** Replaces every secret in a text, also those that were not known before. */
export function maskedText(text: string): string {
  learn(text);
  return redacted(text);
}

/** Replaces every secret in the texts of a value; returns the same value if there is none. */
export function maskedIn<T>(value: T): T {
  return mappedTexts(value, maskedText) as T;
}

/** The longest word that is held back, characters; no rule looks for a longer secret. */
const LONGEST_WORD = 2_000;

/** Redacts a text that arrives in pieces; a secret can span two of them. */
export class RedactedStream {
  /** The text that is not shown yet. */
  #held = '';
  /** The current line before that, and the current private key. */
  #context = '';

  /** `all` also looks for secrets that are not known yet, which delays the last word of a piece. */
  constructor(private readonly secrets: 'known' | 'all' = 'known') {}

  /** The text that is safe to show; a possible start of a secret is held back. */
  push(piece: string): string {
    const text = this.#held + piece;
    const open =
      this.secrets === 'all' && isMaskingOn() ? startOfWord(text, this.#context) : text.length;
    const clean = redacted(this.#closed(text.slice(0, open)));
    const from = startOfSecret(clean);
    const back = clean.slice(from);
    this.#held = back + text.slice(open);
    if (back !== '') this.#context = this.#context.slice(0, -back.length);
    return clean.slice(0, from);
  }

  /** The text held back, once the stream has ended. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return redacted(this.#closed(held));
  }

  /** Looks for new secrets, and replaces the end of one whose first word was shown already. */
  #closed(text: string): string {
    if (this.secrets === 'known' || text === '') return text;
    const known = this.#context + text;
    const begin = this.#context.length;
    learn(known);
    const key = known.lastIndexOf('-----BEGIN ');
    const isOpen = key !== -1 && !known.includes('-----END ', key);
    const from = isOpen ? key : known.lastIndexOf('\n') + 1;
    this.#context = known.slice(Math.max(from, known.length - LONGEST_PRIVATE_KEY));
    for (const { value, mark, places } of begin === 0 ? [] : maskedNow()) {
      const at =
        places === undefined ? known.indexOf(value, Math.max(0, begin - value.length)) : -1;
      const end = at + value.length;
      if (at !== -1 && at < begin && end > begin) return mark + known.slice(end);
    }
    return text;
  }
}

/**
 * Index of the word at the end of a text, which may continue; the text's length for none. Nothing is
 * held back after a question such as "Continue?", because a program may wait for the answer, and
 * after a short word or number, which is no part of a secret that matters.
 */
function startOfWord(text: string, before: string): number {
  const word = lastWord(text);
  const whole = word.length === text.length ? lastWord(before) + word : word;
  const mayContinue = /[\w+/=.-]$/.test(word) || whole.includes('://');
  const isShort = /^(?:[A-Za-z]{0,12}|\d{1,12})\.?$/.test(word);
  return mayContinue && !isShort ? text.length - word.length : text.length;
}

function lastWord(text: string): string {
  return /\S*$/.exec(text.slice(-LONGEST_WORD))?.[0] ?? '';
}

/** Index of the longest suffix that starts a known secret; the text's length for none. */
function startOfSecret(text: string): number {
  let start = text.length;
  const distinct = maskedNow().filter(({ places }) => places === undefined);
  for (const secret of [...keysNow(), ...distinct.map(({ value }) => value)]) {
    const longest = Math.min(secret.length - 1, text.length);
    for (let length = longest; length > 0; length -= 1) {
      if (!text.endsWith(secret.slice(0, length))) continue;
      start = Math.min(start, text.length - length);
      break;
    }
  }
  return start;
}
