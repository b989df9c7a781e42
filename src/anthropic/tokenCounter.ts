import { createHash } from 'node:crypto';
import type Anthropic from '@anthropic-ai/sdk';
import { APIError } from '@anthropic-ai/sdk';
import type { CountResult, ModelRequest, TokenCounter } from '../agent/model';
import { keyOf } from './client';
import { failureOf } from './failure';
import { countBody } from './requestBody';
import { retryAfterMs } from './retryAfter';
import { timeLimit } from './timeLimit';

export interface CounterOptions {
  /** How long one count may take, in ms. */
  readonly timeoutMs?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const TIMEOUT_MS = 5_000;

/** After a count that took too long the next one is not tried before this time has passed. */
const PAUSE_MS = 60_000;

/** Counts kept; one is 64 characters and a number. */
const CACHE_SIZE = 1_000;

/** Counts the tokens of requests by the API, once for each content. */
export class AnthropicTokenCounter implements TokenCounter {
  readonly #client: Anthropic;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #counts = new Map<string, number>();
  /** Why a model's requests cannot be counted here, once that is sure. */
  readonly #refusals = new Map<string, string>();
  #pause: { readonly until: number; readonly message: string } | undefined;

  constructor(client: Anthropic, { timeoutMs = TIMEOUT_MS, now = Date.now }: CounterOptions = {}) {
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  async count(request: ModelRequest, signal: AbortSignal): Promise<CountResult> {
    const body = countBody(request);
    const key = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const known = this.#recall(key);
    if (known !== undefined) return { ok: true, tokens: known };
    if (signal.aborted) return { ok: false, message: 'The count was stopped.' };
    const refusal = this.#refusals.get(request.model) ?? this.#pauseMessage();
    if (refusal !== undefined) return { ok: false, message: refusal };
    const limit = timeLimit(signal, this.#timeoutMs);
    try {
      const asking = this.#client.messages.countTokens(body, {
        signal: limit.signal,
        maxRetries: 0,
      });
      const { input_tokens: tokens } = await limit.race(asking);
      if (!Number.isInteger(tokens) || tokens <= 0) {
        return { ok: false, message: `The server counted ${tokens} tokens, which cannot be.` };
      }
      this.#remember(key, tokens);
      return { ok: true, tokens };
    } catch (error) {
      if (signal.aborted) return { ok: false, message: 'The count was stopped.' };
      return { ok: false, message: this.#failed(error, request.model, limit.isOver()) };
    } finally {
      limit.clear();
    }
  }

  /** Explains a failed count and decides when the next one may be asked for. */
  #failed(error: unknown, model: string, isTimeout: boolean): string {
    if (isTimeout) {
      const message = `The server did not count the tokens within ${this.#timeoutMs / 1000} s; it is asked again in a minute.`;
      this.#pause = { until: this.#now() + PAUSE_MS, message };
      return message;
    }
    const { baseURL } = this.#client;
    const failure = failureOf(error, { baseUrl: baseURL, secret: keyOf(this.#client) });
    if (failure.status === 404 || failure.status === 501) {
      const message = `This server does not count tokens for ${model} (${failure.status}); it is not asked again.`;
      this.#refusals.set(model, message);
      return message;
    }
    const message = `Counting tokens failed: ${failure.message}`;
    const pauseMs = error instanceof APIError ? retryAfterMs(error.headers) : undefined;
    if (pauseMs !== undefined) this.#pause = { until: this.#now() + pauseMs, message };
    return message;
  }

  #pauseMessage(): string | undefined {
    const pause = this.#pause;
    return pause !== undefined && this.#now() < pause.until ? pause.message : undefined;
  }

  #recall(key: string): number | undefined {
    const tokens = this.#counts.get(key);
    if (tokens !== undefined) this.#remember(key, tokens);
    return tokens;
  }

  /** Keeps a count as the most recently used and forgets the oldest one too many. */
  #remember(key: string, tokens: number): void {
    this.#counts.delete(key);
    this.#counts.set(key, tokens);
    const oldest = this.#counts.keys().next();
    if (this.#counts.size > CACHE_SIZE && oldest.done !== true) this.#counts.delete(oldest.value);
  }
}
