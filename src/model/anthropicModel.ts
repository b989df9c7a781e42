import type Anthropic from '@anthropic-ai/sdk';
import { APIError, type Middleware } from '@anthropic-ai/sdk';
import { type Clock, REAL_CLOCK } from '../agent/clock';
import type { Model, ModelEvent, ModelFailure, ModelRequest, ModelResult } from '../agent/model';
import { RetryingModel } from '../agent/retryingModel';
import { whileRunning } from '../agent/whileRunning';
import { type Client, type ClientOptions, isOfficial, keyOf, makeClient } from './client';
import { CheckedCounter, CompatibleModel } from './compatibleModel';
import { CompatibleServer } from './compatibleServer';
import { ABORTED, failureOf, streamCut } from './failure';
import { AnthropicModelCatalog } from './modelCatalog';
import { ReplyBuilder, TooManyBlocksError } from './replyBuilder';
import { contextEditingOf, messagesBody } from './requestBody';
import { type LearnedAbilities, serverName } from './serverAbilities';
import { AnthropicTokenCounter } from './tokenCounter';

/** Default for the longest time without a byte; ms. */
const IDLE_MS = 90_000;

/** The longest period that a timer supports; ms. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

interface AnthropicModelOptions {
  /** Longest time without a byte of a reply; ms, 0 for no limit. */
  readonly idleMs?: number;
  readonly clock?: Clock;
}

/**
 * A model behind the Messages API, or behind a compatible server. Sends each request once:
 * `RetryingModel` retries.
 */
export class AnthropicModel implements Model {
  readonly #client: Client;
  readonly #idleMs: number;
  readonly #clock: Clock;

  constructor(client: Client, options: AnthropicModelOptions = {}) {
    this.#client = client;
    this.#idleMs = options.idleMs ?? IDLE_MS;
    this.#clock = options.clock ?? REAL_CLOCK;
  }

