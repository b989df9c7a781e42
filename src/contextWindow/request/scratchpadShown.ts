import type { Block } from '../block';
import type { ContextWindow } from '../contextWindow';
import type { UndonePrompt } from '../plan';
import { scratchpadToShow } from '../objective';
import { belongBehindAnchor } from './blockMessages';

/** The scratchpad, and what the request shows of it. */
export type ScratchpadShown = Pick<
  ContextWindow,
  'scratchpad' | 'scratchpadAge' | 'shownScratchpad' | 'scratchpadBehindAnchor'
>;

/**
 * The text of the scratchpad that the request shows once a pass has applied: as it is now. Taking
 * back a prompt shows it anew only where a pass since the prompt has: so the prompt-cache prefix
 * stands.
 */
export function textShownAfter(
  window: ContextWindow,
  undonePrompt: UndonePrompt | undefined,
): string {
  if (undonePrompt !== undefined && undonePrompt.showsScratchpad !== true)
    return window.shownScratchpad;
  if (undonePrompt === undefined) return scratchpadToShow(window);
  const { scratchpad = window.scratchpad, turn } = undonePrompt;
  // What leaves is not the task any more.
  const blocks = window.blocks.filtered((block) => block.kind !== 'anchor' || block.turn < turn);
  return scratchpadToShow({ ...window, scratchpad, blocks });
}

/** The scratchpad once a pass has applied; `staying` are the blocks that will be in the window. */
export function scratchpadAfter(
  window: ContextWindow,
  staying: readonly Block[],
  undonePrompt: UndonePrompt | undefined,
): ScratchpadShown {
  const isShownAgain = undonePrompt === undefined || undonePrompt.showsScratchpad === true;
  return {
    scratchpad: undonePrompt?.scratchpad ?? window.scratchpad,
    scratchpadAge: undonePrompt?.scratchpadAge ?? window.scratchpadAge,
    shownScratchpad: textShownAfter(window, undonePrompt),
    scratchpadBehindAnchor: isShownAgain
      ? belongBehindAnchor(staying)
      : window.scratchpadBehindAnchor,
  };
}

/** Says whether another scratchpad is shown, or elsewhere: an edit before every step. */
export function isShownOtherwise(before: ScratchpadShown, after: ScratchpadShown): boolean {
  if (after.shownScratchpad !== before.shownScratchpad) return true;
  const isMoved = after.scratchpadBehindAnchor !== before.scratchpadBehindAnchor;
  return after.shownScratchpad !== '' && isMoved;
}
