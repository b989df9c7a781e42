import { resultAllowance, resultCap } from '../account/admission';
import { weighBlock } from '../account/guesses';
import { amountText, tokenText } from '../amount';
import {
  type Block,
  blockHandle,
  type BlockId,
  isInWindow,
  type NoteSource,
  type SummaryBlock,
} from '../block';
import { asAdmitted, clearedPair, hasLeft, noteBlock, noteId } from '../blockChanges';
import { blockText } from '../blockText';
import type { Budget } from '../budget';
import type { NewEvent } from '../event';
import { labelOf } from '../label';
import type { Plan } from '../plan';
import { type Refusal, refused, type Result } from '../result';
import { type HandProtection, handProtectionOf } from '../tier';
import { admit } from '../truncate';
import { type ContextWindow, findBlock } from '../window';
import {
  changeAll,
  type Draft,
  type DraftDecision,
  startDraft,
  weightAs,
  weightIn,
} from './rungs/draft';
import { planOf } from './rungs/planOf';
import type { PolicyFacts } from './rungs/policyInput';
import { trimBehindEdit } from './rungs/trimThinking';

/** What the user's change of one block leads to; `plan` is absent where nothing would change. */
export type ByHand = Result<{ readonly plan?: Plan }>;

/** Takes a block out of the window, a step with all its pairs. */
export function excludeByHand(input: PolicyFacts, id: string): ByHand {
  const block = blockOf(input.window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotTaken(input.window, block);
  if (why !== undefined) return refused(why);
  return planned(touched(draftOf(input), block, { action: 'evict', rule: 'excludedByUser' }, 0));
}

/** Puts placeholders in the place of a step's results; the calls stay. */
export function clearByHand(input: PolicyFacts, id: string): ByHand {
  const block = blockOf(input.window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotTaken(input.window, block);
  if (why !== undefined) return refused(why);
  if (block.kind !== 'step' || !block.pairs.some(({ result }) => result !== undefined)) {
    return refused('This block has no result to clear.');
  }
  if (block.pairs.every(({ cleared, result }) => cleared || result === undefined)) {
    return refused('Its results are cleared already.');
  }
  const draft = draftOf(input);
  const answered = block.pairs.filter(({ result }) => result !== undefined);
  const toolUseIds = answered.map(({ use }) => use.id);
  const pairs = block.pairs.map((pair) =>
    pair.result === undefined ? pair : clearedPair(pair, false),
  );
  const form: Block = { ...block, pairs };
  const weight = weightAs(draft, form);
  const now = weightIn(draft, block.id);
  if (weight >= now) {
    return refused(
      `Nothing was cleared: the step takes ${tokensText(now)} tokens now, and would take ` +
        `${tokensText(weight)} with placeholders in place of its results.`,
    );
  }
  const what: DraftDecision = { action: 'clear', rule: 'clearedByUser', toolUseIds };
  return planned(touched(draft, block, what, weight, form));
}

/** Brings a block back whole, in its place; refused where the request would not fit the input budget. */
export function restoreByHand(input: PolicyFacts, id: string): ByHand {
  const { window, budget } = input;
  const block = blockOf(window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotBack(window, block);
  if (why !== undefined) return refused(why);
  const draft = draftOf(input);
  const form = asAdmitted(window, block);
  const weight = weightAs(draft, form);
  const what: DraftDecision = { action: 'restore', rule: 'restoredByUser' };
  const restored = trimBehindEdit(touched(draft, block, what, weight, form));
  return ifItFits(restored, weight, budget);
}

/** Rewrites a summary; it must stay smaller than what it stands for. */
export function rewriteByHand(input: PolicyFacts, id: string, newText: string): ByHand {
  const { window, estimate, budget } = input;
  const block = blockOf(window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  if (block.kind !== 'summary') return refused('Only a summary can be rewritten.');
  if (!isInWindow(block)) return refused('This summary has left the window: restore it first.');
  const text = newText.trim();
  if (text === '')
    return refused('A summary cannot be empty. To take it out of the window, exclude it.');
  if (text === block.text) return { ok: true };
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
  const weight = weightAs(draft, form);
  const what: DraftDecision = { action: 'rewrite', rule: 'rewrittenByUser', text };
  const rewritten = trimBehindEdit(touched(draft, block, what, weight, form));
  return ifItFits(rewritten, weight, budget);
}

function blockOf(window: ContextWindow, id: string): Block | undefined {
  return findBlock(window, id as BlockId);
}

/** Begins a draft. It names the policy in force, which decides nothing here. */
function draftOf(input: PolicyFacts): Draft {
  return startDraft({ ...input, trigger: 'byHand' }, input.settings.policy);
}

function touched(
  draft: Draft,
  { id }: Block,
  what: DraftDecision,
  weight: number,
  form?: Block,
): Draft {
  return changeAll(draft, [{ id, weight, what, ...(form === undefined ? {} : { form }) }]);
}

function planned(draft: Draft): ByHand {
  return { ok: true, plan: planOf(trimBehindEdit(draft)) };
}

/** Plans a change that adds tokens, or refuses one that does not fit. */
function ifItFits(draft: Draft, addedTokens: number, budget: Budget): ByHand {
  const why = whyTooMuch(draft.used, addedTokens, budget);
  return why === undefined ? { ok: true, plan: planOf(draft) } : refused(why);
}

/** Tokens of the blocks a summary stands for, as they were admitted. */
function coveredTokens({ window, estimate }: PolicyFacts, { covers }: SummaryBlock): number {
  const covered = new Set(covers);
  return window.blocks
    .filter(({ id }) => covered.has(id))
    .reduce((sum, block) => sum + weighBlock(asAdmitted(window, block), estimate), 0);
}

function tokensText(tokens: number): string {
  return amountText({ tokens, exact: false });
}

export const NO_SUCH_BLOCK = 'There is no such block.';

export const TAKEN_BACK =
  'You took its prompt back. It comes back when you undo that in the list of passes.';

const PROTECTED: Readonly<Record<HandProtection, string>> = {
  'keep:anchor': 'This is the task, pinned so that it is in every request. Unpin it first.',
  'keep:pinned': 'This block is pinned. Unpin it first.',
  'keep:latestPrompt': 'This is the newest prompt: the agent would not know what is asked of it.',
  'keep:openStep':
    'The model has not read the results of this step yet. Try again after the next step.',
};

/** Says why the user may not take anything of a block out of the window; undefined when they may. */
function whyNotTaken(window: ContextWindow, block: Block): Refusal {
  if (block.state === 'undone') return TAKEN_BACK;
  if (!isInWindow(block)) return 'This block has left the window already.';
  const protection = handProtectionOf(window, block);
  return protection === undefined ? undefined : PROTECTED[protection];
}

const FORMER_VIEW =
  'This view shows files as they were when its pass ran. The next pass shows them anew. To bring this view back, undo the pass or change that took it out.';

/** Says why a block cannot come back; undefined when it, or a part of it, can. */
export function whyNotBack(window: ContextWindow, block: Block): Refusal {
  if (block.kind === 'excerpts' && !isInWindow(block) && block.state !== 'undone')
    return FORMER_VIEW;
  if (window.decisions.get(block.id)?.rule === 'undone') {
    return 'You undid the pass of this summary: what it replaced is back.';
  }
  if (hasLeft(window, block)) return undefined;
  switch (block.state) {
    case 'undone':
      return TAKEN_BACK;
    case 'trimmed':
      return 'Only its thinking has left, and thinking that has left cannot be sent again.';
    case 'truncated':
      return 'It is in the window as it came in: head and tail, within the cap. The agent can recall the rest.';
    case 'whole':
    case 'cleared':
    case 'summarised':
    case 'evicted':
      return 'This block is in the window, and whole.';
  }
}

/** Says, with the numbers, that an addition does not fit; undefined when it does. */
export function whyTooMuch(
  usedTokens: number,
  addedTokens: number,
  { inputBudget }: Budget,
): Refusal {
  if (usedTokens <= inputBudget) return undefined;
  const estimate = (tokens: number) => amountText({ tokens, exact: false });
  return (
    `The next request would have ${estimate(usedTokens)} tokens, ${estimate(addedTokens)} of them ` +
    `this, and the input budget is ${tokenText(inputBudget)}. Nothing was changed: make room first.`
  );
}

/**
 * Brings the text of a block that left back at the end of the window, where the prompt-cache prefix
 * is not touched (I7). It is cut like a tool result; `capTokens` is the most it may take.
 */
export function recallByHand(
  input: PolicyFacts,
  id: string,
  capTokens: number,
): Result<{ readonly event: NewEvent }> {
  const { window, measured, budget, estimate } = input;
  const block = findBlock(window, id as BlockId);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotBack(window, block);
  if (why !== undefined) return refused(why);
  const text = blockText(block);
  if (text.trim() === '') return refused('There is no text in this block to bring back.');
  const number = window.note + 1;
  const cap = resultCap(resultAllowance(input, capTokens, 1));
  const admission = admit(text, cap, estimate, blockHandle(noteId(number)));
  const source: NoteSource = { from: 'recall', blockId: block.id, label: labelOf(block) };
  const note = { source, text, admission };
  const tokens = weighBlock(noteBlock(window, { note: number, ...note }), estimate);
  const tooMuch = whyTooMuch(measured.used.tokens + tokens, tokens, budget);
  return tooMuch === undefined
    ? { ok: true, event: { type: 'noteAdded', ...note } }
    : refused(tooMuch);
}
