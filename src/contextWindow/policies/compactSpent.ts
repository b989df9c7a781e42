import type { Block } from '../block';
import { deedOf } from '../deed';
import { touchesOf } from '../need';
import { compactRuns } from './compactOldest';
import { formOf, type Rung } from './draft';

/** A file edited in the older part of the window than this, 0 to 1, is taken for done with. */
const STILL_EDITED = 0.2;

/**
 * Compacts the oldest blocks that hold nothing an agent would quote any more: steps whose reads are
 * cleared, commands, searches, files long done with. A read that is still whole outlived the rungs
 * before because it may be edited from, and a summary cannot be quoted: it stays where it stands.
 */
export const compactSpent: Rung = (draft) => {
  const { lastEdit } = touchesOf(draft.input.window);
  return compactRuns(draft, (block: Block) => {
    const now = formOf(draft, block);
    if (now.kind !== 'step') return false;
    return now.pairs.some(({ use, result, cleared }) => {
      const deed = deedOf(use);
      if (deed.kind === 'read') return result !== undefined && !cleared;
      if (deed.kind !== 'edit' && deed.kind !== 'write') return false;
      return (lastEdit.get(deed.path) ?? 0) >= STILL_EDITED;
    });
  });
};
