import { amountText, tokenText } from '../amountText';
import { asAdmitted, hasLeft } from '../blockForms';
import { isInWindow, type Block, type BlockId, type SummaryBlock } from '../block';
import { findBlock, type ContextWindow } from '../contextWindow';
import { handProtectionOf, type HandProtection } from '../tier';
import { weighBlock } from '../account/measure';
import type { Plan } from '../plan';
import { startDraft, changeAll, weightAs, weightIn, type Draft, type Touch } from './rungs/draft';
import { planOf } from './rungs/planOf';
import type { PolicyFacts } from './rungs/policyInput';
import { trimBehindEdit } from './rungs/trimThinking';
import type { Budget } from '../budget';

/** What the user's change of one block leads to: a pass, nothing because it is so already, or a refusal. */
export type ByHand =
  { readonly type: 'plan'; readonly plan: Plan } | { readonly type: 'nothing' } | Refused;

/** Takes a block out of the window, a step with all its pairs. */
export function excludeByHand(input: PolicyFacts, id: string): ByHand {
  const block = blockOf(input.window, id);
  if (block === undefined) return NO_SUCH_BLOCK;
  const why = whyNotTaken(input.window, block);
  if (why !== undefined) return why;
  return planned(touched(draftOf(input), block, { action: 'evict', rule: 'excludedByUser' }, 0));
}

/** Puts placeholders in the place of a step's results; the calls stay. */
export function clearByHand(input: PolicyFacts, id: string): ByHand {
  const block = blockOf(input.window, id);
  if (block === undefined) return NO_SUCH_BLOCK;
  const why = whyNotTaken(input.window, block);
  if (why !== undefined) return why;
  if (block.kind !== 'step' || !block.pairs.some(({ result }) => result !== undefined)) {
    return refused('This block has no result to clear.');
  }
  if (block.pairs.every(({ cleared, result }) => cleared || result === undefined)) {
    return refused('Its results are cleared already.');
  }
  const draft = draftOf(input);
  const answered = block.pairs.filter(({ result }) => result !== undefined);
  const toolUseIds = answered.map(({ use }) => use.id);
  const pairs = block.pairs.map((pair) => ({ ...pair, cleared: pair.result !== undefined }));
  const form: Block = { ...block, pairs };
  const weight = weightAs(draft, block, form);
  const now = weightIn(draft, block.id);
  if (weight >= now) {
    return refused(
      `Nothing was cleared: the step takes ${tokensText(now)} tokens now, and would take ` +
        `${tokensText(weight)} with placeholders in place of its results.`,
    );
  }
  const what: Touch = { action: 'clear', rule: 'clearedByUser', toolUseIds };
  return planned(touched(draft, block, what, weight, form));
}

/** Brings a block back whole, in its place; refused where the request would not fit the input budget. */
export function restoreByHand(input: PolicyFacts, id: string): ByHand {
  const { window, estimate, budget } = input;
  const block = blockOf(window, id);
  if (block === undefined) return NO_SUCH_BLOCK;
  const why = whyNotBack(window, block);
  if (why !== undefined) return why;
  const draft = draftOf(input);
  const form = asAdmitted(window, block);
  const weight = isInWindow(block) ? weightAs(draft, block, form) : weighBlock(form, estimate);
  const what: Touch = { action: 'restore', rule: 'restoredByUser' };
  const restored = trimBehindEdit(touched(draft, block, what, weight, form));
  return whyTooMuch(restored.used, weight, budget) ?? { type: 'plan', plan: planOf(restored) };
}

/** Lets a summary say something else; it must stay smaller than what it stands for. */
export function rewriteByHand(input: PolicyFacts, id: string, newText: string): ByHand {
  const { window, estimate, budget } = input;
  const block = blockOf(window, id);
  if (block === undefined) return NO_SUCH_BLOCK;
  if (block.kind !== 'summary') return refused('Only a summary can be rewritten.');
  if (!isInWindow(block)) return refused('This summary has left the window: restore it first.');
  const text = newText.trim();
  if (text === '')
    return refused('A summary cannot be empty. To take it out of the window, exclude it.');
  if (text === block.text) return { type: 'nothing' };
  const draft = draftOf(input);
  const form: SummaryBlock = { ...block, text, editedByUser: true };
  const tokens = weighBlock(form, estimate);
  const most = coveredTokens(input, block);
  if (tokens >= most) {
    return refused(
      `The summary stays as it was: your text takes ${tokensText(tokens)} tokens, what it stands ` +
        `for ${tokensText(most)}. Write less, or restore the blocks themselves.`,
    );
  }
  const weight = weightAs(draft, block, form);
  const what: Touch = { action: 'rewrite', rule: 'rewrittenByUser', text };
  const rewritten = trimBehindEdit(touched(draft, block, what, weight, form));
  return whyTooMuch(rewritten.used, weight, budget) ?? { type: 'plan', plan: planOf(rewritten) };
}

function blockOf(window: ContextWindow, id: string): Block | undefined {
  return findBlock(window, id as BlockId);
}

/** The policy in force is named, and decides nothing. */
function draftOf(input: PolicyFacts): Draft {
  return startDraft({ ...input, trigger: 'byHand' }, input.settings.policy);
}

function touched(draft: Draft, { id }: Block, what: Touch, weight: number, form?: Block): Draft {
  return changeAll(draft, [{ id, weight, what, ...(form === undefined ? {} : { form }) }]);
}

function planned(draft: Draft): ByHand {
  return { type: 'plan', plan: planOf(trimBehindEdit(draft)) };
}

/** Tokens of what a summary stands for, as it came in. */
function coveredTokens({ window, estimate }: PolicyFacts, { covers }: SummaryBlock): number {
  const covered = new Set(covers);
  return window.blocks
    .filter(({ id }) => covered.has(id))
    .reduce((sum, block) => sum + weighBlock(asAdmitted(window, block), estimate), 0);
}

function tokensText(tokens: number): string {
  return amountText({ tokens, exact: false });
}

/** What stands in the way of a change by hand, in a sentence for the user. */
export interface Refused {
  readonly type: 'refuse';
  readonly message: string;
}

export const NO_SUCH_BLOCK: Refused = refused('There is no such block.');

const PROTECTED: Readonly<Record<HandProtection, Refused>> = {
  'keep:anchor': refused(
    'This is the task, pinned so that it is in every request. Unpin it first.',
  ),
  'keep:pinned': refused('This block is pinned. Unpin it first.'),
  'keep:latestPrompt': refused(
    'This is the newest prompt: the agent would not know what is asked of it.',
  ),
  'keep:openStep': refused(
    'The model has not read the results of this step yet. Try again after the next step.',
  ),
};

/** Says why the user may not take anything of a block out of the window; undefined when they may. */
function whyNotTaken(window: ContextWindow, block: Block): Refused | undefined {
  if (!isInWindow(block)) return refused('This block has left the window already.');
  const protection = handProtectionOf(window, block);
  return protection === undefined ? undefined : PROTECTED[protection];
}

/** Says why a block cannot come back; undefined when it, or a part of it, can. */
export function whyNotBack(window: ContextWindow, block: Block): Refused | undefined {
  if (window.decisions.get(block.id)?.rule === 'undone') {
    return refused('You undid the pass of this summary: what it replaced is back.');
  }
  if (hasLeft(window, block)) return undefined;
  switch (block.state) {
    case 'trimmed':
      return refused(
        'Only its thinking has left, and thinking that has left cannot be sent again.',
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
