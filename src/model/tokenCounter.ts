import { createHash } from 'node:crypto';
import type Anthropic from '@anthropic-ai/sdk';
import { APIError } from '@anthropic-ai/sdk';
import { LRUCache } from 'lru-cache';
import type { CountResult, ModelRequest, TokenCounter } from '../agent/model';
import { type Client, keyOf, timeLimit } from './client';
import { failureOf, retryAfterMs } from './failure';
import { isCount, shownValue } from './apiUsage';
import { type ContextEditing, contextEditingOf, countBody } from './requestBody';
import { refused } from '../contextWindow/result';

type CountBody = ReturnType<typeof countBody> & Partial<ContextEditing>;
type CountAnswer = Anthropic.MessageTokensCount &
  Partial<Pick<Anthropic.Beta.BetaMessageTokensCount, 'context_management'>>;
type Count = CountResult & { readonly ok: true };

export interface CounterOptions {
  /** How long one count may take, in ms. */
  readonly timeoutMs?: number;
  /** Maximum counts a minute. */
  readonly perMinute?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const TIMEOUT_MS = 5_000;

/** Pause after a count that took too long; ms. */
const PAUSE_MS = 60_000;

/**
 * Maximum counts a minute. A turn takes a few; more means a loop somewhere, and every other use of
 * the key shares the API's limit.
 */
const PER_MINUTE = 60;

/** Maximum counts cached; one is 64 characters and two numbers. */
const CACHE_SIZE = 1_000;

const STOPPED: CountResult = refused('The count was stopped.');

/**
 * Counts the tokens of requests through the API, once for each content and no more often than the
 * API allows. Every failure returns immediately with its reason, so that the estimate is used and
 * marked as one. Reasons hold no changing numbers, so that a repeated one is reported only once.
 */
export class AnthropicTokenCounter implements TokenCounter {
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #counts = new LRUCache<string, Count>({ max: CACHE_SIZE });
  /** Why a model's requests cannot be counted here, once that is certain. */
  readonly #refusals = new Map<string, string>();
  readonly #asking = new SharedWork<CountResult>();
  readonly #allowance: RequestAllowance;
  readonly #perMinute: number;
  #pause: { readonly until: number; readonly message: string } | undefined;

  constructor(client: Client, options: CounterOptions = {}) {
    const { timeoutMs = TIMEOUT_MS, perMinute = PER_MINUTE, now = Date.now } = options;
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#perMinute = perMinute;
    this.#now = now;
    this.#allowance = new RequestAllowance(perMinute, now);
  }

  async count(request: ModelRequest, signal: AbortSignal): Promise<CountResult> {
    const body = { ...countBody(request), ...contextEditingOf(request) };
    const key = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    for (;;) {
      const known = this.#counts.get(key);
      if (known !== undefined) return known;
      if (signal.aborted) return STOPPED;
      const asking = this.#asking.join(key);
      if (asking === undefined) break;
      const result = await untilStopped(asking, signal);
      // The first caller may have stopped; then the others ask again.
      if (result !== STOPPED) return result;
    }
    const refusal = this.#refusal(request.model);
    if (refusal !== undefined) {
      return this.#refusals.has(request.model)
        ? { ok: false, message: refusal, isFinal: true }
        : refused(refusal);
    }
    return this.#asking.start(key, () => this.#ask(body, key, signal));
  }

