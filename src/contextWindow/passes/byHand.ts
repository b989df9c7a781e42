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
import { WHY_HELD } from '../reasons';
import { handProtectionOf } from '../tier';
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

/** The result of a change by hand; `plan` is absent if nothing would change. */
export type ByHand = Result<{ readonly plan?: Plan }>;

/** Excludes a block from the window, a step with all its pairs. */
export function excludeByHand(input: PolicyFacts, id: string): ByHand {
  const block = blockOf(input.window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotTaken(input.window, block);
  if (why !== undefined) return refused(why);
  return planned(
    touched(draftOf(input), block, { action: 'evict', reason: { rule: 'excludedByUser' } }, 0),
  );
}

/** Replaces a step's results by placeholders; the calls stay. */
export function clearByHand(input: PolicyFacts, id: string): ByHand {
  const block = blockOf(input.window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotTaken(input.window, block);
  if (why !== undefined) return refused(why);
  if (block.kind !== 'step' || !block.pairs.some(({ result }) => result !== undefined)) {
    return refused('This block has no result to clear.');
  }
  if (block.pairs.every(({ cleared, result }) => cleared || result === undefined)) {
    return refused('Its results are already cleared.');
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
      `Nothing was cleared: the step takes ${tokensText(now)} tokens now and would take ` +
        `${tokensText(weight)} with placeholders instead of results.`,
    );
  }
  const what: DraftDecision = { action: 'clear', reason: { rule: 'clearedByUser' }, toolUseIds };
  return planned(touched(draft, block, what, weight, form));
}

/** Restores a whole block in its place; refused if the request would not fit the input budget. */
export function restoreByHand(input: PolicyFacts, id: string): ByHand {
  const { window, budget } = input;
  const block = blockOf(window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  const why = whyNotBack(window, block);
  if (why !== undefined) return refused(why);
  const draft = draftOf(input);
  const form = asAdmitted(window, block);
  const weight = weightAs(draft, form);
  const what: DraftDecision = { action: 'restore', reason: { rule: 'restoredByUser' } };
  return ifItFits(trimBehindEdit(touched(draft, block, what, weight, form)), budget);
}

/** Rewrites a summary; it must stay smaller than the blocks it replaces. */
export function rewriteByHand(input: PolicyFacts, id: string, newText: string): ByHand {
  const { window, estimate, budget } = input;
  const block = blockOf(window, id);
  if (block === undefined) return refused(NO_SUCH_BLOCK);
  if (block.kind !== 'summary') return refused('Only a summary can be rewritten.');
  if (!isInWindow(block)) return refused('This summary is not in the window. Restore it first.');
  const text = newText.trim();
  if (text === '')
    return refused('A summary cannot be empty. To remove it from the window, exclude it.');
  if (text === block.text) return { ok: true };
  const draft = draftOf(input);
  const form: SummaryBlock = { ...block, text, editedByUser: true };
  const tokens = weighBlock(form, estimate);
  const most = coveredTokens(input, block);
  if (tokens >= most) {
    return refused(
      `The summary was not changed: your text takes ${tokensText(tokens)} tokens, the blocks it ` +
        `replaces ${tokensText(most)}. Write less, or restore the blocks.`,
    );
  }
  const weight = weightAs(draft, form);
  const what: DraftDecision = { action: 'rewrite', reason: { rule: 'rewrittenByUser' }, text };
  return ifItFits(trimBehindEdit(touched(draft, block, what, weight, form)), budget);
}

function blockOf(window: ContextWindow, id: string): Block | undefined {
  return findBlock(window, id as BlockId);
}

/** Begins a draft. It names the current policy, which decides nothing here. */
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
  return changeAll(draft, [{ id, weight, what, form }]);
}

function planned(draft: Draft): ByHand {
  return { ok: true, plan: planOf(trimBehindEdit(draft)) };
}

/** Plans a change that adds tokens, or refuses one that does not fit. */
function ifItFits(draft: Draft, budget: Budget): ByHand {
  const added = draft.used - draft.input.measured.used.tokens;
  const why = whyTooMuch(draft.used, added, budget);
  return why === undefined ? { ok: true, plan: planOf(draft) } : refused(why);
}

/** Tokens of the blocks that a summary covers, as they were admitted. */
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

export const UNDONE_PROMPT = 'You undid its prompt. Restore the prompt to get it back.';

/** Says why the user may not exclude or clear a block; undefined if they may. */
export function whyNotTaken(window: ContextWindow, block: Block): Refusal {
  if (block.state === 'undone') return UNDONE_PROMPT;
  if (!isInWindow(block)) return 'This block is not in the window.';
  const protection = handProtectionOf(window, block);
  return protection === undefined ? undefined : WHY_HELD[protection];
}

const FORMER_EXCERPTS =
  'These excerpts show files as they were when their pass ran. The next pass shows current ones. To restore these, undo the pass or change that removed them.';

/** Says why a block cannot be restored; undefined if it, or a part of it, can. */
export function whyNotBack(window: ContextWindow, block: Block): Refusal {
  if (block.kind === 'excerpts' && !isInWindow(block) && block.state !== 'undone')
    return FORMER_EXCERPTS;
  if (window.decisions.get(block.id)?.reason.rule === 'undone') {
    return 'You undid the pass of this summary. The blocks it replaced are back.';
  }
  if (hasLeft(window, block)) return undefined;
  switch (block.state) {
    case 'undone':
      return UNDONE_PROMPT;
    case 'trimmed':
      return 'Only its thinking was removed, and removed thinking cannot be sent again.';
    case 'truncated':
      return 'It is in the window as it was admitted: head and tail, within the cap. The agent can recall the rest.';
    case 'whole':
    case 'cleared':
    case 'summarised':
    case 'evicted':
      return 'This whole block is in the window.';
  }
}

/** Says, with the numbers, that an addition does not fit; undefined if it does. */
function whyTooMuch(usedTokens: number, addedTokens: number, { inputBudget }: Budget): Refusal {
  if (usedTokens <= inputBudget) return undefined;
  const estimate = (tokens: number) => amountText({ tokens, exact: false });
  return (
    `The next request would take ${estimate(usedTokens)} tokens, ${estimate(addedTokens)} of them ` +
    `for this, and the input budget is ${tokenText(inputBudget)}. Nothing was changed. Run Compact Now first.`
  );
}

/**
 * Adds the text of a removed block as a note at the end of the window, so that the prompt-cache
 * prefix stays (I7). The note is truncated like a tool result, to at most `capTokens`.
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
  if (text.trim() === '') return refused('This block has no text to recall.');
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
