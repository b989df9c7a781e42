import type Anthropic from '@anthropic-ai/sdk';
import { APIError } from '@anthropic-ai/sdk';
import { REAL_CLOCK, type Clock } from '../agent/clock';
import { whileRunning } from '../agent/whileRunning';
import type { Model, ModelEvent, ModelFailure, ModelRequest, ModelResult } from '../agent/model';
import { keyOf } from './client';
import { ABORTED, failureOf, streamCut } from './failure';
import { ReplyBuilder, TooManyBlocksError } from './replyBuilder';
import { StreamWatch } from './streamWatch';
import { messagesBody } from './requestBody';
import { contextEditingOf } from './contextEditing';

/** Longest time without a byte where nobody says otherwise; ms. */
const IDLE_MS = 90_000;

/** The longest a timer can be set to; ms. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export interface AnthropicModelOptions {
  /** Longest time without a byte of an answer; ms, 0 for no limit. */
  readonly idleMs?: number;
  readonly clock?: Clock;
}

/**
 * A model behind the Messages API, or behind a server that speaks it. A request is sent once:
 * `RetryingModel` sends it again.
 */
export class AnthropicModel implements Model {
  readonly #client: Anthropic;
  readonly #idleMs: number;
  readonly #clock: Clock;

  constructor(client: Anthropic, options: AnthropicModelOptions = {}) {
    this.#client = client;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#clock = options.clock ?? REAL_CLOCK;
  }

  async *ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, ModelResult> {
    // Ends the request when the signal aborts, and when nobody listens to the generator any more.
    const ending = new AbortController();
    const end = () => ending.abort();
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
    try {
      return yield* whileRunning<ModelEvent, ModelResult>((tell) =>
        Promise.race([this.#run(request, ending.signal, tell), stopped(ending.signal)]),
      );
    } finally {
      signal.removeEventListener('abort', end);
      end();
    }
  }

  async #run(
    request: ModelRequest,
    signal: AbortSignal,
    tell: (event: ModelEvent) => void,
  ): Promise<ModelResult> {
    const tellWhileAsked = (event: ModelEvent) => {
      if (!signal.aborted) tell(event);
    };
    const limits = { idleMs: this.#idleMs, maxTokens: request.maxTokens };
    const watch = new StreamWatch(limits, this.#clock, tellWhileAsked);
    try {
      return await Promise.race([
        this.#stream(request, signal, watch, tellWhileAsked),
        watch.cut.then(failed),
      ]);
    } catch (error) {
      return failed(signal.aborted ? ABORTED : this.#failureOf(error));
    } finally {
      watch.end();
    }
  }

  async #stream(
    request: ModelRequest,
    signal: AbortSignal,
    watch: StreamWatch,
    tell: (event: ModelEvent) => void,
  ): Promise<ModelResult> {
    const { data: stream, response } = await this.#open(request, {
      signal: AbortSignal.any([signal, watch.signal]),
      maxRetries: 0,
      // The watch ends what says nothing; the SDK's own limit would end what is at work.
      timeout: LONGEST_TIMEOUT_MS,
      middleware: [watch.middleware],
    });
    const builder = new ReplyBuilder(request.model);
    try {
      for await (const event of stream) {
        const told = builder.take(event);
        if (told !== undefined) tell(told);
      }
    } catch (error) {
      if (signal.aborted) return failed(ABORTED);
      // `event: error` comes from the server itself; anything else means that a line or the
      // connection broke.
      return failed(error instanceof APIError ? this.#failureOf(error) : brokenBy(error));
    }
    if (signal.aborted) return failed(ABORTED);
    const reply = builder.finish();
    if (reply !== undefined) return { ok: true, reply };
    const type = response.headers.get('content-type') ?? 'no content type';
    return failed(
      type.startsWith('text/event-stream')
        ? streamCut('the server closed the connection.')
        : streamCut(
            `the server sent ${type} instead of a stream of events. Check plimsoll.baseUrl.`,
            false,
          ),
    );
  }

  /** Sends the request; to the beta endpoint only if it asks for something that is beta. */
  #open(request: ModelRequest, options: Anthropic.RequestOptions) {
    const body = { ...messagesBody(request), stream: true } as const;
    const editing = contextEditingOf(request);
    return editing === undefined
      ? this.#client.messages.create(body, options).withResponse()
      : this.#client.beta.messages.create({ ...body, ...editing }, options).withResponse();
  }

  #failureOf(error: unknown): ModelFailure {
    const { baseURL } = this.#client;
    return failureOf(error, { baseUrl: baseURL, secret: keyOf(this.#client) });
  }
}

function failed(failure: ModelFailure): ModelResult {
  return { ok: false, failure };
}

/** Settles when the signal aborts, however long anything else takes. */
function stopped(signal: AbortSignal): Promise<ModelResult> {
  return new Promise((resolve) => {
    const stop = () => resolve(failed(ABORTED));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/**
 * A connection that breaks is an error with a cause. An error without one is ours: we cannot read
 * an event, and would not the next time.
 */
function brokenBy(error: unknown): ModelFailure {
  if (error instanceof TooManyBlocksError) return streamCut(error.message, false);
  return error instanceof Error && error.cause !== undefined
    ? streamCut('the connection was lost.')
    : streamCut('the server sent something that is not an event.', false);
}
