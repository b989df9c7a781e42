import type { Usage } from '../contextWindow/account/spending';
import { isObject } from '../contextWindow/json';

/** The API's names of what makes a prompt, and of what it led to. */
const PROMPT = {
  input_tokens: 'inputTokens',
  cache_creation_input_tokens: 'cacheCreationTokens',
  cache_read_input_tokens: 'cacheReadTokens',
} as const;
const REPLY = { output_tokens: 'outputTokens' } as const;

const NO_PROMPT = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };

/** Tokens before anything was heard. */
const NO_USAGE: Usage = { ...NO_PROMPT, outputTokens: 0 };

/**
 * The tokens that an answer names while it streams, and no others: compatible servers leave fields
 * out. Numbers are cumulative, so the highest one counts, and null says nothing. One that cannot be
 * a number of tokens is not used; if it is of the prompt, nothing is known of the prompt, since the
 * rest would be too little.
 */
export class HeardUsage {
  #usage = NO_USAGE;
  #compaction: Usage | undefined;
  readonly #wrong = new Set<string>();

  /** Takes in the `usage` of an event, whatever the server put there. */
  hear(said: unknown): void {
    if (said === null || said === undefined) return;
    if (!isObject(said)) return void this.#wrong.add('usage');
    this.#usage = { ...this.#later(this.#usage, said), ...thinkingIn(said) };
    this.#compaction = this.#compactionIn(said['iterations']) ?? this.#compaction;
  }

  get tokens(): Usage {
    const prompt = Object.keys(PROMPT).some((name) => this.#wrong.has(name)) ? NO_PROMPT : {};
    return { ...this.#usage, ...prompt };
  }

  /** What the API's own compactions took; undefined when there were none. */
  get compaction(): Usage | undefined {
    return this.#compaction;
  }

  /** For the user: which numbers were not used. */
  get problems(): readonly string[] {
    if (this.#wrong.size === 0) return [];
    const names = [...this.#wrong].join(', ');
    return [
      `What the server says of the tokens it used is impossible and was not used: ${names}. ` +
        'Tokens and cost of this request are not known.',
    ];
  }

  #later(usage: Usage, said: Readonly<Record<string, unknown>>): Usage {
    const later: Record<string, number> = { ...usage };
    for (const [name, own] of Object.entries({ ...PROMPT, ...REPLY })) {
      const value = said[name];
      if (isCount(value)) later[own] = Math.max(later[own] ?? 0, value);
      else if (value !== null && value !== undefined) this.#wrong.add(name);
    }
    return { ...usage, ...later };
  }

  /** Adds up each run of the model that compacted; they are not in the numbers of the answer. */
  #compactionIn(iterations: unknown): Usage | undefined {
    if (iterations === null || iterations === undefined) return undefined;
    if (!Array.isArray(iterations)) return void this.#wrong.add('iterations');
    const runs = iterations.filter(isObject).filter(({ type }) => type === 'compaction');
    if (runs.length === 0) return undefined;
    const total = runs.map((run) => this.#later(NO_USAGE, run)).reduce(plus);
    if (Object.values(total).every(isCount)) return total;
    return void this.#wrong.add('iterations');
  }
}

/** The thinking in a reply; nothing where there was none, or the server does not say. */
function thinkingIn(said: Readonly<Record<string, unknown>>): Pick<Usage, 'thinkingTokens'> {
  const details = said['output_tokens_details'];
  const tokens = isObject(details) ? details['thinking_tokens'] : undefined;
  return isCount(tokens) && tokens > 0 ? { thinkingTokens: tokens } : {};
}

function plus(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheCreationTokens: one.cacheCreationTokens + other.cacheCreationTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}

/** No number of tokens is larger than this: what a server says beyond it is a mistake or an attack. */
const MOST_TOKENS = 1_000_000_000;

/** Says whether a value from a server can be a number of tokens, or of anything else it counts. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;
}

/** Names a value from a server in a message for the user, however long it is. */
export function shownValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
