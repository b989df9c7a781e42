import { Worker } from 'node:worker_threads';
import type { ComparisonProgress, ComparisonTask, PolicyResult } from './comparePolicies';
import type { ComparisonAnswer } from './compareWorker';

/** Compares policies off this thread. */
export type CompareElsewhere = (
  task: ComparisonTask,
  progressed: (progress: ComparisonProgress) => void,
  signal: AbortSignal,
) => Promise<readonly PolicyResult[] | 'stopped'>;

/**
 * Compares policies in a separate thread, which ends with the comparison or when the signal aborts.
 * Rejects with a message if the thread fails. `workerPath` is the path of dist/compareWorker.js.
 */
export function compareInWorker(
  workerPath: string,
  ...[task, progressed, signal]: Parameters<CompareElsewhere>
): ReturnType<CompareElsewhere> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerPath, { workerData: task });
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      settle();
      void worker.terminate();
    };
    const fail = (cause: string): void =>
      end(() => reject(new Error(`The comparison stopped and can be tried again. ${cause}`)));
    const stop = (): void => end(() => resolve('stopped'));
    signal.addEventListener('abort', stop);
    worker.on('message', (answer: ComparisonAnswer) => {
      if ('progress' in answer) progressed(answer.progress);
      else if ('results' in answer) end(() => resolve(answer.results));
      else fail(answer.problem);
    });
    worker.on('error', (error) => fail(String(error)));
    worker.on('exit', (code) => fail(`Its thread ended with code ${code}.`));
  });
}
