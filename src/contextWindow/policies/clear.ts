import type { StepBlock, ToolPair } from '../block';
import { blocksInWindow } from '../contextWindow';
import { weighBlock } from '../measure';
import { tierOf } from '../tier';
import { closeRung, touchAll, weightIn, type Draft, type Rung, type Touched } from './draft';

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
  const touched: Touched[] = [];
  let { used } = draft;
  for (const step of steps) {
    if (used <= draft.target) break;
    if (draft.protections.has(step.id) || draft.touches.has(step.id) || !isMeant(step)) continue;
    const old = step.pairs.filter((pair) => isClearable(pair) && !newest.has(pair.use.id));
    const cleared = old.length === 0 ? undefined : clearStep(draft, step, old);
    if (cleared === undefined) continue;
    touched.push(cleared);
    used += cleared.weight - weightIn(draft, step.id);
  }
  return closeRung(draft, touchAll(draft, touched), 'clear');
}

function isClearable(pair: ToolPair): boolean {
  return pair.result !== undefined && !pair.cleared;
}

/** Clears results of a step; undefined where the placeholder would hardly be smaller. */
function clearStep(draft: Draft, step: StepBlock, old: readonly ToolPair[]): Touched | undefined {
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
  if (before - after < SMALLEST_GAIN) return undefined;
  const toolUseIds = [...clearing, ...step.pairs.filter((p) => p.cleared).map((p) => p.use.id)];
  const what = { action: 'clear', rule: 'clearOldResults', toolUseIds } as const;
  return { id: step.id, weight: after, what };
}
