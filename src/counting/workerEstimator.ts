import { CachedEstimator } from './cachedEstimator';
import { WorkerCounts, type WorkerCountsOptions } from './workerCounts';

/** An estimator that counts in a worker thread; without the worker it goes on by character classes. */
export class WorkerEstimator extends CachedEstimator {
  readonly #counts: WorkerCounts;

  constructor(model: string, options: WorkerCountsOptions) {
    const counts = new WorkerCounts(options);
    super(model, (texts) => counts.count(texts));
    this.#counts = counts;
  }

  /** Ends the worker; estimates still answer. */
  dispose(): Promise<void> {
    return this.#counts.dispose();
  }
}
