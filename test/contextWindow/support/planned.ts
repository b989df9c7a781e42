import type { BlockId } from '../../../src/contextWindow/block';
import type { ContextWindow } from '../../../src/contextWindow/window';
import type { NewEvent } from '../../../src/contextWindow/event';
import { measure } from '../../../src/contextWindow/account/measure';
import type { Pass, Plan, Summary, Trigger } from '../../../src/contextWindow/plan';
import type { PolicySettings } from '../../../src/contextWindow/passes/rungs/policyInput';
import { planPass } from '../../../src/contextWindow/passes/policies/policies';
import { pricePass } from '../../../src/contextWindow/passes/pipeline';
import type { Estimate } from '../../../src/contextWindow/truncate';
import { sourcesOf } from '../../../src/contextWindow/passes/rungs/summary';
import { reasonText } from '../../../src/contextWindow/reasons';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import { budgetOf, countDots, draw, foldNew } from '../../support/drawing';

/** The options of a test for a pass; by default summaries, newest turns and excerpts are off. */
export interface Planned extends Partial<PolicySettings> {
  readonly inputBudget: number;
  readonly low?: number;
  readonly trigger?: Trigger;
  readonly estimate?: Estimate;
  readonly spared?: readonly string[];
  readonly prepared?: Summary;
  readonly ratings?: Readonly<Record<string, number>>;
}

/** Excerpts have tests of their own; here they are off. */
const { excerptShare: _share, ...WITHOUT_EXCERPTS } = POLICY_SETTINGS;

/** Plans a pass for a drawing, or for a window. */
export function planned(drawn: string | ContextWindow, options: Planned): Plan {
  const { inputBudget, low, trigger = 'highWatermark', spared, prepared, ratings } = options;
  const { estimate = countDots, ...settings } = options;
  const window = typeof drawn === 'string' ? draw(drawn) : drawn;
  return planPass({
    window,
    measured: measure(window, estimate),
    budget: budgetOf(inputBudget, 0.8, low),
    trigger,
    estimate,
    settings: { ...WITHOUT_EXCERPTS, summaries: false, keepRecentTurns: 0, ...settings },
    ...(spared === undefined ? {} : { spared: new Set(spared as readonly BlockId[]) }),
    ...(prepared === undefined
      ? {}
      : { prepared: { summary: prepared, from: sourcesOf(window, prepared) } }),
    ...(ratings === undefined
      ? {}
      : { ratings: new Map(Object.entries(ratings) as [BlockId, number][]) }),
  });
}

/** The actions by block, in window order. */
export function done(plan: Pick<Plan, 'decisions'>): readonly string[] {
  return plan.decisions
    .filter(({ action }) => action !== 'keep')
    .map(({ action, blockId }) => `${action} ${blockId}`);
}

/** The rule of every block in the window. */
export function rules(plan: Plan): Readonly<Record<string, string>> {
  return Object.fromEntries(plan.decisions.map(({ blockId, reason }) => [blockId, reason.rule]));
}

/** The reason of a block's decision. */
export function reason(plan: Plan, blockId: string): string {
  return reasonText(plan.decisions.find((decision) => decision.blockId === blockId)!);
}

/** Completes a plan without a model: each summary gets the given text. */
export function settled(plan: Plan, window: ContextWindow, text = 'Done so far.'): Pass {
  const summaries = plan.summaries.map(({ summaryId, covers, ready }) => ({
    id: summaryId,
    covers,
    text: ready?.text ?? text,
    writtenBy: { by: 'workNote' as const, because: 'this is a test' },
  }));
  return pricePass(plan, summaries, window, countDots);
}

/** Runs a pass after these events; returns the events with the pass. */
export function passed(events: readonly NewEvent[], options: Planned): readonly NewEvent[] {
  const window = foldNew(events);
  return [...events, { type: 'passApplied', pass: settled(planned(window, options), window) }];
}
