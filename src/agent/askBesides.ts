import type { AskPurpose } from '../contextWindow/event';
import type { Model, ModelRequest, ModelResult } from './model';
import type { Session } from './session';

/** Who is asked, and where it is written down; a replay has a window and keeps no log. */
export interface Asking {
  readonly model: Model;
  readonly session: Partial<Pick<Session, 'append'>>;
}

/**
 * Asks a model for something that is no step, to the end, whatever it streams on the way. What the
 * answer took is in the log before anybody has looked at it: it may be refused, or come to nothing.
 */
export async function askBesides(
  { model, session }: Asking,
  purpose: AskPurpose,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<ModelResult> {
  const asking = model.ask(request, signal);
  let next = await asking.next();
  while (next.done !== true) next = await asking.next();
  const result = next.value;
  if (result.ok) {
    const { model: by, usage } = result.reply;
    session.append?.({ type: 'modelAsked', purpose, model: by, usage });
  }
  return result;
}
