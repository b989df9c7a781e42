import { createHmac, randomBytes } from 'node:crypto';
import { findSecrets, LONGEST_PRIVATE_KEY } from './secretShapes';

/**
 * The texts that must never be written, shown or sent. They belong to the process, not to a session
 * or window, so one list holds them all.
 *
 * The user's own API keys are one kind. The others are masked: found by their shape, or as values
 * of `.env` files. Only this module has their originals, in memory, until the last session that has
 * a mark of them is closed.
 */
const ownKeys = new Set<string>();

interface Masked {
  readonly value: string;
  readonly mark: string;
  /** Matches the value only where it is meant; absent for a value that nothing else looks like. */
  readonly places?: RegExp;
  /** The sessions with the mark. */
  readonly sessions: Set<object>;
}

/** Longest value first, so that a value inside another one leaves no rest. */
let masked: readonly Masked[] = [];
const byMark = new Map<string, Masked>();

let isMasking = true;

/** Shorter values, such as `none` for a local server, are ordinary words. */
const SHORTEST_KEY = 8;

/** Replaces the user's own API key. */
export const SECRET_MARK = '[API key]';

/** Every mark of a masked text. */
const MARKS = /\[masked: [^[\]\r\n]{1,200} [0-9a-f]{4,64}\]/g;

/** From now on, keeps a key of the user out of everything written, shown or passed to a process. */
export function keepSecret(value: string | undefined): void {
  const secret = value?.trim() ?? '';
  if (secret.length >= SHORTEST_KEY) ownKeys.add(secret);
}

/** Turns masking on or off. Own API keys are always replaced. */
export function setMasking(isOn: boolean): void {
  if (isMasking === isOn) return;
  isMasking = isOn;
  masked = [];
  byMark.clear();
}

/** A text to mask from now on. */
export interface NewMasked {
  readonly value: string;
  /** Names it in the mark. */
  readonly name: string;
  /** Source of a pattern for what comes before and after it where it is meant; absent for anywhere. */
  readonly between?: readonly [before: string, after: string];
}

/** From now on, masks a text. */
export function mask({ value, name, between }: NewMasked): void {
  if (!isMasking || value === '' || ownKeys.has(value)) return;
  const places =
    between === undefined
      ? undefined
      : new RegExp(`(?<=${between[0]})${escaped(value)}(?=${between[1]})`, 'g');
  const isKnown = (one: Masked) =>
    one.value === value && (one.places === undefined || one.places.source === places?.source);
  if (masked.some(isKnown)) return;
  const mark = markOf(name, value);
  const sessions = byMark.get(mark)?.sessions ?? new Set();
  const one = { value, mark, places, sessions };
  masked = [...masked, one].sort((a, b) => b.value.length - a.value.length);
  byMark.set(mark, one);
}

/** Marks of one value are equal, so the model sees that two values are the same. */
function markOf(name: string, value: string): string {
  const words = name.replace(/[[\]\s]+/g, ' ').slice(0, 150);
  const tag = createHmac('sha256', TAG_KEY).update(value).digest('hex');
  for (let length = 4; ; length += 1) {
    const mark = `[masked: ${words} ${tag.slice(0, length)}]`;
    const other = byMark.get(mark);
    if (other === undefined || other.value === value) return mark;
  }
}

/** Random, so that a tag does not help to guess a short value. */
const TAG_KEY = randomBytes(16);

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Whether a value is unlike any ordinary word or number. */
export function isDistinct(value: string): boolean {
  if (value.length >= 24) return !/\s/.test(value);
  return value.length >= 8 && /[A-Za-z]/.test(value) && /\d/.test(value) && !/\s/.test(value);
}

/** Masks everything in a text that is shaped like a secret, from now on. */
function learn(text: string): void {
  if (!isMasking) return;
  for (const { value, kind } of findSecrets(text)) {
    const isPassword = kind === 'password in an address' && !isDistinct(value);
    mask({ value, name: kind, ...(isPassword ? { between: [':', '@'] as const } : {}) });
  }
}

/** Whether a text holds a key of the user. */
export function holdsKey(text: string): boolean {
  for (const key of ownKeys) if (text.includes(key)) return true;
  return false;
}

/** Replaces every known secret in a text by a mark. */
export function redacted(text: string): string {
  let clean = text;
  for (const key of ownKeys) clean = clean.replaceAll(key, SECRET_MARK);
  for (const { value, places, mark } of masked) {
    if (!clean.includes(value)) continue;
    clean = clean.replaceAll(places ?? value, () => mark);
  }
  return clean;
}

