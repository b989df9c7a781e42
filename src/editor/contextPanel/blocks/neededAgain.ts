import { textsOfRefault } from '../../../contextWindow/passes/refault';
import type { ContextWindow, Refault } from '../../../contextWindow/window';
import { PersistentList } from '../../../contextWindow/persistentList';
import type { Estimate } from '../../../contextWindow/truncate';
import type { NeededAgainView } from './state';

/** The result of a call never changes once it is there: it is weighed once. */
const RESULTS = new WeakMap<Refault, number>();

/** Refaults that stand together, as they are drawn for good. */
const SETTLED = new WeakMap<readonly Refault[], readonly NeededAgainView[]>();

/** Removed content that was needed again, with the tokens that it took, oldest first. */
export function neededAgain(window: ContextWindow, estimate: Estimate): readonly NeededAgainView[] {
  const drawn = window.refaults.chunks.map((chunk) => {
    const known = SETTLED.get(chunk);
    if (known !== undefined) return known;
    const views = chunk.map((refault): NeededAgainView => {
      const { step, what, blockId, pass } = refault;
      const tokens = tokensOf(window, refault, estimate);
      return { blockId, step, what, tokens, pass };
    });
    // A result may not have arrived yet.
    if (chunk.every((refault) => RESULTS.has(refault))) SETTLED.set(chunk, views);
    return views;
  });
  return PersistentList.ofChunks(drawn).toArray();
}

/** The tokens of what had been in the window, else of the call's result. */
function tokensOf(window: ContextWindow, refault: Refault, estimate: Estimate): number {
  const known = RESULTS.get(refault);
  if (known !== undefined) return known;
  const texts = textsOfRefault(window, refault);
  const tokens = texts.reduce((sum, text) => sum + estimate(text), 0);
  if (texts.length > 0) RESULTS.set(refault, tokens);
  return tokens;
}
