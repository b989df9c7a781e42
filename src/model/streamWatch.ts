import type { Middleware } from '@anthropic-ai/sdk';
import type { Clock } from '../agent/clock';
import type { ModelEvent, ModelFailure } from '../agent/model';
import { streamCut } from './failure';

/** Silence is told while it goes on: after this, or after half of a limit that is short; ms. */
const TOLD_AFTER_MS = 20_000;

/** It is looked at least as often as this, since no timer can be set to months; ms. */
const LOOKED_AFTER_MS = 60_000;

/** What every reply may have, and what each token of it may take with all that is around it; bytes. */
const BYTES_AT_LEAST = 1024 * 1024;
const BYTES_FOR_A_TOKEN = 1024;

/** What a reply may take of time and memory. */
export interface StreamLimits {
  /** Longest time without a byte, pings included; ms, 0 for no limit. */
  readonly idleMs: number;
  /** Most tokens of the reply. */
  readonly maxTokens: number;
}

/**
 * Watches the bytes of one answer, from the moment the request is sent: tells when nothing comes, and
 * ends what stays silent or grows beyond any reply of its tokens.
 */
export class StreamWatch {
  /** Settles with the failure when a limit is reached, else never. */
  readonly cut: Promise<ModelFailure>;
  /** Aborts then, so that the connection is closed. */
  readonly signal: AbortSignal;
  readonly #closing = new AbortController();
  readonly #tellAfterMs: number;
  #failed: (failure: ModelFailure) => void = () => undefined;
  #cancel: () => void = () => undefined;
  #heardAt: number;
  #isTold = false;
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

  /** Lets the bytes of an answer through and counts them. */
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

  /** Ends the watch: the answer is there, or nobody waits for it. */
  end(): void {
    this.#cancel();
  }

  #heard(bytes: number): void {
    this.#heardAt = this.clock.now();
    if (this.#isTold) this.tell({ type: 'heardAgain' });
    this.#isTold = false;
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
    const dueMs = [...(idleMs > 0 ? [idleMs] : []), ...(this.#isTold ? [] : [this.#tellAfterMs])];
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
    if (quietMs >= this.#tellAfterMs && !this.#isTold) {
      this.#isTold = true;
      const until = idleMs > 0 ? { until: this.#heardAt + idleMs } : {};
      this.tell({ type: 'silent', since: this.#heardAt, ...until });
    }
    this.#wait();
  }

  #end(failure: ModelFailure): void {
    this.#cancel();
    this.#failed(failure);
    this.#closing.abort();
  }
}
