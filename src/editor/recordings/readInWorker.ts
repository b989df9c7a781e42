import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { refused, type Refused } from '../../contextWindow/result';
import type { OwnSession } from '../../recordings/plimsoll';
import type { Transcript } from '../../sessions/transcript';

/** A file to read, or the text that a followed file has grown to. */
export interface ReadTask {
  readonly file: string;
  readonly grown?: string;
}

/** A recording, or why it is not shown. */
type ReadResult = ({ readonly ok: true } & RecordingRead) | NotShown;

/** Reads a recording; the signal stops it. */
export type ReadRecording = (
  task: ReadTask,
  signal: AbortSignal,
) => Promise<ReadResult | 'stopped'>;

/**
 * Reads a recording in a thread of its own, which ends with the reading or when the signal aborts, so
 * that a large file blocks nothing and its text stays in no heap. `workerPath` is the path of
 * dist/recordingWorker.js.
 */
export function readInWorker(
  workerPath: string,
  ...[task, signal]: Parameters<ReadRecording>
): ReturnType<ReadRecording> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve) => {
    const worker = new Worker(workerPath, { workerData: task });
    const end = (result: ReadResult | 'stopped'): void => {
      signal.removeEventListener('abort', stop);
      resolve(result);
      void worker.terminate();
    };
    const stop = (): void => end('stopped');
    const fail = (cause: string): void =>
      end({ ...refused(`${task.file} could not be read. ${cause} Try again.`), cause: 'other' });
    signal.addEventListener('abort', stop);
    worker.on('message', (result: ReadResult) => end(result));
    worker.on('error', (error) => fail(String(error)));
    worker.on('exit', (code) => fail(`Its thread ended with code ${code}.`));
  });
}

/** A recording that is not shown. */
export interface NotShown extends Refused {
  /**
   * The user stopped it; its file was deleted or is no recording; or it may be shown another time.
   */
  readonly cause: 'stopped' | 'lost' | 'other';
}

/** A recording as read from its file; `digest` identifies the text. */
export interface RecordingRead {
  readonly transcript: Transcript;
  readonly digest: string;
  /** Present for a Plimsoll session: then `transcript` is its conversation. */
  readonly own?: OwnSession;
}

/** A short hash of a text, to compare it with another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
