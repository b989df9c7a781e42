import type { ContextWindow, FormerScratchpad, LedgerEntry } from '../window';
import type { Pass } from '../plan';
import { scratchpadText } from '../scratchpad';
import { textShownAfter } from '../request/placeholder';

/** What the ledger keeps of the scratchpad, where taking back a prompt puts it back as it was. */
export function keptScratchpad(
  window: ContextWindow,
  { undonePrompt }: Pass,
): Pick<LedgerEntry, 'formerScratchpad'> {
  const { scratchpad: put, scratchpadAge: age, showsScratchpad } = undonePrompt ?? {};
  if (put === undefined && age === undefined && showsScratchpad !== true) return {};
  const { scratchpad, scratchpadAge, shownScratchpad, scratchpadBehindAnchor, scratchpadChange } =
    window;
  return {
    formerScratchpad: {
      scratchpad,
      scratchpadAge,
      shownScratchpad,
      scratchpadBehindAnchor,
      ...(scratchpadChange === undefined ? {} : { scratchpadChange }),
    },
  };
}

/** Forgets the last change of a scratchpad that was put back: there is nothing left to undo. */
export function withoutChange(window: ContextWindow, { undonePrompt }: Pass): ContextWindow {
  if (undonePrompt?.scratchpad === undefined) return window;
  const { scratchpadChange: _back, ...rest } = window;
  return rest;
}

/**
 * The scratchpad as it was before a prompt was taken back; undefined where that left it alone, or
 * where it has changed or was shown since.
 */
export function formerScratchpadOf(
  window: ContextWindow,
  { pass: { undonePrompt }, formerScratchpad: former }: LedgerEntry,
): FormerScratchpad | undefined {
  if (former === undefined) return undefined;
  const then = scratchpadText(undonePrompt?.scratchpad ?? former.scratchpad);
  if (scratchpadText(window.scratchpad) !== then) return undefined;
  const shownThen = textShownAfter({ ...window, ...former }, undonePrompt);
  return window.shownScratchpad === shownThen ? former : undefined;
}
