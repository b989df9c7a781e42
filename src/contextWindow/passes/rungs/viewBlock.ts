import { isInWindow, type Block, type FilesBlock } from '../../block';
import type { FileView } from '../../plan';
import { filesText } from '../../request/placeholder';

/** Puts a view of files among the blocks; all that comes behind it is newer. */
export function placeView(blocks: readonly Block[], view: FileView): readonly Block[] {
  const place = viewPlace(blocks);
  // It goes with what stands before it: taking back the prompt behind it leaves it in its place.
  const turn = (blocks[place - 1] ?? blocks[place])?.turn ?? 0;
  return [...blocks.slice(0, place), viewBlock(view, turn), ...blocks.slice(place)];
}

/**
 * Where a view stands: before the newest step or prompt. So it never comes between a call and its
 * result, and the request does not end with it.
 */
export function viewPlace(blocks: readonly Block[]): number {
  const newest = blocks.findLastIndex(
    (block) =>
      isInWindow(block) &&
      (block.kind === 'step' || block.kind === 'prompt' || block.kind === 'anchor'),
  );
  return newest === -1 ? blocks.length : newest;
}

/** The block that a view makes. */
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
