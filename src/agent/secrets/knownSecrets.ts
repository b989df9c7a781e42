import { createHmac, randomBytes } from 'node:crypto';

/**
 * The texts that must never be written, shown or sent. They belong to the process, not to a session
 * or window, so one list holds them all.
 *
 * The user's own API keys are one kind. The others are masked: found by their shape, or as values
 * of `.env` files. Only this module has their originals, in memory, until the last session that has
 * a mark of them is closed.
 */
const ownKeys = new Set<string>();

/** A masked text. */
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
interface NewMasked {
  readonly value: string;
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

/** Replaces every known secret in the texts of a value; returns the same value if there is none. */
export function redactedIn<T>(value: T): T {
  return ownKeys.size + masked.length === 0 ? value : (mappedTexts(value, redacted) as T);
}

/** Maps every text of a value; returns the same value if none changes. */
export function mappedTexts(value: unknown, map: (text: string) => string): unknown {
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

/** Why a text with marks is not written; undefined if it adds no mark to the former text. */
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

/** Whether texts are masked. */
export function isMaskingOn(): boolean {
  return isMasking;
}

/** Every masked text, the longest first. */
export function maskedNow(): readonly Masked[] {
  return masked;
}

/** The user's own API keys. */
export function keysNow(): ReadonlySet<string> {
  return ownKeys;
}
