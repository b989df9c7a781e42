import { type Admission, type Block, type StepBlock, blockHandle, resultHandle } from '../../block';
import { blocksInWindow, firstOfNewest, latestPrompt } from '../../window';
import { weightOf } from '../../account/measure';
import { shortened } from '../../blockChanges';
import { type NewAdmission } from '../../plan';
import { admit, admittedText } from '../../truncate';
import {
  ifGained,
  formOf,
  isOut,
  changeAll,
  weightAs,
  weightIn,
  type Draft,
  type Rung,
  type BlockChange,
  draftDecisionOf,
  takeable,
} from './draft';
import { staysFrom } from './recentTurns';

/** A text cut to fewer tokens says nothing. */
const SMALLEST_CAP = 150;

/** Tried in order until the request fits; shares of the input budget. */
const SHARES = [0.25, 0.12, 0.06, 0.03] as const;

/** The most that the task may take while anything else could stay; a share of the input budget. */
const TASK_SHARE = 0.25;

/** The same as a share of what the pass leaves, where that is far below the budget. */
const TASK_SHARE_OF_LOW = 0.5;

/**
 * Truncates a task that is out of proportion to head and tail, if otherwise a pass would have to
 * touch the newest turns: they are worth more than the middle of a long task, which can be recalled.
 */
export const shortenTask: Rung = (draft) => {
  const { window, budget, settings, trigger } = draft.input;
  // Nothing forces a pass at an expired cache.
  if (draft.used <= draft.target || trigger === 'coldCache') return draft;
  const task = blocksInWindow(window).find(({ kind, pinned }) => kind === 'anchor' && pinned);
  const most = Math.floor(
    Math.min(budget.inputBudget * TASK_SHARE, budget.lowTokens * TASK_SHARE_OF_LOW),
  );
  if (task === undefined || weightIn(draft, task.id) <= most) return draft;
  const first = firstOfNewest(window, Math.max(1, settings.keepRecentTurns));
  const [older, recent] = [false, true].map((isRecent) =>
    takeable(draft)
      .filter((block) => staysFrom(first, block) === isRecent)
      .reduce((sum, { id }) => sum + weightIn(draft, id), 0),
  ) as [number, number];
  if (recent === 0 || draft.used - older <= draft.target) return draft;
  const cut = cutBlock(draft, task, most, 'shortenTask');
  return cut === undefined ? draft : ifGained(draft, changeAll(draft, [cut]));
};

/**
 * Truncates protected blocks to head and tail, with the cut marked, if the request would not fit
 * otherwise: results that the model has not read, then the anchor, then the newest prompt. Needed
 * after a switch to a smaller window, or if the API allows less than the settings say.
 */
export const shortenProtected: Rung = (draft) => {
  let next = draft;
  for (const share of SHARES) {
    if (next.used <= draft.input.budget.inputBudget) break;
    next = cutTo(next, Math.max(SMALLEST_CAP, Math.floor(draft.input.budget.inputBudget * share)));
  }
  return ifGained(draft, next);
};

function cutTo(draft: Draft, capTokens: number): Draft {
  const { inputBudget } = draft.input.budget;
  const touched: BlockChange[] = [];
  let { used } = draft;
  for (const block of cuttable(draft)) {
    if (used <= inputBudget) break;
    const cut = cutBlock(draft, block, capTokens);
    if (cut === undefined) continue;
    used += cut.weight - weightIn(draft, block.id);
    touched.push(cut);
  }
  return changeAll(draft, touched);
}

/** Results before the user's text, and the newest prompt last. */
function cuttable(draft: Draft): readonly Block[] {
  const { window } = draft.input;
  const newest = latestPrompt(window);
  const order = (block: Block) => {
    if (block === newest) return 2;
    return block.kind === 'anchor' || block.kind === 'prompt' ? 1 : 0;
  };
  return blocksInWindow(window)
    .filter(({ id }) => !isOut(draft, id) && draft.protections.get(id) !== 'keep:spared')
    .toSorted((a, b) => order(a) - order(b));
}

function cutBlock(
  draft: Draft,
  block: Block,
  capTokens: number,
  rule: 'shortenTask' | 'shortenProtected' = 'shortenProtected',
): BlockChange | undefined {
  const now = formOf(draft, block);
  const cuts =
    now.kind === 'step' ? cutResults(draft, now, capTokens) : cutText(draft, now, capTokens);
  if (cuts.length === 0) return undefined;
  const form = shortened(now, cuts);
  const weight = weightAs(draft, form);
  if (weight >= weightIn(draft, block.id)) return undefined;
  const earlier = draftDecisionOf(draft, block.id);
  const { tokens } = weightOf(draft.input.measured, block.id);
  const again = new Set(cuts.map(({ handle }) => handle));
  const kept = (earlier?.admissions ?? []).filter(({ handle }) => !again.has(handle));
  const admissions = [...kept, ...cuts];
  const what =
    earlier?.action === 'clear'
      ? { ...earlier, admissions }
      : {
          action: 'truncate' as const,
          reason: { rule, tokens },
          admissions,
        };
  return { id: block.id, weight, what, form };
}

function cutText(draft: Draft, block: Block, capTokens: number): readonly NewAdmission[] {
  if (block.kind === 'step' || block.kind === 'summary' || block.kind === 'excerpts') return [];
  return cutFurther(draft, block, blockHandle(block.id), capTokens);
}

function cutResults(draft: Draft, step: StepBlock, capTokens: number): readonly NewAdmission[] {
  const each = Math.max(SMALLEST_CAP, Math.floor(capTokens / Math.max(1, step.pairs.length)));
  return step.pairs.flatMap(({ use, result, cleared }): readonly NewAdmission[] => {
    if (result === undefined || cleared) return [];
    return cutFurther(draft, result, resultHandle(use.id), each);
  });
}

/** Truncates a text to the cap unless as little of it is already shown. */
function cutFurther(
  { input: { estimate } }: Draft,
  { text, admission: now }: { readonly text: string; readonly admission: Admission },
  handle: string,
  capTokens: number,
): readonly NewAdmission[] {
  const shown = estimate(admittedText(text, now, handle));
  if (shown <= capTokens) return [];
  const admission = admit(text, capTokens, estimate, handle);
  if (admission.form === 'whole' || admission.tokensAfter >= shown) return [];
  return [{ handle, admission }];
}
