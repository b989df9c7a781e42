import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { WorkerEstimator } from '../model/workerEstimator';
import {
  comparePolicies,
  type ComparisonProgress,
  type ComparisonTask,
  type PolicyResult,
} from './comparePolicies';

/** The worker's messages: its progress, and at the end the result or the error. */
export type ComparisonAnswer =
  | { readonly progress: ComparisonProgress }
  | { readonly results: readonly PolicyResult[] }
  | { readonly problem: string };

/** Entry of dist/compareWorker.js, next to the count worker: handles one task and ends. */
async function run(task: ComparisonTask): Promise<ComparisonAnswer> {
  // Estimates as `plimsoll replay` does: with the tokenizer, without this editor's calibration.
  const workerPath = join(__dirname, 'countWorker.js');
  const problems: string[] = [];
  const onProblem = (message: string): void => void problems.push(message);
  const estimator = new WorkerEstimator(task.model, { workerPath, onProblem });
  const ports = {
    estimate: estimator.estimate,
    warm: (texts: readonly string[]) => estimator.warm(texts),
    now: () => performance.now(),
  };
  const results = await comparePolicies(task, ports, (progress) => say({ progress }));
  if (results === 'stopped') return { problem: 'It was stopped.' };
  return { results: results.map((one) => ({ ...one, notes: [...problems, ...one.notes] })) };
}

function say(answer: ComparisonAnswer): void {
  parentPort?.postMessage(answer);
}

run(workerData as ComparisonTask).then(say, (error: unknown) => say({ problem: String(error) }));
