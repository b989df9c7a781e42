import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { WorkerEstimator } from '../model/workerEstimator';
import {
  comparePolicies,
  type ComparisonProgress,
  type ComparisonTask,
  type PolicyResult,
} from './comparePolicies';
import { answerTask } from './runInWorker';

/** Entry of dist/compareWorker.js, next to the count worker: handles one task and ends. */
answerTask<ComparisonProgress, readonly PolicyResult[]>(async (progressed) => {
  const task = workerData as ComparisonTask;
  // Estimates as `plimsoll replay` does: with the tokenizer, without this editor's calibration.
  const workerPath = join(__dirname, 'countWorker.js');
  const problems: string[] = [];
  const onProblem = (message: string): void => void problems.push(message);
  const estimator = new WorkerEstimator(task.model, { workerPath, onProblem });
  const newPorts = () => {
    const own = estimator.fork();
    return {
      estimate: own.estimate,
      warm: (texts: readonly string[]) => own.warm(texts),
      now: () => performance.now(),
    };
  };
  const results = await comparePolicies(task, newPorts, progressed);
  if (results === 'stopped') throw new Error('It was stopped.');
  return results.map((one) => ({ ...one, notes: [...problems, ...one.notes] }));
});
