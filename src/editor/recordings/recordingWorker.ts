import { parentPort, workerData } from 'node:worker_threads';
import type { ReadTask } from './readInWorker';
import { readHere } from './recordingFile';

/** Entry of dist/recordingWorker.js: reads one recording and ends. */
void readHere(workerData as ReadTask, new AbortController().signal).then(
  (result) => parentPort?.postMessage(result),
  (error: unknown) =>
    parentPort?.postMessage({ ok: false, message: String(error), cause: 'other' }),
);
