import { isInWindow, type Block } from '../contextWindow/block';
import type { ContextWindow, HandEdit } from '../contextWindow/contextWindow';
import { labelOf } from '../contextWindow/label';
import { notesBack } from '../contextWindow/log/handChanges';
import type { EditUndo, EditView, NotesView } from '../protocol/editView';

/** Draws what the user changed without a pass, newest first. */
export function editViews(window: ContextWindow): readonly EditView[] {
  const { handEdits, blocks } = window;
  const blockOf = new Map(handEdits.length === 0 ? [] : blocks.map((block) => [block.id, block]));
  const newest = new Map(handEdits.map((edit) => [edit.blockId, edit]));
  return handEdits
    .map((edit) => {
      const block = blockOf.get(edit.blockId);
      const undo = newest.get(edit.blockId) === edit ? undoOf(edit, block, window) : undefined;
      return editView(edit, block, undo);
    })
    .toReversed();
}

/** Draws who changed the notes last; undefined while nobody has. */
export function notesView({ notesChange }: ContextWindow): NotesView | undefined {
  if (notesChange === undefined) return undefined;
  const { by, step, note } = notesChange;
  return { by, step, ...(note === undefined ? {} : { undo: { type: 'undoNotes', note } }) };
}

function editView(edit: HandEdit, block: Block | undefined, undo: EditUndo | undefined): EditView {
  const { kind, beforeStep, afterPass } = edit;
  const isOfNotes = kind === 'notes' || kind === 'notesBack';
  return {
    kind,
    beforeStep,
    afterPass,
    ...(block === undefined || isOfNotes ? {} : { label: labelOf(block) }),
    ...(undo === undefined ? {} : { undo }),
  };
}

/** The reverse, as long as what was changed is as the change left it. */
function undoOf(
  { kind, blockId, former }: HandEdit,
  block: Block | undefined,
  window: ContextWindow,
): EditUndo | undefined {
  switch (kind) {
    case 'pinned':
      return block?.pinned === true ? { type: 'unpinBlock', blockId } : undefined;
    case 'unpinned':
      return block?.pinned === false && isInWindow(block)
        ? { type: 'pinBlock', blockId }
        : undefined;
    case 'anchor':
      return block?.kind === 'anchor' && former !== undefined
        ? { type: 'moveAnchor', blockId: former }
        : undefined;
    case 'notes':
    case 'notesBack':
      return notesBack(window, blockId).ok ? { type: 'undoNotes', note: blockId } : undefined;
    // What was brought back at the end is a note: its way out is to exclude it, which is a pass.
    case 'recall':
      return undefined;
  }
}
