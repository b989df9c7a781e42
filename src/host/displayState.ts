import type { Block } from '../contextWindow/block';
import type { ContextWindow } from '../contextWindow/contextWindow';
import type { DisplayState } from '../protocol/contextPanel';

/** The state of a block as it is shown: what the user took out was not evicted by a policy. */
export function displayState(window: ContextWindow, { id, state }: Block): DisplayState {
  const isByUser = window.decisions.get(id)?.rule === 'excludedByUser';
  return state === 'evicted' && isByUser ? 'excluded' : state;
}
