import { Worker } from 'node:worker_threads';

/** An input for a third-party tool, with the tool's schema. */
export interface InputToCheck {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The problem of an input; undefined when it is valid. */
export type CheckInput = (given: InputToCheck) => Promise<string | undefined>;

/** Longest check, ms. A usual one takes less than 5 ms. */
const LONGEST_MS = 2_000;

/** Most memory of a check, MB. */
const MOST_MB = 128;

/**
 * Checks an input in a thread of its own. A schema is the work of a third party: its regular
 * expressions and references may run forever, so the thread is ended after two seconds. `workerPath`
 * is the path of dist/schemaWorker.js.
 */
export function checkInputIn(workerPath: string, longestMs = LONGEST_MS): CheckInput {
  return (given) =>
    new Promise((resolve) => {
      const worker = new Worker(workerPath, {
        workerData: given,
        resourceLimits: { maxOldGenerationSizeMb: MOST_MB, stackSizeMb: 4 },
      });
      let limit: ReturnType<typeof setTimeout> | undefined;
      const end = (problem: string | undefined): void => {
        clearTimeout(limit);
        resolve(problem);
        void worker.terminate();
      };
      // Starting the thread does not count: a busy machine makes no schema slow.
      worker.on('online', () => {
        limit = setTimeout(
          () => end(`its input schema took over ${longestMs / 1_000} s to check this input`),
          longestMs,
        );
      });
      worker.on('message', end);
      worker.on('error', (error) => end(`its input could not be checked (${String(error)})`));
      worker.on('exit', () => end('its input could not be checked'));
    });
}
