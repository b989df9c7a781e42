import {
  keptText,
  LOSS_LIMITS,
  lossCostText,
  lossDidText,
  lossesText,
  lossName,
  lossSizeText,
  lossSummaryText,
  neededSumText,
  needText,
} from '../../../replay/losses/lossText';
import { lossesUntil, type RecordedLoss } from '../../../replay/losses/recordedLoss';
import type { Inspected, Moment } from '../../session/inspected';
import type { LossesView, LossView, LostBlockView } from './state';

/** Draws what the recorded agent's compactions lost up to a moment; undefined for nothing. */
export function lossesView({ losses = [] }: Pick<Inspected, 'losses'>, at: Moment) {
  const until = lossesUntil(losses, at === 'now' ? Infinity : at);
  if (until.length === 0) return undefined;
  const cards = until.map((loss, index) => lossView(loss, index + 1)).toReversed();
  return { text: lossesText(until), limits: LOSS_LIMITS, cards } satisfies LossesView;
}

function lossView(loss: RecordedLoss, number: number): LossView {
  const { beforeStep, removed, needed } = loss;
  const sentences = [lossDidText(loss), lossSummaryText(loss), lossCostText(loss)];
  return {
    number,
    name: lossName(loss),
    beforeStep,
    size: lossSizeText(loss),
    sentences: sentences.filter((text) => text !== ''),
    blocks: removed.length,
    neededText: neededSumText(needed),
    needed: needed.map((need) => ({ step: need.step, text: needText(need) })),
  };
}

/** Draws the blocks that a compaction removed, largest first; undefined for an unknown one. */
export function lostBlockViews(
  { losses = [] }: Pick<Inspected, 'losses'>,
  number: number,
): readonly LostBlockView[] | undefined {
  return losses[number - 1]?.removed
    .map((block) => {
      const { blockId, label, tokens } = block;
      return { blockId, label, tokens, kept: keptText(block) };
    })
    .toSorted((one, other) => other.tokens.tokens - one.tokens.tokens);
}