  async #ask(body: CountBody, key: string, signal: AbortSignal): Promise<CountResult> {
    const limit = timeLimit(signal, this.#timeoutMs);
    try {
      const options = { signal: limit.signal, maxRetries: 0 };
      // Only the beta endpoint counts requests that the API edits.
      const asking: PromiseLike<CountAnswer> =
        body.betas === undefined
          ? this.#client.messages.countTokens(body, options)
          : this.#client.beta.messages.countTokens(body, options);
      const { input_tokens: tokens, context_management: edited } = await limit.race(asking);
      const before = edited?.original_input_tokens ?? undefined;
      const said = before === undefined ? [tokens] : [tokens, before];
      const wrong = said.findIndex((count) => !isCount(count) || count === 0);
      if (wrong !== -1) {
        const message = `The server counted ${shownValue(said[wrong])} tokens, which is impossible.`;
        return { ok: false, message, isFinal: true };
      }
      const count = {
        ok: true,
        tokens,
        beforeContextEdits: before,
      } as const;
      this.#counts.set(key, count);
      return count;
    } catch (error) {
      if (signal.aborted) return STOPPED;
      const message = this.#failed(error, body.model, limit.isOver());
      return this.#refusals.has(body.model)
        ? { ok: false, message, isFinal: true }
        : refused(message);
    } finally {
      limit.clear();
    }
  }

  /** Explains a failed count and decides when to ask again. */
  #failed(error: unknown, model: string, isTimeout: boolean): string {
    if (isTimeout) {
      const message = `The server did not count the tokens within ${this.#timeoutMs / 1000} s; Plimsoll asks again in a minute.`;
      this.#pause = { until: this.#now() + PAUSE_MS, message };
      return message;
    }
    const { baseURL } = this.#client;
    const failure = failureOf(error, { baseUrl: baseURL, secret: keyOf(this.#client) });
    if (failure.status === 404 || failure.status === 501) {
      const message = `This server does not count tokens for ${model} (${failure.status}); Plimsoll does not ask it again.`;
      this.#refusals.set(model, message);
      return message;
    }
    const failed = `Counting tokens failed: ${failure.message}`;
    const now = this.#now();
    const pauseMs = error instanceof APIError ? retryAfterMs(error.headers, now) : undefined;
    if (pauseMs === undefined) return failed;
    const message = `${failed} Plimsoll asks again after the ${Math.ceil(pauseMs / 1000)} s the server requested.`;
    this.#pause = { until: now + pauseMs, message };
    return message;
  }

  /** Why a request may not be sent now; if undefined, it is sent and counted. */
  #refusal(model: string): string | undefined {
    const forGood = this.#refusals.get(model);
    if (forGood !== undefined) return forGood;
    const pause = this.#pause;
    if (pause !== undefined && this.#now() < pause.until) return pause.message;
    if (this.#allowance.take()) return undefined;
    return `The server was not asked: more than ${this.#perMinute} counts a minute were needed.`;
  }
}

/** Waits for another caller's work, at most until the signal aborts. */
function untilStopped(work: Promise<CountResult>, signal: AbortSignal): Promise<CountResult> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(STOPPED);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const MINUTE_MS = 60_000;

/**
 * Allows a number of requests a minute and saves unused ones up to that number (a token bucket).
 * Never waits: the caller skips a request that is not allowed.
 */
export class RequestAllowance {
  readonly #perMinute: number;
  readonly #now: () => number;
  #left: number;
  #countedAt: number;

  /** `now` in ms; the clock may jump, and going back gives no requests. */
  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#left = perMinute;
    this.#countedAt = now();
  }

  /** Says whether one more request may be sent, and counts it if so. */
  take(): boolean {
    const now = this.#now();
    const earned = (Math.max(0, now - this.#countedAt) * this.#perMinute) / MINUTE_MS;
    this.#left = Math.min(this.#perMinute, this.#left + earned);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/** Runs work once for all callers that ask for the same while it is running. */
class SharedWork<T> {
  readonly #underWay = new Map<string, Promise<T>>();

  /** The running work for a key; undefined when there is none. */
  join(key: string): Promise<T> | undefined {
    return this.#underWay.get(key);
  }

  /**
   * Starts the work for a key that has none running; forgets it before any caller learns of its
   * end.
   */
  start(key: string, work: () => Promise<T>): Promise<T> {
    const working = work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, working);
    return working;
  }
}
