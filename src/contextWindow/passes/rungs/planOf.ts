import { type Block, blockHandle, resultHandle } from '../../block';
import { newestStep } from '../../window';
import { KEEP_STEPS } from './summariseOldest';
import { labelOf } from '../../label';
import { weightOf } from '../../account/measure';
import type { Decision, Plan, Rule, PolicyName } from '../../plan';
import {
  type Draft,
  type DraftDecision,
  blocksIn,
  isOut,
  draftDecisionOf,
  weightIn,
  startDraft,
  type Rung,
} from './draft';
import { reasonFor } from './reason';
import { capHistory } from './cap';
import { evictRestored } from './evict';
import type { PolicyInput } from './policyInput';
import { shortenProtected } from './shortenProtected';
import { trimBehindEdit } from './trimThinking';

/**
 * Makes a draft a plan: one decision for every block in the window or brought back, kept ones
 * included.
 */
export function planOf(draft: Draft): Plan {
  const { measured, budget, trigger } = draft.input;
  return {
    trigger,
    policy: draft.policy,
    budget,
    before: measured.used,
    target: draft.target,
    estimatedAfter: draft.used,
    gapGrowth: draft.gapGrowth,
    scratchpadGrowth: draft.scratchpadGrowth,
    decisions: blocksIn(draft).map((block) => decisionFor(draft, block)),
    summaries: draft.summaries,
    ...(draft.view === undefined ? {} : { view: draft.view }),
  };
}

function decisionFor(draft: Draft, block: Block): Decision {
  const decided = draftDecisionOf(draft, block.id);
  const before = weightOf(draft.input.measured, block.id);
  const salience = draft.salience.get(block.id);
  const rule = decided?.rule ?? keepRule(draft, block);
  const { id: blockId, kind } = block;
  const label = labelOf(block);
  const reason = reasonFor(draft, block, rule);
  const known = salience === undefined ? {} : { salience };
  if (decided === undefined)
    return { blockId, label, kind, rule, reason, before, ...known, action: 'keep', after: before };
  return {
    blockId,
    label,
    kind,
    rule,
    reason,
    before,
    ...known,
    action: decided.action,
    after: { tokens: weightIn(draft, block.id), exact: isOut(draft, block.id) },
    // What was taken back comes back with its prompt alone, by an undo.
    ...(decided.action === 'undoPrompt' ? {} : { wayBack: { handle: handleFor(block, decided) } }),
    ...(decided.toolUseIds === undefined ? {} : { toolUseIds: decided.toolUseIds }),
    ...(decided.heldByView === undefined ? {} : { heldByView: decided.heldByView }),
    ...(decided.admissions === undefined ? {} : { admissions: decided.admissions }),
    ...(decided.summaryId === undefined ? {} : { summaryId: decided.summaryId }),
    ...(decided.text === undefined ? {} : { text: decided.text }),
  };
}

function handleFor(block: Block, decided: DraftDecision): string {
  const [only, ...more] = decided.toolUseIds ?? [];
  return only !== undefined && more.length === 0 ? resultHandle(only) : blockHandle(block.id);
}

function keepRule(draft: Draft, block: Block): Rule {
  const protection = draft.protections.get(block.id);
  if (protection !== undefined) return protection;
  if (draft.input.trigger === 'byHand') return 'keep:untouched';
  if (draft.input.trigger === 'recorded') return 'keep:recorded';
  if (block.kind === 'step' && block.step > newestStep(draft.input.window) - KEEP_STEPS) {
    return 'keep:recent';
  }
  return draft.used <= draft.target ? 'keep:enough' : 'keep:noGain';
}

/**
 * Climbs rungs until the low watermark is reached. `caps` are the limits a policy keeps whatever
 * the tokens say; a pass that was due for such a limit alone does no more than that.
 */
export function climb(
  input: PolicyInput,
  policy: PolicyName,
  rungs: readonly Rung[],
  caps: readonly Rung[] = [],
): Plan {
  const { maxHistoryTurns } = input.settings;
  const history = maxHistoryTurns === 0 ? [] : [capHistory(maxHistoryTurns)];
  const all = [
    ...history,
    ...caps,
    ...(input.trigger === 'cap' ? [] : [...rungs, shortenProtected, evictRestored]),
  ];
  return planOf(
    all.reduce((draft, rung) => trimBehindEdit(rung(draft)), startDraft(input, policy)),
  );
}
