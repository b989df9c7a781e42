import {
  keptText,
  lossCostText,
  lossDidText,
  lossesText,
  lossInstructionsText,
  lossLimits,
  lossName,
  lossSizeText,
  lossSummaryText,
  neededSumText,
  needText,
} from '../../../replay/losses/lossText';
import { lossesUntil, type RecordedLoss } from '../../../replay/losses/recordedLoss';
import {
  cacheWrites,
  requestsInLog,
  requestsInRecording,
  writesByCause,
} from '../../../replay/measures/cacheRewrites';
import { causeText, rewritesText } from '../../../replay/measures/cacheText';
import type { Inspected, Moment } from '../../session/inspected';
import type { CacheRewritesView, LossesView, LossView, LostBlockView } from './state';

/** Draws what the recorded agent's compactions lost up to a moment; undefined for nothing. */
export function lossesView(
  { losses = [], transcript }: Pick<Inspected, 'losses' | 'transcript'>,
  at: Moment,
): LossesView | undefined {
  const until = lossesUntil(losses, at === 'now' ? Infinity : at);
  if (until.length === 0 || transcript === undefined) return undefined;
  const cards = until.map((loss, index) => lossView(loss, index + 1)).toReversed();
  return { text: lossesText(until), limits: lossLimits(transcript.format), cards };
}

function lossView(loss: RecordedLoss, number: number): LossView {
  const { beforeStep, removed, needed } = loss;
  const sentences = [
    lossDidText(loss),
    lossSummaryText(loss),
    lossInstructionsText(loss),
    lossCostText(loss),
  ];
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

/** Draws the cache rewrites of a session or of a recording's own agent; undefined for no writes. */
export function cacheRewritesView({
  transcript,
  events,
}: Pick<Inspected, 'transcript' | 'events'>): CacheRewritesView | undefined {
  const served = transcript === undefined ? requestsInLog(events) : requestsInRecording(transcript);
  const writes = writesByCause([cacheWrites(served)]);
  const text = rewritesText(writes);
  return text === undefined ? undefined : { text, causes: writes.rewrites.map(causeText) };
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