  async *ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, ModelResult> {
    // Ends the request when the signal aborts, or when the generator is abandoned.
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
      // The watch ends silent requests; the SDK's own limit would also end busy ones.
      timeout: LONGEST_TIMEOUT_MS,
      middleware: [watch.middleware],
    });
    const builder = new ReplyBuilder(request.model);
    try {
      for await (const event of stream) {
        const news = builder.take(event);
        if (news !== undefined) tell(news);
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
 * A broken connection is an error with a cause. An error without one is ours: the event is
 * unreadable, and would be again.
 */
function brokenBy(error: unknown): ModelFailure {
  if (error instanceof TooManyBlocksError) return streamCut(error.message, false);
  return error instanceof Error && error.cause !== undefined
    ? streamCut('the connection was lost.')
    : streamCut('the server sent something that is not an event.', false);
}

/** Silence is reported after this long, or after half of a shorter limit; ms. */
const TOLD_AFTER_MS = 20_000;

/** The timer runs at least this often, since no timer can be set to months; ms. */
const LOOKED_AFTER_MS = 60_000;

/** Bytes that every reply may have, and bytes that each of its tokens may take. */
const BYTES_AT_LEAST = 1024 * 1024;
const BYTES_FOR_A_TOKEN = 1024;

/** Limits of a reply in time and memory. */
interface StreamLimits {
  /** Longest time without a byte, pings included; ms, 0 for no limit. */
  readonly idleMs: number;
  /** Maximum tokens of the reply. */
  readonly maxTokens: number;
}

/**
 * Watches the bytes of one reply from the moment the request is sent. Reports silence, and ends a
 * reply that stays silent or grows beyond any reply of its tokens.
 */
export class StreamWatch {
  /** Settles with the failure when a limit is reached, otherwise never. */
  readonly cut: Promise<ModelFailure>;
  /** Aborts then, to close the connection. */
  readonly signal: AbortSignal;
  readonly #closing = new AbortController();
  readonly #tellAfterMs: number;
  #failed: (failure: ModelFailure) => void = () => undefined;
  #cancel: () => void = () => undefined;
  #heardAt: number;
  #isReported = false;
  #bytes = 0;

  constructor(
    private readonly limits: StreamLimits,
    private readonly clock: Clock,
    private readonly tell: (event: ModelEvent) => void,
  ) {
    this.signal = this.#closing.signal;
    this.cut = new Promise((resolve) => (this.#failed = resolve));
    this.#heardAt = clock.now();
    const { idleMs } = limits;
    this.#tellAfterMs = idleMs > 0 ? Math.min(TOLD_AFTER_MS, idleMs / 2) : TOLD_AFTER_MS;
    this.#wait();
  }

  /** Passes the bytes of a reply through and counts them. */
  readonly middleware: Middleware = async (request, next) => {
    const response = await next(request);
    this.#heard(0);
    if (response.body === null) return response;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, out) => {
        this.#heard(chunk.byteLength);
        out.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
  };

  /** Ends the watch: the reply is complete, or no longer wanted. */
  end(): void {
    this.#cancel();
  }

  #heard(bytes: number): void {
    this.#heardAt = this.clock.now();
    if (this.#isReported) this.tell({ type: 'heardAgain' });
    this.#isReported = false;
    this.#bytes += bytes;
    const { maxTokens } = this.limits;
    if (this.#bytes <= BYTES_AT_LEAST + maxTokens * BYTES_FOR_A_TOKEN) return;
    this.#end(
      streamCut(
        `the server sent more than a reply of ${maxTokens} tokens can take ` +
          `(${Math.floor(this.#bytes / 1024 / 1024)} MB).`,
        false,
      ),
    );
  }

  #wait(): void {
    const { idleMs } = this.limits;
    const quietMs = this.clock.now() - this.#heardAt;
    const dueMs = [
      ...(idleMs > 0 ? [idleMs] : []),
      ...(this.#isReported ? [] : [this.#tellAfterMs]),
    ];
    const leftMs = Math.max(0, Math.min(...dueMs) - quietMs);
    this.#cancel = this.clock.after(Math.min(leftMs, LOOKED_AFTER_MS), () => this.#look());
  }

  #look(): void {
    const { idleMs } = this.limits;
    const quietMs = this.clock.now() - this.#heardAt;
    if (idleMs > 0 && quietMs >= idleMs) {
      return this.#end(
        streamCut(`nothing came for ${idleMs / 1000} s, the limit set by plimsoll.idleLimit.`),
      );
    }
    if (quietMs >= this.#tellAfterMs && !this.#isReported) {
      this.#isReported = true;
      const until = idleMs > 0 ? this.#heardAt + idleMs : undefined;
      this.tell({ type: 'silent', since: this.#heardAt, until });
    }
    this.#wait();
  }

  #end(failure: ModelFailure): void {
    this.#cancel();
    this.#failed(failure);
    this.#closing.abort();
  }
}

interface ConnectOptions extends ClientOptions, AnthropicModelOptions {
  /** The known abilities of compatible servers; without them, the server can do everything. */
  readonly learned?: LearnedAbilities;
}

/** Connects to a server that speaks the Messages API, with one client for all requests. */
export function connect({ idleMs, clock, learned, ...options }: ConnectOptions) {
  const client = makeClient(options);
  const model = new AnthropicModel(client, { idleMs, clock });
  const counter = new AnthropicTokenCounter(client);
  const catalog = new AnthropicModelCatalog(client);
  if (learned === undefined || isOfficial(client)) {
    return { model: new RetryingModel(model, clock), counter, catalog };
  }
  const server = new CompatibleServer(serverName(client.baseURL), learned);
  const checked = new CheckedCounter(counter, server);
  const compatible = new CompatibleModel(model, checked, server);
  return { model: new RetryingModel(compatible, clock), counter: checked, catalog };
}
