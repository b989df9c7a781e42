import { isInWindow, type Block, type FilesBlock } from '../../block';
import type { Excerpts } from '../../plan';
import { excerptsText } from '../../request/placeholder';

/** Inserts excerpts among the blocks; all later blocks are newer. */
export function placeExcerpts(blocks: readonly Block[], excerpts: Excerpts): readonly Block[] {
  const place = excerptsPlace(blocks);
  // They belong to the turn of the block before them: undoing the next prompt leaves them in place.
  const turn = (blocks[place - 1] ?? blocks[place])?.turn ?? 0;
  return [...blocks.slice(0, place), excerptsBlock(excerpts, turn), ...blocks.slice(place)];
}

/**
 * The place of excerpts: before the newest step or prompt. So they never separate a call from its
 * result, and the request does not end with them.
 */
export function excerptsPlace(blocks: readonly Block[]): number {
  const newest = blocks.findLastIndex(
    (block) =>
      isInWindow(block) &&
      (block.kind === 'step' || block.kind === 'prompt' || block.kind === 'anchor'),
  );
  return newest === -1 ? blocks.length : newest;
}

/** Makes the block of excerpts. */
function excerptsBlock({ id, step, shown, hidden }: Excerpts, turn: number): FilesBlock {
  const lines = shown.map(({ path, first, text, changedOutside }) => ({
    path,
    ...(first === undefined ? {} : { first }),
    text,
    ...(changedOutside === undefined ? {} : { changedOutside }),
  }));
  const content = { step, shown: lines, hidden };
  return {
    kind: 'excerpts',
    id,
    turn,
    text: excerptsText(content),
    ...content,
    pinned: false,
    state: 'whole',
  };
}
