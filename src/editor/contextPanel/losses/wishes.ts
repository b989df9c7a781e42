import { answered, number, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';
import { cacheRewritesView, lostBlockViews } from './derive';

const { looks } = wishesOf<ContextPanel>();

/** The panel's wishes about losses and cache rewrites. */
export const LOSS_WISHES = {
  /** The blocks that one of them removed. */
  fetchLostBlocks: looks({ number }, ({ number }, { inspection }) => {
    const blocks = lostBlockViews(inspection.inspected, number);
    return blocks === undefined ? `There is no compaction ${number}.` : answered(blocks);
  }),
  /** The requests that wrote most of their window to the prompt cache again; null for no writes. */
  fetchCacheRewrites: looks({}, (_wish, { inspection }) =>
    answered(cacheRewritesView(inspection.inspected) ?? null),
  ),
};
