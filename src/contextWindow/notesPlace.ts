import type { Block } from './block';
import { isPinnedAnchor, messagesOf } from './blockMessages';
import type { ContextWindow } from './contextWindow';
import { scratchpadText } from './scratchpad';

/**
 * Says whether a pass puts the notes behind the anchor: only where the request goes on after it
 * with words of the user or results. `blocks` are those that will be in the window.
 */
export function belongBehindAnchor([first, ...rest]: readonly Block[]): boolean {
  return (
    isPinnedAnchor(first) &&
    rest.some((block) => messagesOf(block).some(({ role }) => role === 'user'))
  );
}

/**
 * Says whether a pass that leaves `blocks` in the window shows other notes than the last one did,
 * or shows them elsewhere: an edit before every step.
 */
export function areNotesEdited(window: ContextWindow, blocks: readonly Block[]): boolean {
  const notes = scratchpadText(window.scratchpad);
  if (notes !== window.shownNotes) return true;
  return notes !== '' && belongBehindAnchor(blocks) !== window.notesBehindAnchor;
}
