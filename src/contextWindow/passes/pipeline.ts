import type { Measurement } from '../account/measure';
import { type ColdCache, savedByColdPass } from '../account/promptCache';
import type { Budget } from '../budget';
import type { NewEvent } from '../event';
import {
  type CachePrice,
  changesWindow,
  type Decision,
  type Pass,
  type Plan,
  type Summary,
  type Trigger,
  type UndonePrompt,
} from '../plan';
import { shownScratchpadText } from '../request/placeholder';
import type { SummaryCredit } from '../reasons';
import type { BlockId } from '../block';
import type { Estimate } from '../truncate';
import type { ContextWindow } from '../window';
import { nextOrdinal } from './passName';
import { planPass } from './policies/policies';
import { messagesIn, turnsIn } from './rungs/cap';
import {
  passStart,
  type Policy,
  type PolicyFacts,
  type PolicyInput,
  type PolicySettings,
} from './rungs/policyInput';
import { summaryTokens } from './rungs/summary';
import { textShownAfter } from '../request/request';
import { rulesText } from '../standingRules/standingRules';

/** At most this many passes run before one request. */
const MOST_PASSES = 2;

/** A plan that frees enough to run, and its facts. */
export interface PassToRun {
  readonly input: PolicyInput;
  readonly plan: Plan;
}

/** Plans a pass; undefined if it would not free enough. */
export function passToRun(input: PolicyInput, policy: Policy = planPass): PassToRun | undefined {
  const plan = policy(input);
  return isWorthwhile(plan, input.cold) ? { input, plan } : undefined;
}

/**
 * Plans the passes that are due before the next request, one after another. Before asking for the
 * next, the caller writes the summaries of each and logs it with `passApplied`; `now` then returns
 * the new window. `trigger` starts the first pass even if none is due.
 */
export function* duePasses(
  now: () => Omit<PolicyInput, 'trigger'>,
  trigger?: Trigger,
  policy: Policy = planPass,
): Generator<PassToRun, void> {
  let given = trigger;
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const input = now();
    const due = given ?? dueTrigger(input);
    if (due === undefined) return;
    const planned = passToRun({ ...input, trigger: due }, policy);
    if (planned === undefined) return;
    yield planned;
    given = undefined;
  }
}

/** The event that applies a pass once its summaries are written. */
export function passApplied(
  { window, estimate }: Pick<PolicyFacts, 'window' | 'estimate'>,
  plan: Plan,
  summaries: readonly Summary[],
): Extract<NewEvent, { readonly type: 'passApplied' }> {
  return {
    type: 'passApplied',
    pass: pricePass(plan, summaries, window, estimate),
  };
}

/** Each pass breaks the prompt cache, so a pass that frees less than this share does not run. */
const SMALLEST_GAIN_SHARE = 0.05;

/** Above this share of the high watermark a pass is near. */
export const NEAR_HIGH = 0.9;

/**
 * How wrong an estimate may be, as a share of the tokens that no count covers. In recorded sessions
 * three of four estimates of a step of 1,000 tokens or more were within it.
 */
const ESTIMATE_ERROR = 0.3;

/** Says why a pass is due now; undefined if none is. */
export function dueTrigger({
  window,
  measured,
  budget,
  settings,
  cold,
}: Omit<PolicyFacts, 'estimate'> & Pick<PolicyInput, 'cold'>): Trigger | undefined {
  const { tokens } = measured.used;
  if (tokens > passStart(budget, settings)) return 'highWatermark';
  if (isOverCap(window, settings)) return 'cap';
  const isFree = cold !== undefined && settings.policy !== 'server';
  return isFree && tokens > budget.lowTokens ? 'coldCache' : undefined;
}

function isOverCap(window: ContextWindow, settings: PolicySettings): boolean {
  const { policy, maxHistoryTurns, keepTurns, maxMessages } = settings;
  if (maxHistoryTurns > 0 && turnsIn(window) > maxHistoryTurns) return true;
  switch (policy) {
    case 'lastTurns':
      return turnsIn(window) > keepTurns;
    case 'slidingWindow':
    case 'headTail':
      return messagesIn(window) > maxMessages;
    case 'ladder':
    case 'tokenBudget':
    case 'salience':
    case 'summarise':
    case 'server':
      return false;
  }
}

/** Says whether to count the next request officially first. */
export function wantsCount(measured: Measurement, budget: Budget): boolean {
  if (measured.source === 'estimate' || measured.changed) return true;
  return isNearOne(measured, [budget.highTokens, budget.inputBudget]);
}

