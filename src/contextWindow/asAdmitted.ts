import type { Block, ToolPair } from './block';
import type { ContextWindow } from './contextWindow';
import { withoutThinking } from './thinking';

/**
 * The block as it came in: in the window, its results there, no text cut further than at its
 * admission. Thinking does not come back (I6): behind an edit it may not be sent.
 */
export function asAdmitted(window: ContextWindow, block: Block): Block {
  const { exactTokens: _stale, ...rest } = block;
  const formers = formersOf(window, block);
  switch (rest.kind) {
    case 'summary':
      return { ...rest, state: 'whole' };
    case 'anchor':
    case 'prompt':
    case 'note': {
      const first = formers.find((former) => 'admission' in former);
      const admission = first?.admission ?? rest.admission;
      return { ...rest, admission, state: admission.form };
    }
    case 'step': {
      const steps = formers.filter((former) => former.kind === 'step');
      const pairs = rest.pairs.map((pair) => pairAsAdmitted(steps, pair));
      const isCut = pairs.some(({ result }) => result?.admission.form === 'truncated');
      return withoutThinking({ ...rest, pairs, state: isCut ? 'truncated' : 'whole' });
    }
  }
}

/** The block as it stood before each pass that changed it; before the first it was as admitted. */
function formersOf({ ledger }: ContextWindow, { id }: Block): readonly Block[] {
  return ledger.flatMap(({ former }) =>
    former.flatMap(({ block }) => (block.id === id ? [block] : [])),
  );
}

/** A result that came in after a pass has its admission from then. */
function pairAsAdmitted(
  steps: readonly { readonly pairs: readonly ToolPair[] }[],
  pair: ToolPair,
): ToolPair {
  const { result } = pair;
  const whole = { ...pair, cleared: false };
  if (result === undefined) return whole;
  for (const { pairs } of steps) {
    const former = pairs.find(({ use }) => use.id === pair.use.id)?.result;
    if (former !== undefined)
      return { ...whole, result: { ...result, admission: former.admission } };
  }
  return whole;
}
