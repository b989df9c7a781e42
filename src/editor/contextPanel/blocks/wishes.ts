import * as z from 'zod/mini';
import { anchorChange, pinChange, secretsChange, summaryIn } from '../../session/changesByHand';
import { answered, id, text, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';
import { livesOf } from './lives';

const { changes, looks } = wishesOf<ContextPanel>();

/** A screen shows fewer blocks than this. */
const MOST_WATCHED = 200;

/** Present if the wish undoes the user's last change of the same kind. */
const undo = z.exactOptional(z.literal(true));

/** What the panel may ask for about a block. */
export const BLOCK_WISHES = {
  openBlock: looks({ blockId: id }, async ({ blockId }, { blocks }) =>
    (await blocks.open(blockId)) ? undefined : 'There is no such block.',
  ),
  /** Opens a block's text with its secrets in an editor, which no page and no request sees. */
  showSecrets: looks({ blockId: id }, async ({ blockId }, { blocks }) =>
    (await blocks.open(blockId, 'secrets')) ? undefined : 'There is no such block.',
  ),
  sendSecrets: changes({ blockId: id }, ({ blockId }, { current }) =>
    current.run.edit((window) => secretsChange(window, blockId, true)),
  ),
  maskSecrets: changes({ blockId: id }, ({ blockId }, { current }) =>
    current.run.edit((window) => secretsChange(window, blockId, false)),
  ),
  pinBlock: changes({ blockId: id, undo }, ({ blockId, undo }, { current }) =>
    current.run.edit((window) => pinChange(window, blockId, true, undo)),
  ),
  unpinBlock: changes({ blockId: id, undo }, ({ blockId, undo }, { current }) =>
    current.run.edit((window) => pinChange(window, blockId, false, undo)),
  ),
  /** Makes a prompt the task. */
  moveAnchor: changes({ blockId: id, undo }, ({ blockId, undo }, { current }) =>
    current.run.edit((window) => anchorChange(window, blockId, undo)),
  ),
  /** Removes a block from the window, a step with its pairs. */
  excludeBlock: changes({ blockId: id }, ({ blockId }, { current }) =>
    current.run.byHand.change('exclude', blockId),
  ),
  /** Restores a block in its place. */
  restoreBlock: changes({ blockId: id }, ({ blockId }, { current }) =>
    current.run.byHand.change('restore', blockId),
  ),
  /** Brings the text of a block back as a note at the end. */
  recallBlock: changes({ blockId: id }, ({ blockId }, { current }) =>
    current.run.byHand.change('recall', blockId),
  ),
  /** Replaces a step's results by placeholders. */
  clearBlock: changes({ blockId: id }, ({ blockId }, { current }) =>
    current.run.byHand.change('clear', blockId),
  ),
  /** Opens a summary for editing: refused before the user types if it cannot be changed. */
  fetchSummary: changes({ blockId: id }, ({ blockId }, { current }) => {
    const text = summaryIn(current.run.window, blockId);
    if (text === undefined) return 'There is no such summary any more.';
    return current.run.whyNoChange ?? answered(text);
  }),
  rewriteSummary: changes({ blockId: id, text }, ({ blockId, text }, { current }) =>
    current.run.byHand.rewriteSummary(blockId, text),
  ),
  /** Names the blocks in sight, whose buttons show how far they move the window. */
  watchBlocks: looks(
    { blocks: z.array(id).check(z.maxLength(MOST_WATCHED)) },
    ({ blocks }, panel) => {
      if (panel.inspection.watch(blocks)) panel.publish();
    },
  ),
  /** Undoes all changes by hand that can be undone. */
  undoAllChanges: changes({}, (_wish, { current }) => current.run.undoAllByHand()),
  /** The lives of the files that the block's calls are on, or of the block itself. */
  fetchLives: looks({ blockId: id }, ({ blockId }, { inspection }) => {
    const lives = livesOf(inspection.lifeFacts, blockId);
    return lives === undefined ? 'There is no such block in this session.' : answered(lives);
  }),
};
