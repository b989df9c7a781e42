/**
 * What this process must never tell: its API keys. They are of the process, not of a session or a
 * window, so they are kept here once for all of it.
 */
const secrets = new Set<string>();

/** Shorter ones, such as the `none` of a server at home, are words that texts have anyway. */
const SHORTEST_SECRET = 8;

/** Stands where a secret stood. */
export const SECRET_MARK = '[API key]';

/** Keeps a value from now on out of everything that is written, shown or started. */
export function keepSecret(value: string | undefined): void {
  const secret = value?.trim() ?? '';
  if (secret.length >= SHORTEST_SECRET) secrets.add(secret);
}

/** Says whether a text has a secret in it. */
export function holdsSecret(text: string): boolean {
  for (const secret of secrets) if (text.includes(secret)) return true;
  return false;
}

/** A text with a mark in the place of each secret. */
export function redacted(text: string): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, SECRET_MARK);
  return clean;
}

/** A value with a mark in the place of each secret in its texts; the same value where there is none. */
export function redactedIn<T>(value: T): T {
  return secrets.size === 0 ? value : (redactedValue(value) as T);
}

function redactedValue(value: unknown): unknown {
  if (typeof value === 'string') return holdsSecret(value) ? redacted(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(redactedValue);
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const clean = entries.map(([key, of]) => [redacted(key), redactedValue(of)] as const);
  const isSame = clean.every(
    ([key, of], at) => key === entries[at]?.[0] && of === entries[at]?.[1],
  );
  return isSame ? value : Object.fromEntries(clean);
}

/** Redacts a text that comes in pieces, of which any two can have a secret between them. */
export class RedactedStream {
  #held = '';

  /** What can be told by now: an end that may be the beginning of a secret is held back. */
  push(piece: string): string {
    const text = redacted(this.#held + piece);
    const from = startOfSecret(text);
    this.#held = text.slice(from);
    return text.slice(0, from);
  }

  /** What was held back, once nothing more comes. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** Where the longest end of a text begins that a secret begins with; the text's length for none. */
function startOfSecret(text: string): number {
  let start = text.length;
  for (const secret of secrets) {
    const longest = Math.min(secret.length - 1, text.length);
    for (let length = longest; length > 0; length -= 1) {
      if (!text.endsWith(secret.slice(0, length))) continue;
      start = Math.min(start, text.length - length);
      break;
    }
  }
  return start;
}
