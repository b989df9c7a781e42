import { isInWindow, type Block, type FilesBlock } from '../../block';
import type { FileView } from '../../plan';
import { filesText } from '../../request/placeholder';

/** Inserts excerpts among the blocks; all later blocks are newer. */
export function placeView(blocks: readonly Block[], view: FileView): readonly Block[] {
  const place = viewPlace(blocks);
  // They belong to the turn of the block before them: undoing the next prompt leaves them in place.
  const turn = (blocks[place - 1] ?? blocks[place])?.turn ?? 0;
  return [...blocks.slice(0, place), viewBlock(view, turn), ...blocks.slice(place)];
}

/**
 * The place of excerpts: before the newest step or prompt. So they never separate a call from its
 * result, and the request does not end with them.
 */
export function viewPlace(blocks: readonly Block[]): number {
  const newest = blocks.findLastIndex(
    (block) =>
      isInWindow(block) &&
      (block.kind === 'step' || block.kind === 'prompt' || block.kind === 'anchor'),
  );
  return newest === -1 ? blocks.length : newest;
}

/** Makes the block of excerpts. */
function viewBlock({ id, step, shown, hidden }: FileView, turn: number): FilesBlock {
  const lines = shown.map(({ path, first, text, changedOutside }) => ({
    path,
    ...(first === undefined ? {} : { first }),
    text,
    ...(changedOutside === undefined ? {} : { changedOutside }),
  }));
  const view = { step, shown: lines, hidden };
  return {
    kind: 'excerpts',
    id,
    turn,
    text: filesText(view),
    ...view,
    pinned: false,
    state: 'whole',
  };
}
