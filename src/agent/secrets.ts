import type { AgentEvent } from './agentEvent';

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

/** Passes on what happens in a turn, with a mark in the place of each secret. */
export async function* redactedEvents<T>(
  events: AsyncGenerator<AgentEvent, T>,
): AsyncGenerator<AgentEvent, T> {
  const streams = new Map<string, { readonly stream: RedactedStream; readonly last: Streamed }>();
  const ended = function* (names: readonly string[]): Generator<AgentEvent> {
    for (const name of names) {
      const { stream, last } = streams.get(name) ?? {};
      streams.delete(name);
      const text = stream?.end() ?? '';
      if (last !== undefined && text !== '') yield { ...last, text };
    }
  };
  try {
    let next = await events.next();
    for (; next.done !== true; next = await events.next()) {
      const event = next.value;
      if (event.type === 'textDelta' || event.type === 'toolOutput') {
        const name = nameOf(event);
        const stream = streams.get(name)?.stream ?? new RedactedStream();
        const last = redactedIn(event);
        streams.set(name, { stream, last });
        const text = stream.push(event.text);
        if (text !== '') yield { ...last, text };
        continue;
      }
      yield* ended(endedBy(event));
      yield redactedIn(event);
    }
    yield* ended([...streams.keys()]);
    return redactedIn(next.value);
  } finally {
    // Who stops listening ends the turn.
    await events.return(undefined as T);
  }
}

type Streamed = Extract<AgentEvent, { readonly type: 'textDelta' | 'toolOutput' }>;

/** Several tools can run at once, each with an output of its own. */
function nameOf(event: Streamed): string {
  return event.type === 'textDelta' ? 'reply' : `output of ${event.use.id}`;
}

/** The streams that have come to their end when something else happens. */
function endedBy(event: AgentEvent): readonly string[] {
  if (event.type === 'toolFinished') return [`output of ${event.use.id}`];
  return event.type === 'replyReceived' || event.type === 'retrying' ? ['reply'] : [];
}
