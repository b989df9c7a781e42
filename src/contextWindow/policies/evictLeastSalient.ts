import type { Block } from '../block';
import { blocksInWindow } from '../contextWindow';
import { tierOf, type Tier } from '../tier';
import { closeRung, isOut, takeable, touchAll, type Draft } from './draft';
import { evictInOrder } from './evictOldest';

const TIER_ORDER: Readonly<Record<Tier, number>> = { archive: 0, working: 1, system: 2 };

/** Takes whole blocks out, archive before working tier, least salient first. */
export function evictLeastSalient(draft: Draft): Draft {
  const candidates = takeable(draft).toSorted((a, b) => order(draft, a) - order(draft, b));
  const evicted = evictInOrder(draft, candidates, 'evictLeastSalient');
  return evicted === draft ? draft : evictFinishedPrompts(evicted);
}

function order(draft: Draft, block: Block): number {
  // A prompt weighs little and says what its steps are for: it goes after them.
  if (block.kind === 'prompt' || block.kind === 'anchor') return TIER_ORDER.system;
  const salience = draft.salience.get(block.id)?.salience ?? 0;
  return TIER_ORDER[tierOf(draft.input.window, block)] + salience / 2;
}

/** Takes the prompt of a turn along whose steps have all gone, so that it is not obeyed again. */
function evictFinishedPrompts(draft: Draft): Draft {
  const steps = blocksInWindow(draft.input.window).filter(({ kind }) => kind === 'step');
  const turnsOf = (blocks: readonly Block[]) => new Set(blocks.map(({ turn }) => turn));
  const busy = turnsOf(steps.filter(({ id }) => !isOut(draft, id)));
  const emptied = turnsOf(
    draft.input.window.blocks.filter((block) => block.kind === 'step' && isOut(draft, block.id)),
  );
  const finished = takeable(draft).filter(
    ({ kind, turn }) =>
      (kind === 'prompt' || kind === 'anchor') && emptied.has(turn) && !busy.has(turn),
  );
  const what = { action: 'evict', rule: 'evictFinishedPrompt' } as const;
  return closeRung(
    draft,
    touchAll(
      draft,
      finished.map(({ id }) => ({ id, weight: 0, what })),
    ),
    'evict',
  );
}
