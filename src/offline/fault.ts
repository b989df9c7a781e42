import type { ApiErrorType } from './apiError';

export type FaultPath = '/v1/messages' | '/v1/messages/count_tokens' | '/v1/models';

/** A failure that happens to a valid request. */
export type FaultEffect =
  /** Answers with an error; a `body` replaces the API's JSON, as proxies do. */
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly type?: ApiErrorType;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
      readonly retryAfterMs?: number;
      readonly shouldRetry?: boolean;
      readonly body?: string;
    }
  /** Points to another address. */
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  /** Sends pings of 64 kB, or the starts of blocks, until the client disconnects. */
  | { readonly kind: 'flood'; readonly of: 'pings' | 'blocks' }
  /** Closes the connection before any answer. */
  | { readonly kind: 'drop' }
  /**
   * Sends nothing more and waits until the client gives up: before the headers, or after the first
   * delta.
   */
  | { readonly kind: 'hang'; readonly at: 'headers' | 'firstDelta' }
  /** Waits before the headers and before each delta. */
  | { readonly kind: 'slow'; readonly headersMs?: number; readonly deltaMs?: number }
  /** Ends the stream before message_stop or in the middle of a tool call's input, cleanly or by a reset. */
  | {
      readonly kind: 'cut';
      readonly at: 'messageStop' | 'toolUse';
      readonly how?: 'end' | 'reset';
    }
  /** Sends an event with data that is not JSON after the first delta. */
  | { readonly kind: 'malformed' }
  /** Sends `event: error` after the first delta and ends. */
  | { readonly kind: 'errorEvent'; readonly type: ApiErrorType; readonly message: string }
  /** Answers count_tokens with this number instead of the count. */
  | { readonly kind: 'count'; readonly inputTokens: number };

/** One scripted fault: its path, which of the path's requests it affects, and its effect. */
export interface Fault {
  readonly path: FaultPath;
  readonly effect: FaultEffect;
  /** The number of requests it affects, default 1. */
  readonly times?: number;
  /** The number of requests that pass first, default 0. */
  readonly skip?: number;
}

/** Returns scripted faults in the order they were added. */
export class FaultQueue {
  #waiting: { fault: Fault; skip: number; times: number }[] = [];

  /** Adds a fault after those still waiting. */
  add(fault: Fault): void {
    this.#waiting.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
  }

  /** Takes the fault for the next request on a path, if any. */
  take(path: FaultPath): FaultEffect | undefined {
    const next = this.#waiting.find(({ fault }) => fault.path === path);
    if (next === undefined) return undefined;
    if (next.skip > 0) {
      next.skip -= 1;
      return undefined;
    }
    next.times -= 1;
    if (next.times <= 0) this.#waiting = this.#waiting.filter((waiting) => waiting !== next);
    return next.fault.effect;
  }
}
