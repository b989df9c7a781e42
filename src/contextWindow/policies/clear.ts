import type { StepBlock, ToolPair } from '../block';
import { blocksInWindow } from '../contextWindow';
import { weighBlock } from '../measure';
import { tierOf } from '../tier';
import { closeRung, isOut, touch, weightIn, type Draft, type Rung } from './draft';

/** The newest tool results are what the agent works with: they are never cleared. */
export const KEEP_RESULTS = 3;

/** A placeholder is a text too: clearing less than this many tokens is not worth the edit. */
const SMALLEST_GAIN = 40;

/** Replaces the tool results of the archive tier by placeholders, oldest first, to the target. */
export const clearArchive: Rung = (draft) =>
  clearResults(draft, (step) => tierOf(draft.input.window, step) === 'archive');

/** Replaces the tool results of the working tier too, all but the newest few. */
export const clearWorking: Rung = (draft) => clearResults(draft, () => true);

function clearResults(draft: Draft, isMeant: (step: StepBlock) => boolean): Draft {
  const steps = blocksInWindow(draft.input.window).filter(
    (block): block is StepBlock => block.kind === 'step',
  );
  const newest = new Set(
    steps
      .flatMap((step) => step.pairs)
      .slice(-KEEP_RESULTS)
      .map((pair) => pair.use.id),
  );
  let next = draft;
  for (const step of steps) {
    if (next.used <= next.target) break;
    if (next.protections.has(step.id) || isOut(next, step.id) || !isMeant(step)) continue;
    const old = step.pairs.filter(
      (pair) => isClearable(pair) && !newest.has(pair.use.id) && !next.touches.has(step.id),
    );
    if (old.length > 0) next = clearStep(next, step, old);
  }
  return closeRung(draft, next, 'clear');
}

function isClearable(pair: ToolPair): boolean {
  return pair.result !== undefined && !pair.cleared;
}

function clearStep(draft: Draft, step: StepBlock, old: readonly ToolPair[]): Draft {
  const { estimate } = draft.input;
  const clearing = new Set(old.map((pair) => pair.use.id));
  const cleared: StepBlock = {
    ...step,
    pairs: step.pairs.map((pair) =>
      clearing.has(pair.use.id) ? { ...pair, cleared: true } : pair,
    ),
  };
  const guessed = weighBlock(step, estimate);
  const before = weightIn(draft, step.id);
  // The block's measured weight may differ from its estimate: the remainder shrinks in proportion.
  const scale = guessed === 0 ? 1 : before / guessed;
  const after = Math.ceil(weighBlock(cleared, estimate) * scale);
  if (before - after < SMALLEST_GAIN) return draft;
  return touch(draft, step.id, after, {
    action: 'clear',
    rule: 'clearOldResults',
    toolUseIds: [...clearing, ...step.pairs.filter((p) => p.cleared).map((p) => p.use.id)],
  });
}
