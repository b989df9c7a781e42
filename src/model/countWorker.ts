import { parentPort } from 'node:worker_threads';
import { countHere } from './rawTokens';

/** A request to the worker: the o200k_base tokens of each text. */
export interface CountRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/** Its answer, in the order of the texts, or the reason for none. */
export type CountAnswer =
  | { readonly id: number; readonly counts: readonly number[] }
  | { readonly id: number; readonly problem: string };

/** Entry of dist/countWorker.js: answers requests one after the other. */
parentPort?.on('message', ({ id, texts }: CountRequest) => {
  void countHere(texts).then(
    (counts) => parentPort?.postMessage({ id, counts } satisfies CountAnswer),
    (error: unknown) =>
      parentPort?.postMessage({ id, problem: String(error) } satisfies CountAnswer),
  );
});
