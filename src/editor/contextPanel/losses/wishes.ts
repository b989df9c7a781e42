import { answered, number, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';
import { lostBlockViews } from './derive';

const { looks } = wishesOf<ContextPanel>();

/** The panel's wishes about the compactions of a recorded agent. */
export const LOSS_WISHES = {
  /** The blocks that one of them removed. */
  fetchLostBlocks: looks({ number }, ({ number }, panel) => {
    const blocks = lostBlockViews(panel.inspected, number);
    return blocks === undefined ? `There is no compaction ${number}.` : answered(blocks);
  }),
};
