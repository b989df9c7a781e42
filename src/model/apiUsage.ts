import { plusUsage, type Usage } from '../contextWindow/account/spending';
import { isObject } from '../contextWindow/json';

/** The API's names for the parts of a prompt and of a reply. */
const PROMPT = {
  input_tokens: 'inputTokens',
  cache_creation_input_tokens: 'cacheCreationTokens',
  cache_read_input_tokens: 'cacheReadTokens',
} as const;
const REPLY = { output_tokens: 'outputTokens' } as const;

const NO_PROMPT = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0 };

/** Tokens before the API reports any. */
const NO_USAGE: Usage = { ...NO_PROMPT, outputTokens: 0 };

/**
 * Collects the token counts that a reply reports while it streams; compatible servers leave some
 * out. Counts of the reply are cumulative, so the highest one wins. Of the prompt the last numbers
 * win: Ollama begins with a rough estimate, and vLLM counts cached tokens twice until it knows them.
 * Null is ignored, and so are zeros, except for input beside cached tokens. Ignores impossible
 * numbers. If one of them belongs to the prompt, its size is unknown, since the rest would be too low.
 */
export class HeardUsage {
  #usage = NO_USAGE;
  #compaction: Usage | undefined;
  readonly #wrong = new Set<string>();

  /** Reads the `usage` of an event, whatever the server put there. */
  hear(said: unknown): void {
    if (said === null || said === undefined) return;
    if (!isObject(said)) return void this.#wrong.add('usage');
    this.#usage = { ...this.#later(this.#usage, said), ...hourIn(said), ...thinkingIn(said) };
    this.#compaction = this.#compactionIn(said['iterations']) ?? this.#compaction;
  }

  get tokens(): Usage {
    const prompt = Object.keys(PROMPT).some((name) => this.#wrong.has(name)) ? NO_PROMPT : {};
    return { ...this.#usage, ...prompt };
  }

  /** Usage of the API's own compactions; undefined without any. */
  get compaction(): Usage | undefined {
    return this.#compaction;
  }

  /** For the user: the numbers that were ignored. */
  get problems(): readonly string[] {
    if (this.#wrong.size === 0) return [];
    const names = [...this.#wrong].join(', ');
    return [
      `The server reported an impossible token usage, which Plimsoll ignored: ${names}. ` +
        'The tokens and cost of this request are unknown.',
    ];
  }

  #later(usage: Usage, said: Readonly<Record<string, unknown>>): Usage {
    const later: Record<string, number> = { ...usage };
    const counts = Object.entries({ ...PROMPT, ...REPLY }).flatMap(([name, own]) => {
      const value = said[name];
      if (isCount(value)) return [[own, value] as const];
      if (value !== null && value !== undefined) this.#wrong.add(name);
      return [];
    });
    const isPrompt = (own: string) => own !== REPLY.output_tokens;
    const knowsPrompt = counts.some(([own, count]) => isPrompt(own) && count > 0);
    for (const [own, count] of counts) {
      if (!isPrompt(own)) later[own] = Math.max(later[own] ?? 0, count);
      // Nothing but cached tokens is possible.
      else if (count > 0 || (knowsPrompt && own === PROMPT.input_tokens)) later[own] = count;
    }
    return { ...usage, ...later };
  }

  #usageOf(run: Readonly<Record<string, unknown>>): Usage {
    return { ...this.#later(NO_USAGE, run), ...hourIn(run) };
  }

  /** Adds up the model runs that compacted; the reply's own numbers exclude them. */
  #compactionIn(iterations: unknown): Usage | undefined {
    if (iterations === null || iterations === undefined) return undefined;
    if (!Array.isArray(iterations)) return void this.#wrong.add('iterations');
    const runs = iterations.filter(isObject).filter(({ type }) => type === 'compaction');
    if (runs.length === 0) return undefined;
    const total = runs.map((run) => this.#usageOf(run)).reduce(plusUsage);
    if (Object.values(total).every(isCount)) return total;
    return void this.#wrong.add('iterations');
  }
}

/**
 * The thinking tokens of a reply; undefined if there was none or the server does not report them.
 */
function thinkingIn(said: Readonly<Record<string, unknown>>): Pick<Usage, 'thinkingTokens'> {
  const details = said['output_tokens_details'];
  const tokens = isObject(details) ? details['thinking_tokens'] : undefined;
  return isCount(tokens) && tokens > 0 ? { thinkingTokens: tokens } : {};
}

/** The tokens written to the cache for 1 hour; undefined if there are none. */
function hourIn(said: Readonly<Record<string, unknown>>): Pick<Usage, 'cacheCreation1hTokens'> {
  const written = said['cache_creation'];
  const tokens = isObject(written) ? written['ephemeral_1h_input_tokens'] : undefined;
  return isCount(tokens) && tokens > 0 ? { cacheCreation1hTokens: tokens } : {};
}

/** Larger token counts from a server are a mistake or an attack. */
const MOST_TOKENS = 1_000_000_000;

/** Says whether a server's value can be a count. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;
}

/** Describes a server's value in a message for the user, however long it is. */
export function shownValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
