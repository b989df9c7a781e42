import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import { isInWindow } from '../contextWindow/block';
import type { HandEdit } from '../contextWindow/handEdit';
import { labelOf } from '../contextWindow/label';
import { notesBack } from '../contextWindow/withHandEdit';
import type { EditUndo, EditView, NotesView } from '../protocol/editView';

/** Draws what the user changed without a pass, newest first. */
export function editViews(window: ContextWindow): readonly EditView[] {
  return window.handEdits.map((edit) => editView(edit, window)).toReversed();
}

/** Draws who changed the notes last; undefined while nobody has. */
export function notesView({ notesChange }: ContextWindow): NotesView | undefined {
  if (notesChange === undefined) return undefined;
  const { by, step, note } = notesChange;
  return { by, step, ...(note === undefined ? {} : { undo: { type: 'undoNotes', note } }) };
}

function editView(edit: HandEdit, window: ContextWindow): EditView {
  const { kind, beforeStep, afterPass, blockId } = edit;
  const isOfNotes = kind === 'notes' || kind === 'notesBack';
  const block = isOfNotes ? undefined : findBlock(window, blockId);
  const undo = undoOf(edit, window);
  return {
    kind,
    beforeStep,
    afterPass,
    ...(block === undefined ? {} : { label: labelOf(block) }),
    ...(undo === undefined ? {} : { undo }),
  };
}

/** The reverse, as long as what was changed is as the change left it. */
function undoOf({ kind, blockId, former }: HandEdit, window: ContextWindow): EditUndo | undefined {
  switch (kind) {
    case 'pinned':
      return findBlock(window, blockId)?.pinned === true
        ? { type: 'unpinBlock', blockId }
        : undefined;
    case 'unpinned': {
      const block = findBlock(window, blockId);
      return block?.pinned === false && isInWindow(block)
        ? { type: 'pinBlock', blockId }
        : undefined;
    }
    case 'anchor': {
      const isStill = findBlock(window, blockId)?.kind === 'anchor';
      return isStill && former !== undefined ? { type: 'moveAnchor', blockId: former } : undefined;
    }
    case 'notes':
    case 'notesBack':
      return notesBack(window, blockId).ok ? { type: 'undoNotes', note: blockId } : undefined;
    // What was brought back at the end is a note: its way out is to exclude it, which is a pass.
    case 'recall':
      return undefined;
  }
}
