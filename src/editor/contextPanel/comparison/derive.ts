import type { Block, StepBlock } from '../../../contextWindow/block';
import { findBlock, type ContextWindow, type Refault } from '../../../contextWindow/window';
import { POLICY_NAMES, REPLAY_ONLY_NAMES } from '../../../contextWindow/plan';
import type { SessionPauses } from '../../../contextWindow/account/promptCache';
import { refaultCounts } from '../../../contextWindow/passes/refault';
import { refused, type Result } from '../../../contextWindow/result';
import { costOf } from '../../../model/pricing';
import type { ComparedPolicyName, KeptView, PolicyComparison, PolicyRow, ShareView } from './state';
import type { WhatIfSettings } from '../whatIf/state';
import type { ComparisonTask, Need, PolicyResult } from '../../../replay/comparePolicies';
import { modelOf } from '../../../replay/recording';
import { transcriptOfSession } from '../../../recordings/plimsoll';
import type { Transcript, TranscriptEntry } from '../../../sessions/transcript';
import { DEFAULT_SETTINGS } from '../../../settings/settings';
import type { Inspected } from '../../session/inspected';
import { tryOut } from '../../whatIfSettings';
import { whatIfSettings } from '../whatIf/derive';
import { replaySettings } from '../../recordings/recordingSettings';

/** A comparison's task, and the view of its results. */
interface PlannedComparison {
  readonly task: ComparisonTask;
  view(results: readonly PolicyResult[]): PolicyComparison;
}

type ReplyEntry = Extract<TranscriptEntry, { readonly type: 'reply' }>;

/**
 * Plans the replays of a session, one for each policy, under the settings that the user tries.
 * `earlierPauses` are those of the sessions before it.
 */
export function plannedComparison(
  inspected: Inspected,
  wished: WhatIfSettings,
  earlierPauses?: SessionPauses,
): Result<{ readonly planned: PlannedComparison }> {
  const { events, inForce } = inspected;
  const transcript = inspected.transcript ?? transcriptOfSession({ events, notes: [] });
  const replies = transcript.entries.filter((entry) => entry.type === 'reply');
  if (replies.length === 0) {
    return refused('There is nothing to compare yet: the session has no step.');
  }
  const tried = policiesOf(inspected).map((policy) => ({
    policy,
    result: tryOut(inForce, { ...wished, policy }),
  }));
  const settings = tried.flatMap(({ policy, result }) =>
    result.ok ? [{ ...replaySettings(result.valid, policy), earlierPauses }] : [],
  );
  const needs = needsIn(inspected, transcript, replies);
  const ownNeeds = needs.flatMap((need) => need ?? []);
  const lossNeeds = (inspected.losses ?? []).flatMap(({ needed }) => needed);
  const task: ComparisonTask = {
    transcript,
    model: modelOf(transcript) ?? DEFAULT_SETTINGS.model,
    settings,
    needs: [...ownNeeds, ...lossNeeds],
  };
  const view = (results: readonly PolicyResult[]): PolicyComparison => {
    const rows = tried.map(({ policy, result }): PolicyRow => {
      if (!result.ok) return { ...result, policy };
      const found = results.find((one) => one.policy === policy);
      return found === undefined
        ? { ...refused('It was not replayed.'), policy }
        : rowOf(policy, found, found.kept.slice(ownNeeds.length));
    });
    return {
      settings: wished,
      steps: replies.length,
      upToStep: inspected.window.step,
      rows,
      kept: keptViews(inspected, needs, results),
      ...asShown(inspected, wished, rows),
      notes: notesOn(results, replies),
    };
  };
  return { ok: true, planned: { task, view } };
}

/**
 * Any session can be replayed with the API's context editing. Only a recording allows the policies
 * that know what is needed later.
 */
function policiesOf({ source }: Inspected): readonly ComparedPolicyName[] {
  if (source.type === 'session') return [...POLICY_NAMES, 'ladderNoExcerpts'];
  const isOwn = source.format === 'plimsoll' || source.format === 'subAgent';
  return [...POLICY_NAMES, ...REPLAY_ONLY_NAMES.filter((name) => !isOwn || name !== 'recorded')];
}

function isReplay({ transcript }: Inspected): boolean {
  return transcript !== undefined;
}

/**
 * The result of the session as shown. A replay is already one of the rows, unless the user tries
 * other settings. Its numbers can differ because this editor has calibrated its estimates.
 */
function asShown(
  inspected: Inspected,
  wished: WhatIfSettings,
  rows: readonly PolicyRow[],
): Pick<PolicyComparison, 'asShown'> {
  const { window, inForce, policy } = inspected;
  const passes = window.ledger.filter(
    ({ pass, undone }) => pass.trigger !== 'byHand' && undone !== true,
  ).length;
  const neededAgain = refaultCounts(window.refaults.toArray()).all;
  const shown = { isReplay: isReplay(inspected), passes, neededAgain };
  if (!shown.isReplay) return { asShown: shown };
  const set = { ...whatIfSettings(inForce.settings.context, policy), policy: wished.policy };
  const names = Object.keys(set) as (keyof WhatIfSettings)[];
  const row = rows.find((one) => one.policy === policy);
  if (row?.ok !== true || names.some((name) => set[name] !== wished[name])) return {};
  const isSame = row.passes === passes && row.neededAgain === neededAgain;
  return isSame ? {} : { asShown: shown };
}