/** `redacted` for a JSON text, in which a secret may be escaped. */
export function redactedJson(json: string): string {
  return JSON.stringify(redactedIn<unknown>(JSON.parse(json)));
}

/** Replaces every secret in a text, also those that were not known before. */
export function maskedText(text: string): string {
  learn(text);
  return redacted(text);
}

/** Replaces every known secret in the texts of a value; returns the same value if there is none. */
export function redactedIn<T>(value: T): T {
  return ownKeys.size + masked.length === 0 ? value : (mappedTexts(value, redacted) as T);
}

/** Replaces every secret in the texts of a value; returns the same value if there is none. */
export function maskedIn<T>(value: T): T {
  return mappedTexts(value, maskedText) as T;
}

function mappedTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => mappedTexts(item, map));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([key, of]) => [map(key), mappedTexts(of, map)] as const);
  const isSame = clean.every(
    ([key, of], at) => key === entries[at]?.[0] && of === entries[at]?.[1],
  );
  return isSame ? value : Object.fromEntries(clean);
}

/** The distinct marks in a text, in order. */
export function marksIn(text: string): readonly string[] {
  return text.includes('[masked: ') ? [...new Set(text.match(MARKS) ?? [])] : [];
}

/** Why a text with marks is not written; undefined if it adds no mark to what was there. */
export function whyNotWritten(text: string, before = ''): string | undefined {
  const added = marksIn(text).find((mark) => !before.includes(mark));
  if (added === undefined) return undefined;
  return (
    `${added} is a mark for a secret that you do not see, not its text. ` +
    'Leave the lines with marks out of the edit. To use a secret, name its variable or file.'
  );
}

/** Whether the original of a mark is still in memory. */
export function isKept(mark: string): boolean {
  return byMark.has(mark);
}

/** Replaces marks by their originals: all that are in memory, or only some of them. */
export function unmasked(text: string, isWanted: (mark: string) => boolean = () => true): string {
  if (!text.includes('[masked: ')) return text;
  return text.replaceAll(MARKS, (mark) =>
    isWanted(mark) ? (byMark.get(mark)?.value ?? mark) : mark,
  );
}

/** `unmasked` for every text of a value. */
export function unmaskedIn<T>(value: T, isWanted?: (mark: string) => boolean): T {
  return mappedTexts(value, (text) => unmasked(text, isWanted)) as T;
}

/** Keeps the originals of the marks in a value at least until the session is closed. */
export function keepFor(session: object, value: unknown): void {
  if (masked.length === 0) return;
  mappedTexts(value, (text) => {
    for (const mark of marksIn(text)) byMark.get(mark)?.sessions.add(session);
    return text;
  });
}

/** Drops the originals that no other session has a mark of. */
export function forgetSecretsOf(session: object): void {
  for (const { mark, sessions } of byMark.values()) {
    if (sessions.delete(session) && sessions.size === 0) byMark.delete(mark);
  }
  masked = masked.filter(({ mark }) => byMark.has(mark));
}

/** The longest word that is held back, characters; no rule looks for a longer secret. */
const LONGEST_WORD = 2_000;

/** Redacts a text that arrives in pieces; a secret can span two of them. */
export class RedactedStream {
  /** What is not shown yet. */
  #held = '';
  /** The current line before that, and the current private key. */
  #context = '';

  /** `all` also looks for secrets that are not known yet, which delays the last word of a piece. */
  constructor(private readonly secrets: 'known' | 'all' = 'known') {}

  /** The text that is safe to show; a possible start of a secret is held back. */
  push(piece: string): string {
    const text = this.#held + piece;
    const open =
      this.secrets === 'all' && isMasking ? startOfWord(text, this.#context) : text.length;
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
    for (const { value, mark, places } of begin === 0 ? [] : masked) {
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
  const distinct = masked.filter(({ places }) => places === undefined);
  for (const secret of [...ownKeys, ...distinct.map(({ value }) => value)]) {
    const longest = Math.min(secret.length - 1, text.length);
    for (let length = longest; length > 0; length -= 1) {
      if (!text.endsWith(secret.slice(0, length))) continue;
      start = Math.min(start, text.length - length);
      break;
    }
  }
  return start;
}
