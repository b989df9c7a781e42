import { errorText } from '../contextWindow/result';
import type { ComparisonProgress, ComparisonTask, PolicyResult } from './comparePolicies';
import { runInWorker } from './runInWorker';

/** Compares policies off this thread. */
export type CompareElsewhere = (
  task: ComparisonTask,
  progressed: (progress: ComparisonProgress) => void,
  signal: AbortSignal,
) => Promise<readonly PolicyResult[] | 'stopped'>;

/**
 * Compares policies in a separate thread. Rejects with a message if the thread fails. `workerPath`
 * is the path of dist/compareWorker.js.
 */
export async function compareInWorker(
  workerPath: string,
  ...[task, progressed, signal]: Parameters<CompareElsewhere>
): ReturnType<CompareElsewhere> {
  try {
    return await runInWorker(workerPath, { task }, progressed, signal);
  } catch (error) {
    throw new Error(`The comparison stopped and can be tried again. ${errorText(error)}`);
  }
}
