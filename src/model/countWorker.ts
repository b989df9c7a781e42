import { type MessagePort, parentPort } from 'node:worker_threads';
import { countHere, loadRawTokens } from './rawTokens';

/** A request to the worker: the o200k_base tokens of each text. */
export interface CountRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/** Its answer, in the order of the texts, or the reason for none. */
export type CountAnswer =
  | { readonly id: number; readonly counts: readonly number[] }
  | { readonly id: number; readonly problem: string };

/** Asks the worker to answer another thread too. */
export interface CounterOpened {
  readonly counter: MessagePort;
}

/** The first request reports a failure. */
void loadRawTokens().catch(() => undefined);

/** Entry of dist/countWorker.js: answers requests one after the other. */
parentPort?.on('message', (message: CountRequest | CounterOpened) => {
  if ('counter' in message) {
    const { counter } = message;
    counter.on('message', (request: CountRequest) => answer(request, counter));
  } else if (parentPort !== null) answer(message, parentPort);
});

function answer({ id, texts }: CountRequest, port: MessagePort): void {
  void countHere(texts).then(
    (counts) => port.postMessage({ id, counts } satisfies CountAnswer),
    (error: unknown) => port.postMessage({ id, problem: String(error) } satisfies CountAnswer),
  );
}