function rowOf(
  policy: ComparedPolicyName,
  result: PolicyResult,
  ofLosses: PolicyResult['kept'],
): PolicyRow {
  const { passes, edits, refaults, cost, maxTokens, overBudget, cleared } = result;
  return {
    ok: true,
    policy,
    passes,
    edits,
    ...(ofLosses.length === 0 ? {} : { keptOfLosses: keptShare(ofLosses) }),
    neededAgain: refaults,
    ...(cleared > 0 ? { isLeast: true } : {}),
    cost,
    peakTokens: maxTokens,
    overBudget,
  };
}

function keptShare(kept: PolicyResult['kept']): ShareView {
  return { visible: kept.filter((is) => is === true).length, total: kept.length };
}

/**
 * Lists which of the user's policies kept which content. Omits the policy of a displayed replay,
 * since that policy removed it.
 */
function keptViews(
  inspected: Inspected,
  needs: readonly (Need | undefined)[],
  results: readonly PolicyResult[],
): readonly KeptView[] {
  const { window, policy: shown } = inspected;
  const others = results.flatMap(({ policy, kept }) => {
    const name = POLICY_NAMES.find((one) => one === policy);
    if (name === undefined || (isReplay(inspected) && name === shown)) return [];
    return [{ name, kept }];
  });
  let next = 0;
  return window.refaults.map(({ step, what }, index): KeptView => {
    if (needs[index] === undefined) return { step, what, by: [], isUnknown: true };
    const at = next++;
    const by = others.filter(({ kept }) => kept[at] === true).map(({ name }) => name);
    const isUnknown = others.every(({ kept }) => kept[at] === undefined);
    return { step, what, by, ...(isUnknown ? { isUnknown } : {}) };
  });
}

/**
 * Translates what was needed again to the names of a replay; undefined for what the replay lacks.
 */
function needsIn(
  inspected: Inspected,
  { entries }: Transcript,
  replies: readonly ReplyEntry[],
): readonly (Need | undefined)[] {
  const { window } = inspected;
  const prompts = entries.flatMap((entry) => (entry.type === 'prompt' ? [entry.text] : []));
  const stepOfCall = new Map<string, number>();
  for (const [index, { parts }] of replies.entries()) {
    for (const part of parts) {
      if (part.type !== 'toolUse' || stepOfCall.has(part.use.id)) continue;
      stepOfCall.set(part.use.id, index + 1);
    }
  }
  const stepOf = (block: StepBlock): number | undefined => {
    const [first] = block.pairs;
    if (first !== undefined) return stepOfCall.get(first.use.id);
    const entry = replies[block.step - 1];
    return entry !== undefined && wordsOf(entry) === wordsOf(block) ? block.step : undefined;
  };
  const nameOf = (block: Block): string | undefined => {
    if (block.kind === 'step') {
      const step = stepOf(block);
      return step === undefined ? undefined : `step-${step}`;
    }
    if (block.kind !== 'anchor' && block.kind !== 'prompt') return undefined;
    const isSame = prompts[block.turn - 1] === block.text;
    const index = isSame ? block.turn - 1 : prompts.indexOf(block.text);
    return index === -1 ? undefined : `prompt-${index + 1}`;
  };
  return window.refaults.map((refault) => {
    const step = stepNeeding(window, refault, stepOf);
    const block = findBlock(window, refault.blockId);
    const name = block === undefined ? undefined : nameOf(block);
    if (step === undefined || name === undefined) return undefined;
    return { step, blockId: name as Need['blockId'] };
  });
}

function stepNeeding(
  { blocks }: ContextWindow,
  { step }: Refault,
  stepOf: (block: StepBlock) => number | undefined,
): number | undefined {
  const asking = blocks.find((block) => block.kind === 'step' && block.step === step);
  return asking?.kind === 'step' ? stepOf(asking) : undefined;
}

function wordsOf({ parts }: Pick<ReplyEntry, 'parts'>): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

const WORK_NOTES =
  'No model is called: a work note stands in for every summary. Summaries by a model would take ' +
  'a different number of tokens, and add what the model charges.';
const NOT_LOOKED_AT =
  'server: content that the API cleared and that was needed again is not counted, only content that a pass removed.';

function notesOn(
  results: readonly PolicyResult[],
  replies: readonly ReplyEntry[],
): readonly string[] {
  const unpriced = [
    ...new Set(
      replies
        .map(({ model }) => model)
        .filter((model) => costOf(model, NOTHING_USED) === 'unknown'),
    ),
  ];
  const named = unpriced.filter((model) => model !== '');
  return [
    ...(results.some(({ summaries }) => summaries > 0) ? [WORK_NOTES] : []),
    ...new Set(results.flatMap(({ notes }) => notes)),
    ...(results.some(({ cleared }) => cleared > 0) ? [NOT_LOOKED_AT] : []),
    ...(unpriced.length === 0
      ? []
      : [
          named.length === 0
            ? 'The recording names no model, so its cost is unknown.'
            : `The cost is unknown: there is no list price for ${named.join(', ')}.`,
        ]),
  ];
}

const NOTHING_USED = {
  inputTokens: 0,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
};
