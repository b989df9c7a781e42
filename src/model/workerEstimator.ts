import { CachedEstimator } from './cachedEstimator';
import type { CalibrationOptions } from './calibration';
import { Worker } from 'node:worker_threads';
import type { CountAnswer, CountRequest } from './countWorker';

export interface WorkerEstimatorOptions extends WorkerCountsOptions {
  /** The first model's server, and where calibrations are kept when the process ends. */
  readonly calibration?: Omit<CalibrationOptions, 'onProblem'>;
}

/**
 * An estimator that counts in a worker thread; without the worker it goes on with character
 * classes.
 */
export class WorkerEstimator extends CachedEstimator {
  readonly #counts: WorkerCounts;

  constructor(model: string, options: WorkerEstimatorOptions) {
    const counts = new WorkerCounts(options);
    const { calibration, onProblem } = options;
    super(model, (texts) => counts.count(texts), {
      ...calibration,
      ...(onProblem === undefined ? {} : { onProblem }),
    });
    this.#counts = counts;
  }

  /** Ends the worker; estimates still work. */
  dispose(): Promise<void> {
    return this.#counts.dispose();
  }
}

interface WorkerCountsOptions {
  /** Path of the bundled worker, dist/countWorker.js. */
  readonly workerPath: string;
  /** Called once when counting has failed for good; with a sentence for the log. */
  readonly onProblem?: (message: string) => void;
  /** Time one batch may take before the worker is given up, in ms. */
  readonly timeoutMs?: number;
}

interface Waiting {
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

const TIMEOUT_MS = 30_000;

/**
 * Counts texts in a worker thread that starts with the first request.
 *
 * The worker keeps the process alive only while an answer is due. Once it fails it stays off: every
 * later request is rejected at once.
 */
class WorkerCounts {
  readonly #options: WorkerCountsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #ended: string | undefined;
  #lastId = 0;

  constructor(options: WorkerCountsOptions) {
    this.#options = options;
  }

  /** Asks the worker for the o200k_base tokens of texts; rejects when it cannot answer. */
  count(texts: readonly string[]): Promise<readonly number[]> {
    if (this.#ended !== undefined) return Promise.reject(new Error(this.#ended));
    return new Promise((resolve, reject) => {
      const id = (this.#lastId += 1);
      const limit = this.#options.timeoutMs ?? TIMEOUT_MS;
      const timer = setTimeout(
        () => this.#fail(`Counting took longer than ${limit / 1000} s.`),
        limit,
      );
      this.#waiting.set(id, { resolve, reject, timer });
      try {
        this.#worker ??= this.#start();
        this.#worker.ref();
        this.#worker.postMessage({ id, texts } satisfies CountRequest);
      } catch (error) {
        this.#fail(String(error));
      }
    });
  }

  /** Ends the worker; requests under way are rejected and nothing is reported. */
  async dispose(): Promise<void> {
    const worker = this.#worker;
    this.#end('The token counter was closed.');
    await worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#options.workerPath);
    worker.on('message', (answer: CountAnswer) => this.#take(answer));
    worker.on('error', (error) => this.#fail(String(error)));
    worker.on('exit', (code) => this.#fail(`The worker ended with code ${code}.`));
    return worker;
  }

  #take(answer: CountAnswer): void {
    if ('problem' in answer) {
      this.#fail(answer.problem);
      return;
    }
    const waiting = this.#waiting.get(answer.id);
    if (waiting === undefined) return;
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    waiting.resolve(answer.counts);
    if (this.#waiting.size === 0) this.#worker?.unref();
  }

  #fail(cause: string): void {
    if (this.#ended !== undefined) return;
    const worker = this.#worker;
    this.#end(`The token counter stopped, so estimates get rougher. ${cause}`);
    void worker?.terminate();
    this.#options.onProblem?.(this.#ended ?? cause);
  }

  #end(why: string): void {
    this.#ended ??= why;
    this.#worker = undefined;
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(new Error(why));
    }
    this.#waiting.clear();
  }
}
