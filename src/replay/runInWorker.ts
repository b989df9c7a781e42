import { parentPort, Worker, type WorkerOptions } from 'node:worker_threads';

/** A worker's messages: its progress, and at the end the result or the error. */
type Answer<P, R> =
  { readonly progress: P } | { readonly result: R } | { readonly problem: string };

/**
 * Runs one task in a separate thread, which ends with the task or when the signal aborts. Rejects
 * with the cause if the thread fails. `path` is a bundle that calls `answerTask`.
 */
export function runInWorker<P, R>(
  path: string,
  {
    task,
    transferList,
  }: { readonly task: unknown; readonly transferList?: WorkerOptions['transferList'] },
  progressed: (progress: P) => void,
  signal: AbortSignal,
): Promise<R | 'stopped'> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve, reject) => {
    const worker = new Worker(path, { workerData: task, transferList });
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      settle();
      void worker.terminate();
    };
    const fail = (cause: string): void => end(() => reject(new Error(cause)));
    const stop = (): void => end(() => resolve('stopped'));
    const take = (progress: P): void => {
      try {
        progressed(progress);
      } catch (error) {
        end(() => reject(error as Error));
      }
    };
    signal.addEventListener('abort', stop);
    worker.on('message', (answer: Answer<P, R>) => {
      if ('progress' in answer) take(answer.progress);
      else if ('result' in answer) end(() => resolve(answer.result));
      else fail(answer.problem);
    });
    worker.on('error', (error) => fail(String(error)));
    worker.on('exit', (code) => fail(`Its thread ended with code ${code}.`));
  });
}

/** In a worker: does the task, and posts progress and result. */
export function answerTask<P, R>(work: (progressed: (progress: P) => void) => Promise<R>): void {
  const say = (answer: Answer<P, R>): void => parentPort?.postMessage(answer);
  work((progress) => say({ progress })).then(
    (result) => say({ result }),
    (error: unknown) => say({ problem: String(error) }),
  );
}
