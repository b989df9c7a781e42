import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { WorkerEstimator } from '../model/workerEstimator';
import {
  comparePolicies,
  type ComparisonProgress,
  type ComparisonTask,
  type PolicyResult,
} from './comparePolicies';

/** What the worker says: how far it is, and in the end what came of it, or why nothing did. */
export type ComparisonAnswer =
  | { readonly progress: ComparisonProgress }
  | { readonly results: readonly PolicyResult[] }
  | { readonly problem: string };

/** Entry of dist/compareWorker.js, beside the count worker: takes one task, and ends with it. */
async function run(task: ComparisonTask): Promise<ComparisonAnswer> {
  // The estimates of `plimsoll replay`: by the tokenizer, and by no calibration of this editor.
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
