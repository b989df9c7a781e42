/**
 * The API keys that must never appear anywhere. They belong to the process, not to a session or
 * window, so one set holds them all.
 */
const secrets = new Set<string>();

/** Shorter values, such as `none` for a local server, are ordinary words. */
const SHORTEST_SECRET = 8;

/** Replaces a secret. */
export const SECRET_MARK = '[API key]';

/** From now on, keeps a value out of everything written, shown or passed to a process. */
export function keepSecret(value: string | undefined): void {
  const secret = value?.trim() ?? '';
  if (secret.length >= SHORTEST_SECRET) secrets.add(secret);
}

export function holdsSecret(text: string): boolean {
  for (const secret of secrets) if (text.includes(secret)) return true;
  return false;
}

/** Replaces every secret in a text by a mark. */
export function redacted(text: string): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, SECRET_MARK);
  return clean;
}

/** Replaces every secret in the texts of a value; returns the same value when there is none. */
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

/** Redacts a text that arrives in pieces; a secret can span two of them. */
export class RedactedStream {
  #held = '';

  /** The text that is safe to show; a possible start of a secret is held back. */
  push(piece: string): string {
    const text = redacted(this.#held + piece);
    const from = startOfSecret(text);
    this.#held = text.slice(from);
    return text.slice(0, from);
  }

  /** The text held back, once the stream has ended. */
  end(): string {
    const held = this.#held;
    this.#held = '';
    return held;
  }
}

/** Index of the longest suffix that starts a secret; the text's length for none. */
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
