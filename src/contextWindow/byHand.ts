import { isInWindow, type Block } from './block';
import { amountText, tokenText } from './amountText';
import { hasLeft } from './hasLeft';
import type { Budget } from './budget';
import { latestPrompt, latestStep, type ContextWindow } from './contextWindow';

/** What stands in the way of a change by hand, in a sentence for the user. */
export interface Refused {
  readonly type: 'refuse';
  readonly message: string;
}

export const NO_SUCH_BLOCK: Refused = refused('There is no such block.');

/** Says why the user may not take anything of a block out of the window; undefined when they may. */
export function whyNotTaken(window: ContextWindow, block: Block): Refused | undefined {
  if (!isInWindow(block)) return refused('This block has left the window already.');
  if (block.pinned) {
    return refused(
      block.kind === 'anchor'
        ? 'This is the task, pinned so that it is in every request. Unpin it first.'
        : 'This block is pinned. Unpin it first.',
    );
  }
  if (block === latestPrompt(window)) {
    return refused('This is the newest prompt: the agent would not know what is asked of it.');
  }
  // A final reply has nothing that is yet to be read.
  const step = latestStep(window);
  return block === step && step.turn === window.turn && step.pairs.length > 0
    ? refused('The model has not read the results of this step yet. Try again after the next step.')
    : undefined;
}

/** Says why a block cannot come back; undefined when it, or a part of it, can. */
export function whyNotBack(window: ContextWindow, block: Block): Refused | undefined {
  if (window.decisions.get(block.id)?.rule === 'undone') {
    return refused('You undid the pass this summary came with: what it stood for is back itself.');
  }
  if (hasLeft(window, block)) return undefined;
  switch (block.state) {
    case 'trimmed':
      return refused(
        'Only its thinking has left, and thinking once left out cannot be sent again.',
      );
    case 'truncated':
      return refused(
        'It is in the window as it came in: head and tail, within the cap. The agent can recall the rest.',
      );
    case 'whole':
    case 'cleared':
    case 'compacted':
    case 'evicted':
      return refused('This block is in the window, and whole.');
  }
}

/** Says, with the numbers, that what would come in does not fit; undefined when it does. */
export function whyTooMuch(
  usedTokens: number,
  addedTokens: number,
  { inputBudget }: Budget,
): Refused | undefined {
  if (usedTokens <= inputBudget) return undefined;
  const estimate = (tokens: number) => amountText({ tokens, exact: false });
  return refused(
    `The next request would have ${estimate(usedTokens)} tokens, ${estimate(addedTokens)} of them ` +
      `this, and the input budget is ${tokenText(inputBudget)}. Nothing was changed: make room first.`,
  );
}

/** Makes a refusal. */
export function refused(message: string): Refused {
  return { type: 'refuse', message };
}
