import { Worker } from 'node:worker_threads';
import { errorText } from '../../contextWindow/result';
import type { SessionFinder } from '../../recordings/lens/findSessions';
import type { FoundSessions } from '../../recordings/lens/foundSession';

/** Tells dist/recordingWorker.js to find sessions until it is ended. */
export const FINDS_SESSIONS = { findsSessions: true } as const;

type Search = Parameters<SessionFinder['find']>;

/** One search for the worker. */
export interface FindRequest {
  readonly id: number;
  readonly search: Search;
}

/** What it found, or why it found nothing. */
export type FindAnswer =
  | { readonly id: number; readonly found: FoundSessions }
  | { readonly id: number; readonly problem: string };

/**
 * Finds sessions in a thread that starts with the first search and keeps what their files said: the
 * databases of some agents can only be read by waiting for them.
 */
export class FindingThread {
  readonly #waiting = new Map<number, (found: FoundSessions) => void>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isDisposed = false;

  /** `workerPath` is the path of dist/recordingWorker.js; a search may take `longest` ms. */
  constructor(
    private readonly workerPath: string,
    private readonly longest = LONGEST_SEARCH,
  ) {}

  async find(...search: Search): Promise<FoundSessions> {
    if (this.#isDisposed) return NOTHING;
    let limit: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise((resolve) => {
        this.#worker ??= this.#start();
        this.#lastId += 1;
        const id = this.#lastId;
        this.#waiting.set(id, resolve);
        const seconds = Math.round(this.longest / 1_000);
        const tooLong = notFound(`it took more than ${seconds} s`);
        limit = setTimeout(() => this.#end(tooLong), this.longest);
        this.#worker.postMessage({ id, search } satisfies FindRequest);
      });
    } catch (error) {
      return notFound(errorText(error));
    } finally {
      clearTimeout(limit);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#end(NOTHING);
  }

  #start(): Worker {
    const worker = new Worker(this.workerPath, { workerData: FINDS_SESSIONS });
    const fail = (cause: string): void => {
      if (worker === this.#worker) this.#end(notFound(cause));
    };
    worker.on('message', (answer: FindAnswer) => {
      const { id } = answer;
      this.#waiting.get(id)?.('found' in answer ? answer.found : notFound(answer.problem));
      this.#waiting.delete(id);
    });
    worker.on('error', (error) => fail(errorText(error)));
    worker.on('exit', (code) => fail(`its thread ended with code ${code}`));
    return worker;
  }

  /** Answers all searches; the next one starts a thread again. */
  #end(found: FoundSessions): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    for (const resolve of this.#waiting.values()) resolve(found);
    this.#waiting.clear();
  }
}

/** A database that another program holds may never answer; ms. */
const LONGEST_SEARCH = 60_000;

const NOTHING: FoundSessions = { sessions: [], problems: [] };

function notFound(cause: string): FoundSessions {
  const problem = `The sessions of other agents could not be listed (${cause}). Refresh the view to try again.`;
  return { sessions: [], problems: [problem] };
}
