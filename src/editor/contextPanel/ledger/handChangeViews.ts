import type { Block } from '../../../contextWindow/block';
import type { ContextWindow } from '../../../contextWindow/window';
import type { Choosing } from '../../../contextWindow/files/fileChoices';
import { labelOf } from '../../../contextWindow/label';
import {
  scratchpadBack,
  undoOfHandChange,
  type HandChange,
} from '../../../contextWindow/handChanges';
import type { HandChangeUndo, HandChangeView, ScratchpadChangeView } from '../state';

/** Draws the user's changes that are not passes, newest first. */
export function handChangeViews(window: ContextWindow): readonly HandChangeView[] {
  const { handChanges, blocks } = window;
  const blockOf = new Map(handChanges.length === 0 ? [] : blocks.map((block) => [block.id, block]));
  const standing = handChanges.filter(({ undone }) => undone !== true);
  const newest = new Map(standing.map((edit) => [subjectOf(edit), edit]));
  return handChanges
    .map((edit) => {
      const block = edit.blockId === undefined ? undefined : blockOf.get(edit.blockId);
      const undo = newest.get(subjectOf(edit)) === edit ? undoOf(edit, window) : undefined;
      return handChangeView(edit, block, undo);
    })
    .toReversed();
}

/** The subject of a change: a block, a file or lines of it. */
function subjectOf({ blockId, chosen }: HandChange): string {
  return chosen === undefined ? `block ${blockId}` : `file ${placeText(chosen)}`;
}

/** "src/a.ts", "src/a.ts, lines 10–22". */
function placeText({ path, lines }: Pick<Choosing, 'path' | 'lines'>): string {
  return lines === undefined ? path : `${path}, lines ${lines.first}–${lines.last}`;
}

/** Draws who last changed the scratchpad; undefined before the first change. */
export function scratchpadChangeView({
  scratchpadChange,
}: ContextWindow): ScratchpadChangeView | undefined {
  if (scratchpadChange === undefined) return undefined;
  const { by, step, note } = scratchpadChange;
  return { by, step, ...(note === undefined ? {} : { undo: { type: 'undoScratchpad', note } }) };
}

function handChangeView(
  edit: HandChange,
  block: Block | undefined,
  undo: HandChangeUndo | undefined,
): HandChangeView {
  const { kind, beforeStep, afterPass } = edit;
  const isOfScratchpad = kind === 'scratchpad' || kind === 'scratchpadBack';
  return {
    kind,
    beforeStep,
    afterPass,
    ...(block === undefined || isOfScratchpad ? {} : { label: labelOf(block), blockId: block.id }),
    ...(edit.chosen === undefined
      ? {}
      : { label: placeText(edit.chosen), choice: edit.chosen.choice }),
    undo,
    undone: edit.undone,
  };
}

/** The wish for the reverse change, if nothing has changed the block since. */
function undoOf(change: HandChange, window: ContextWindow): HandChangeUndo | undefined {
  const { kind, blockId } = change;
  if (kind === 'scratchpad' || kind === 'scratchpadBack') {
    return blockId !== undefined && scratchpadBack(window, blockId).ok
      ? { type: 'undoScratchpad', note: blockId }
      : undefined;
  }
  // A recall is a note at the end. Undoing it means excluding the note, which is a pass.
  const event = undoOfHandChange(window, change);
  switch (event?.type) {
    case 'blockPinned':
      return { type: 'pinBlock', blockId: event.blockId, undo: true };
    case 'blockUnpinned':
      return { type: 'unpinBlock', blockId: event.blockId, undo: true };
    case 'anchorMoved':
      return { type: 'moveAnchor', blockId: event.blockId, undo: true };
    case 'fileChosen': {
      const { path, lines, choice } = event;
      const what = lines === undefined ? { path } : { path, lines };
      return { type: 'chooseFile', ...what, choice, undo: true };
    }
    default:
      return undefined;
  }
}
