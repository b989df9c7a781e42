import { Worker } from 'node:worker_threads';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionEvent } from '../contextWindow/event';
import { EMPTY_WINDOW, fold } from '../contextWindow/fold';
import type { LogEnd } from './logSummary';
import type { LoadedLog } from './openSession';
import type { SessionLogResult } from './readSessionLog';

/** The worker's task; `taken` counts the parts that the host has taken. */
export interface LogToLoad {
  readonly file: string;
  readonly taken: Int32Array;
}

/** The worker's messages: the end of the log, then its events in parts, then the result. */
export type LogPart =
  | { readonly end: LogEnd }
  | { readonly events: readonly SessionEvent[] }
  /** The events so far do not count. */
  | { readonly again: true }
  | { readonly read: SessionLogResult };

/** Most parts that wait for the host. */
export const MOST_WAITING = 4;

/** What became of a log that is being loaded. */
export interface Loading {
  /** Receives the end of the log, long before the rest is loaded. */
  seen(end: LogEnd): void;
  /** Ends the loading; the promise then rejects. */
  readonly signal: AbortSignal;
}

/**
 * Reads a log in a thread of its own. This thread only folds the events, a part in each turn of its
 * event loop, so that it stays responsive however long the log is. `workerPath` is the path of
 * dist/logWorker.js.
 */
export function loadLog(
  workerPath: string,
  file: string,
  { seen, signal }: Loading,
): Promise<LoadedLog> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const taken = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const workerData: LogToLoad = { file, taken };
    const worker = new Worker(workerPath, { workerData });
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', stop);
      settle();
      void worker.terminate();
    };
    const fail = (error: unknown): void => end(() => reject(error));
    const stop = (): void => fail(new Error(`Loading ${file} was stopped.`));
    signal.addEventListener('abort', stop, { once: true });
    let events: SessionEvent[] = [];
    let window = EMPTY_WINDOW;
    const take = (part: LogPart): void => {
      if (signal.aborted) return;
      if ('end' in part) seen(part.end);
      else if ('again' in part) [events, window] = [[], EMPTY_WINDOW];
      else if ('read' in part) {
        const { read } = part;
        end(() => resolve(read.ok ? { ...read, events, window } : read));
      } else {
        for (const event of part.events) events.push(event);
        window = fold(part.events, window);
        Atomics.add(taken, 0, 1);
        Atomics.notify(taken, 0);
      }
    };
    const takeNext = async (before: Promise<void>, part: LogPart): Promise<void> => {
      await before;
      await nextTurn();
      take(part);
    };
    let taking: Promise<void> = Promise.resolve();
    worker.on('message', (part: LogPart) => {
      taking = takeNext(taking, part);
      taking.catch(fail);
    });
    worker.on('error', fail);
    worker.on('exit', (code) => {
      const gone = (): void =>
        fail(new Error(`The thread that read ${file} ended with code ${code}.`));
      taking.then(gone, gone);
    });
  });
}