/** Says whether to count officially after a pass: its estimate may be on the wrong side of a mark. */
export function wantsCertificate(measured: Measurement, budget: Budget): boolean {
  if (measured.source === 'estimate') return true;
  return isNearOne(measured, [budget.lowTokens, budget.highTokens, budget.inputBudget]);
}

function isNearOne({ used, guessed }: Measurement, marks: readonly number[]): boolean {
  return marks.some((mark) => Math.abs(used.tokens - mark) < guessed * ESTIMATE_ERROR);
}

/** Says whether a plan frees enough to run; over the budget any gain is enough. */
export function isWorthwhile(plan: Plan, cold?: ColdCache): boolean {
  // A recorded pass is replayed whatever it freed.
  if (plan.trigger === 'recorded') return changesWindow(plan);
  const gain = plan.before.tokens - plan.estimatedAfter;
  // A limit on turns or messages is enforced even if gap line and rules take more tokens than they did.
  const added = Math.max(0, plan.gapGrowth) + Math.max(0, plan.rules.growth);
  if (plan.trigger === 'cap') return changesWindow(plan) && gain + added > 0;
  if (gain <= 0) return false;
  // If no block may leave, showing the current scratchpad alone may free enough.
  if (plan.before.tokens > plan.budget.inputBudget) return true;
  if (!changesWindow(plan)) return false;
  if (plan.trigger === 'coldCache' && cold !== undefined && savedByColdPass(plan, cold) <= 0)
    return false;
  if (plan.trigger !== 'highWatermark' && plan.trigger !== 'coldCache') return true;
  return gain >= plan.budget.inputBudget * SMALLEST_GAIN_SHARE;
}

/** Completes a plan with its summaries to a pass that is ready for the log. */
export function pricePass(
  plan: Plan,
  summaries: readonly Summary[],
  window: ContextWindow,
  estimate: Estimate,
): Pass {
  const capped = plan.summaries.reduce((sum, job) => sum + job.maxTokens, 0);
  const written = summaries.reduce(
    (sum, summary) => sum + summaryTokens(summary, window, estimate),
    0,
  );
  const afterTokens = plan.estimatedAfter - capped + written;
  return {
    // Not the length of the ledger: a pass whose log line was lost keeps its number.
    number: Math.max(0, ...window.ledger.map(({ pass }) => pass.number)) + 1,
    ordinal: nextOrdinal(
      window.ledger.map(({ pass }) => pass),
      plan,
    ),
    beforeStep: window.step + 1,
    trigger: plan.trigger,
    policy: plan.policy,
    budget: plan.budget,
    before: plan.before,
    after: { tokens: afterTokens, exact: false },
    target: plan.target,
    decisions: plan.decisions.map((decision) => withCredit(decision, summaries)),
    overhead: {
      summaries: written,
      scratchpad: plan.scratchpadGrowth,
      gapLines: plan.gapGrowth,
      ...(plan.rules.growth === 0 ? {} : { rules: plan.rules.growth }),
      excerpts: plan.excerpts?.tokens,
    },
    summaries,
    excerpts: plan.excerpts,
    cache: cachePrice(plan, window, {
      freedTokens: plan.before.tokens - afterTokens,
      newTokens:
        written +
        (plan.excerpts?.tokens ?? 0) +
        shownAnew(window, estimate, plan.undonePrompt) +
        Math.max(0, plan.gapGrowth) +
        (isRulesChanged(plan, window) ? estimate(plan.rules.text) : 0),
    }),
    undonePrompt: plan.undonePrompt,
  };
}

/** Adds to the reason who wrote the summary that replaces the block. */
function withCredit(decision: Decision, summaries: readonly Summary[]): Decision {
  const written = summaries.find(({ id }) => id === decision.summaryId);
  if (written === undefined) return decision;
  const { writtenBy, editedByUser } = written;
  const summary: SummaryCredit =
    writtenBy.by === 'model'
      ? { by: 'model', model: writtenBy.model, editedByUser }
      : { by: 'workNote', because: writtenBy.because, editedByUser };
  const { reason } = decision;
  switch (reason.rule) {
    case 'summariseOldest':
    case 'summariseSpent':
    case 'summariseOverCap':
    case 'recorded':
      return { ...decision, reason: { ...reason, summary } };
    default:
      return decision;
  }
}

