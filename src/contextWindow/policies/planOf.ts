import type { Block } from '../block';
import { KEEP_RESULTS } from './clear';
import { KEEP_STEPS } from './compact';
import { tokenText } from '../amountText';
import { blocksInWindow } from '../contextWindow';
import { labelOf } from '../label';
import { weightOf } from '../measure';
import { blockHandle, resultHandle } from '../placeholder';
import type { Decision, Plan, Rule } from '../plan';
import type { Draft, Touch } from './draft';
import { weightIn } from './draft';

/** Closes a draft: one decision for every block in the window, kept ones included. */
export function planOf(draft: Draft): Plan {
  const { window, measured, budget, trigger } = draft.input;
  return {
    trigger,
    budget,
    before: measured.used,
    target: draft.target,
    estimatedAfter: draft.used,
    decisions: blocksInWindow(window).map((block) => decisionFor(draft, block)),
    summaries: draft.summaries,
    rungs: draft.rungs,
  };
}

function decisionFor(draft: Draft, block: Block): Decision {
  const touch = draft.touches.get(block.id);
  const before = weightOf(draft.input.measured, block.id);
  const salience = draft.salience.get(block.id);
  const rule = touch?.rule ?? keepRule(draft, block);
  const base = {
    blockId: block.id,
    label: labelOf(block),
    kind: block.kind,
    rule,
    reason: reasonFor(draft, block, rule),
    before,
    ...(salience === undefined ? {} : { salience }),
  };
  if (touch === undefined) return { ...base, action: 'keep', after: before };
  return {
    ...base,
    action: touch.action,
    after: { tokens: weightIn(draft, block.id), exact: touch.action !== 'clear' },
    wayBack: { handle: handleFor(block, touch) },
    ...(touch.toolUseIds === undefined ? {} : { toolUseIds: touch.toolUseIds }),
    ...(touch.summaryId === undefined ? {} : { summaryId: touch.summaryId }),
  };
}

function handleFor(block: Block, touch: Touch): string {
  const [only, ...more] = touch.toolUseIds ?? [];
  return only !== undefined && more.length === 0 ? resultHandle(only) : blockHandle(block.id);
}

function keepRule(draft: Draft, block: Block): Rule {
  const protection = draft.protections.get(block.id);
  if (protection !== undefined) return protection;
  if (block.kind === 'step' && block.step > draft.input.window.step - KEEP_STEPS) {
    return 'keep:recent';
  }
  return draft.used <= draft.target ? 'keep:enough' : 'keep:noGain';
}

function reasonFor(draft: Draft, block: Block, rule: Rule): string {
  const target = draft.target;
  switch (rule) {
    case 'keep:anchor':
      return 'Task anchor: in every request, labelled as the original task';
    case 'keep:pinned':
      return 'Pinned by you';
    case 'keep:latestPrompt':
      return 'The newest prompt: what the agent is answering now';
    case 'keep:openStep':
      return 'The newest step: the model has not read its results yet';
    case 'keep:recent':
      return `One of the ${KEEP_STEPS} newest steps`;
    case 'keep:enough':
      return `Kept: the low watermark (${tokenText(target)} tokens) was reached without it`;
    case 'keep:noGain':
      return 'Kept: taking it out would not have made enough room';
    case 'clearOldResults':
      return `Old tool result cleared; the newest ${KEEP_RESULTS} stay`;
    case 'compactOldest':
      return 'One of the oldest blocks: replaced by a summary';
    case 'evictLeastSalient':
      return `Least salient (${(draft.salience.get(block.id)?.salience ?? 0).toFixed(2)}): ${whySalience(draft, block)}`;
    case 'evictFinishedPrompt':
      return 'Prompt of a finished turn whose steps have all left';
    case 'truncateAtAdmission':
      return 'Over the cap at admission: head and tail kept';
  }
}

function whySalience(draft: Draft, block: Block): string {
  const factors = draft.salience.get(block.id);
  if (factors === undefined) return 'nothing is known of it';
  return factors.reuse === 0
    ? 'no later step names its paths'
    : `${Math.round(factors.reuse * 100)} % of its paths are named later`;
}
