import { REAL_CLOCK, type Clock } from './clock';
import type { Model, ModelEvent, ModelFailure, ModelRequest, ModelResult, Patience } from './model';

/**
 * For a step: the user sees the wait and can end it; without retries they would only send the
 * prompt again.
 */
export const FOR_A_STEP: Patience = { tries: 10, longestPauseMs: 24 * 3_600_000 };

/** For a request that no one waits for, or that has a fallback. */
const FOR_A_SIDE_REQUEST: Patience = { tries: 3, longestPauseMs: 20_000 };

/**
 * The first pause when the server gives none; each further pause is twice as long, up to a minute.
 */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_OWN_PAUSE_MS = 60_000;

/**
 * Added at most to the pause a server asks for, so that clients do not all return at the same
 * moment.
 */
const SPREAD = 0.1;
const MOST_SPREAD_MS = 10_000;

const PASSING: ReadonlySet<ModelFailure['type']> = new Set([
  'rateLimited',
  'overloaded',
  'server',
  'network',
  'streamCut',
]);

/**
 * Retries a request that failed for a passing reason, after an announced pause; the only place that
 * retries. No action happens twice: a reply that broke off ran no tool call.
 */
export class RetryingModel implements Model {
  constructor(
    private readonly model: Model,
    private readonly clock: Clock = REAL_CLOCK,
  ) {}

  async *ask(
    request: ModelRequest,
    signal: AbortSignal,
    patience: Patience = FOR_A_SIDE_REQUEST,
  ): AsyncGenerator<ModelEvent, ModelResult> {
    const { tries } = patience;
    for (let attempt = 1; ; attempt++) {
      const result = yield* this.model.ask(request, signal);
      if (result.ok || signal.aborted || !isPassing(result.failure)) return result;
      const { failure } = result;
      const pauseMs = this.#pauseAfter(failure, attempt);
      if (pauseMs > patience.longestPauseMs) return tooLong(failure, pauseMs);
      if (attempt >= tries) return attempt === 1 ? result : givenUp(failure, attempt);
      const pause = new Pause(this.clock, pauseMs, signal);
      yield {
        type: 'retrying',
        attempt: attempt + 1,
        tries,
        message: reasonOf(failure),
        until: this.clock.now() + pauseMs,
        tryNow: () => pause.end(),
      };
      await pause.over;
      if (signal.aborted) return { ok: false, failure: STOPPED };
      yield { type: 'askedAgain', attempt: attempt + 1 };
    }
  }

  /** The server's pause and a little more; otherwise twice as long each time; ms. */
  #pauseAfter({ retryAfterMs }: ModelFailure, attempt: number): number {
    const random = this.clock.random();
    if (retryAfterMs !== undefined) {
      return Math.round(retryAfterMs + random * Math.min(retryAfterMs * SPREAD, MOST_SPREAD_MS));
    }
    const most = Math.min(LONGEST_OWN_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
    return Math.round(most * (0.5 + random / 2));
  }
}

const STOPPED: ModelFailure = { type: 'aborted', message: 'The request was stopped.' };

/** The server's own statement decides, if it has one. */
function isPassing({ type, isPassing: said }: ModelFailure): boolean {
  return said ?? PASSING.has(type);
}

function givenUp(failure: ModelFailure, tries: number): ModelResult {
  const message = `${failure.message} Plimsoll tried ${tries} times.`;
  return { ok: false, failure: { ...failure, message } };
}

function tooLong(failure: ModelFailure, pauseMs: number): ModelResult {
  const minutes = Math.ceil(pauseMs / 60_000);
  const message = `${failure.message} The server asks to wait ${minutes} min.`;
  return { ok: false, failure: { ...failure, message } };
}

/** What happened, without advice for the user: Plimsoll retries. */
function reasonOf({ message, status }: ModelFailure): string {
  const [sentence = message] = /^.*?\.(?=\s|$)/s.exec(message) ?? [];
  const words = sentence.replace(/\.$/, '');
  return status === undefined ? `${words}.` : `${words} (${status}).`;
}

/** A pause that ends on time, early, or when the signal aborts. */
class Pause {
  readonly over: Promise<void>;
  #end: () => void = () => undefined;

  constructor(clock: Clock, ms: number, signal: AbortSignal) {
    this.over = new Promise((resolve) => {
      const cancel = clock.after(ms, () => this.#end());
      this.#end = () => {
        cancel();
        signal.removeEventListener('abort', this.#end);
        resolve();
      };
      if (signal.aborted) this.#end();
      else signal.addEventListener('abort', this.#end, { once: true });
    });
  }

  end(): void {
    this.#end();
  }
}