function isRulesChanged({ rules }: Plan, window: ContextWindow): boolean {
  return rules.text !== rulesText(window);
}

/** Tokens of the scratchpad if the pass changes it; otherwise it stays cached. */
function shownAnew(
  window: ContextWindow,
  estimate: Estimate,
  undonePrompt: UndonePrompt | undefined,
): number {
  const text = textShownAfter(window, undonePrompt);
  return text === '' || text === window.shownScratchpad ? 0 : estimate(shownScratchpadText(text));
}

/**
 * Says which text of the last request stays, and which of it the cache must be given again. Text
 * that is new in the next request is in neither: the newest step with its results, what came after
 * it, and the summaries, excerpts and restored blocks of this pass.
 */
function cachePrice(
  plan: Plan,
  window: ContextWindow,
  { freedTokens, newTokens }: { readonly freedTokens: number; readonly newTokens: number },
): CachePrice {
  const { decisions } = plan;
  const changed = decisions.findIndex(({ action }) => action !== 'keep');
  // Scratchpad and rules follow the anchor.
  const behindAnchor = decisions[0]?.reason.rule === 'keep:anchor' ? 1 : 0;
  const first =
    window.shownScratchpad === textShownAfter(window, plan.undonePrompt) &&
    !isRulesChanged(plan, window)
      ? changed
      : behindAnchor;
  const start = first === -1 ? decisions.length : first;
  const isOld = isOfLastRequest(window, decisions);
  const stays = (from: number, to?: number) =>
    decisions
      .slice(from, to)
      .filter(isOld)
      .reduce((sum, { after }) => sum + after.tokens, 0);
  const ofBlocks = decisions.reduce((sum, { before }) => sum + before.tokens, 0);
  const rewrittenTokens = stays(start);
  return {
    untouchedTokens: Math.max(0, plan.before.tokens - ofBlocks) + stays(0, start),
    rewrittenTokens,
    addedTokens:
      newTokens +
      decisions
        .filter(({ action }) => action === 'restore')
        .reduce((sum, { after }) => sum + after.tokens, 0),
    freedTokens,
  };
}

/** Says whether the text that a decision leaves was in the last request. */
function isOfLastRequest(
  { step, ledger }: ContextWindow,
  decisions: readonly Decision[],
): (decision: Decision) => boolean {
  if (step === 0) return () => false;
  const newest = decisions.findIndex(({ blockId }) => blockId === `step-${step}`);
  // Earlier passes before the same request add text that no request has had yet.
  const added = new Set<BlockId>();
  for (const { pass } of ledger.slice(
    ledger.findLastIndex(({ pass }) => pass.beforeStep <= step) + 1,
  )) {
    for (const { id } of pass.summaries) added.add(id);
    if (pass.excerpts !== undefined) added.add(pass.excerpts.id);
    for (const { action, blockId } of pass.decisions) if (action === 'restore') added.add(blockId);
  }
  const old = new Set(newest === -1 ? decisions : decisions.slice(0, newest));
  return (decision) =>
    old.has(decision) && decision.action !== 'restore' && !added.has(decision.blockId);
}

/** How far a step is expected to exceed the high watermark, as a share of the input budget. */
const OVERSHOOT_SHARE = 0.1;

/**
 * The pass that will run soon, so that its summary can be written ahead; undefined if none is near.
 * One is near if the window holds more than `nearTokens`, or the most turns that `maxHistoryTurns`
 * allows.
 */
export function passAhead(facts: PolicyFacts, nearTokens: number): PolicyInput | undefined {
  if (facts.measured.used.tokens > nearTokens) return asIfFull(facts);
  const { maxHistoryTurns } = facts.settings;
  const isNear = maxHistoryTurns > 0 && turnsIn(facts.window) >= maxHistoryTurns;
  return isNear ? { ...facts, trigger: 'cap', turnsToCome: 1 } : undefined;
}

/**
 * The facts as they will be when the pass runs. It will have to free more than now: the growth up
 * to the high watermark, and the step that exceeds it. A smaller summary would not be enough.
 */
function asIfFull(facts: PolicyFacts): PolicyInput {
  const { budget, measured } = facts;
  const { highTokens, lowTokens, inputBudget } = budget;
  const toGrow = Math.max(0, highTokens - measured.used.tokens) + inputBudget * OVERSHOOT_SHARE;
  return {
    ...facts,
    trigger: 'highWatermark',
    budget: { ...budget, lowTokens: Math.max(0, lowTokens - toGrow) },
  };
}
