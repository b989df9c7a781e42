import type { AgentViewStore } from './agentViewStore';

/**
 * Does what the keys of the composer do to a turn: Enter sends; with Ctrl or Cmd, what is sent while
 * the agent works is told at its next step; Escape stops it. Answers whether a key was for that.
 */
export function pressInComposer(
  event: KeyboardEvent,
  store: AgentViewStore,
  isBusy: boolean,
): boolean {
  // A key that belongs to the composition of a character (in Japanese, for example) is for the input
  // method.
  if (event.isComposing || event.shiftKey) return false;
  const isNow = event.ctrlKey || event.metaKey;
  if (event.key === 'Enter') {
    store.submitPrompt(isBusy && isNow);
    return true;
  }
  if (event.key !== 'Escape' || isNow || event.altKey || event.repeat || !isBusy) return false;
  store.wish({ type: 'stopTurn' });
  return true;
}
