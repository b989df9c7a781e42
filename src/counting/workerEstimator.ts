import { CachedEstimator } from './cachedEstimator';
import type { CalibrationOptions } from './calibrationStore';
import { WorkerCounts, type WorkerCountsOptions } from './workerCounts';

export interface WorkerEstimatorOptions extends WorkerCountsOptions {
  /** For whom the first model is and where calibrations outlive the process. */
  readonly calibration?: Omit<CalibrationOptions, 'onProblem'>;
}

/** An estimator that counts in a worker thread; without the worker it goes on by character classes. */
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

  /** Ends the worker; estimates still answer. */
  dispose(): Promise<void> {
    return this.#counts.dispose();
  }
}
