import type { ContextWindow } from '../contextWindow/contextWindow';
import type { Usage } from '../contextWindow/usage';
import type { Inspected } from './inspection/inspected';

/** Whose prices a request had: those of a model, or none, because the scripted model answered it. */
export type Payee =
  { readonly offline: true } | { readonly offline: false; readonly model: string };

/** What is known of the request a pass made room in. */
export interface StepRequest {
  readonly by: Payee;
  /** As the API reported it; absent where it did not. */
  readonly usage?: Usage;
}

/** Says what is known of a step's request, also of the one that would be sent next. */
export type RequestOfStep = (step: number) => StepRequest;

/**
 * Reads off the log who answered the requests the passes of a window made room in, and what was
 * reported of them. The next one would go to the model of now; a reply that was stopped has not the
 * name of who wrote it, so the answer before it stands for it.
 */
export function requestsOfPasses(
  { events, recordedUsage, window, model: modelNow, offline }: Inspected,
  { ledger }: ContextWindow,
  demoAuthor: string,
): RequestOfStep {
  const wanted = new Set(ledger.map(({ pass }) => pass.beforeStep));
  const found = new Map<number, StepRequest>();
  const payee = (model: string): Payee =>
    model === demoAuthor ? { offline: true } : { offline: false, model };
  let author: string | undefined;
  for (const event of wanted.size === 0 ? [] : events) {
    if (event.type !== 'replyReceived') continue;
    const { step, model, usage, stopReason } = event;
    if (stopReason !== 'stopped') author = model;
    if (!wanted.has(step)) continue;
    found.set(step, { by: payee(author ?? model), usage: recordedUsage?.get(step) ?? usage });
  }
  const next: StepRequest = {
    by: offline ? { offline: true } : { offline: false, model: window.model ?? modelNow },
  };
  return (step) => found.get(step) ?? next;
}
