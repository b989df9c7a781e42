import { amountText, tokenText } from '../contextWindow/amountText';
import { apportion } from '../contextWindow/account/measure';
import type { Budget } from '../contextWindow/budget';
import type { Charge } from '../contextWindow/account/charges';
import { troublesOf, type StepPoint, type Timeline } from '../contextWindow/log/timeline';
import { promptTokens, type TierTokens, type Usage } from '../contextWindow/usage';
import { costOf as priceOf } from '../counting/pricing';
import type {
  BilledTokens,
  BudgetLevels,
  TimelineMark,
  TimelinePoint,
  TimelineTotals,
  TimelineView,
} from '../protocol/timeline';
import type { RecordedCompaction } from './inspected';

/** What the timeline is drawn with besides the events. */
export interface TimelineFacts {
  readonly offline: boolean;
  /** What the next request has to fit: stands for what an older log does not say. */
  readonly budget: Budget;
  /** Whom the scripted model signs as: what it answers costs nothing. */
  readonly demoAuthor: string;
  readonly compactions?: readonly RecordedCompaction[] | undefined;
  readonly recordedUsage?: ReadonlyMap<number, Usage> | undefined;
}

/** Draws how the window filled, step after step, and what that cost. */
export function timelineView(timeline: Timeline, facts: TimelineFacts): TimelineView {
  return new TimelineDrawing(facts).draw(timeline);
}

/** A step as it is drawn, with the sums over it and all steps before it. */
interface DrawnPoint {
  readonly of: StepPoint;
  readonly view: TimelinePoint;
  readonly sums: Sums;
}

/** What the totals are made of. */
interface Sums {
  readonly passes: number;
  readonly refaults: number;
  readonly cacheRead: number;
  readonly input: number;
  readonly charges: ChargeSum;
}

const NO_SUMS: Sums = {
  passes: 0,
  refaults: 0,
  cacheRead: 0,
  input: 0,
  charges: { count: 0, scripted: 0, cost: 0 },
};

/** Draws a timeline while it grows: only the steps that are other than before are drawn anew. */
export class TimelineDrawing {
  #drawn: readonly DrawnPoint[] = [];
  #views: readonly TimelinePoint[] = [];

  constructor(private readonly facts: TimelineFacts) {}

  /** Says whether it draws with these very facts. */
  isWith({ offline, budget, demoAuthor, compactions, recordedUsage }: TimelineFacts): boolean {
    const { facts } = this;
    return (
      facts.offline === offline &&
      facts.budget.inputBudget === budget.inputBudget &&
      facts.budget.highTokens === budget.highTokens &&
      facts.budget.lowTokens === budget.lowTokens &&
      facts.demoAuthor === demoAuthor &&
      facts.compactions === compactions &&
      facts.recordedUsage === recordedUsage
    );
  }

  draw(timeline: Timeline): TimelineView {
    const { points } = timeline;
    const isOther = (point: StepPoint, index: number) => this.#drawn[index]?.of !== point;
    const first = points.findIndex(isOther);
    const same = first === -1 ? points.length : first;
    const drawn = this.#drawn.slice(0, same);
    const views = this.#views.slice(0, same);
    for (const point of points.slice(same)) {
      const next = drawnAfter(drawn.at(-1)?.sums ?? NO_SUMS, point, this.facts);
      drawn.push(next);
      views.push(next.view);
    }
    [this.#drawn, this.#views] = [drawn, views];
    const totals = totalsOf(timeline, drawn.at(-1)?.sums ?? NO_SUMS, this.facts);
    return { points: views, totals };
  }
}

function drawnAfter(before: Sums, point: StepPoint, facts: TimelineFacts): DrawnPoint {
  const charges = sumOfCharges(chargesOfPoint(point, facts), facts);
  const view = pointView(point, charges, facts);
  const { billed } = view;
  const sums = {
    passes: before.passes + point.passes.length,
    refaults: before.refaults + point.refaults.filter(({ by }) => by !== 'user').length,
    cacheRead: before.cacheRead + (billed?.cacheRead ?? 0),
    input:
      before.input + (billed?.cacheRead ?? 0) + (billed?.fresh ?? 0) + (billed?.cacheWrite ?? 0),
    charges: joined(before.charges, charges),
  };
  return { of: point, view, sums };
}

function joined(one: ChargeSum, other: ChargeSum): ChargeSum {
  return {
    count: one.count + other.count,
    scripted: one.scripted + other.scripted,
    cost: one.cost === null || other.cost === null ? null : one.cost + other.cost,
  };
}

function pointView(point: StepPoint, charges: ChargeSum, facts: TimelineFacts): TimelinePoint {
  const { step, turn, model, tiers, input } = point;
  const drift = driftOf(point);
  const usage = usageOf(point, facts);
  const { system, archive, working, summary } = tiersOf(point);
  return {
    step,
    turn,
    model,
    system,
    archive,
    working,
    ...(summary === undefined ? {} : { summary }),
    exact: input?.exact ?? tiers?.exact ?? false,
    ...(drift === undefined ? {} : { drift }),
    ...recordedTokensAt(step, facts.recordedUsage),
    billed: promptTokens(usage) + usage.outputTokens === 0 ? null : billedOf(usage),
    cost: charges.count === 0 ? null : charges.cost,
    budget: levelsOf(point, facts),
    marks: marksOf(point, facts),
  };
}

function levelsOf(point: StepPoint, facts: TimelineFacts): BudgetLevels {
  const { inputBudget, highTokens, lowTokens } = point.budget ?? facts.budget;
  const levels = { inputBudget, highTokens, lowTokens };
  return point.budget === undefined ? { ...levels, ofToday: true } : levels;
}

/** How far the estimate was off, where the API counted the same request. */
function driftOf({ input, estimatedTokens }: StepPoint): number | undefined {
  if (input?.exact !== true || estimatedTokens === undefined) return undefined;
  return estimatedTokens - input.tokens;
}

/** The tiers, fitted to the number the API reported of the same request. */
function tiersOf({ tiers, input }: StepPoint): Omit<TierTokens, 'exact'> {
  if (tiers === undefined) return { system: 0, archive: 0, working: input?.tokens ?? 0 };
  const { system, archive, working, summary = 0 } = tiers;
  const sum = system + archive + working;
  const total = input?.tokens ?? sum;
  if (sum === 0 || total === sum) return tiers;
  const shares = apportion(total, [system, working, archive - summary, summary]);
  const [ofSystem = 0, ofWorking = 0, ofRest = 0, ofSummary = 0] = shares;
  return {
    system: ofSystem,
    archive: ofRest + ofSummary,
    working: ofWorking,
    ...(summary === 0 ? {} : { summary: ofSummary }),
  };
}

/** What the agent of a recording sent itself, by its server's count; nothing where nobody counted it. */
export function recordedTokensAt(
  step: number | 'now',
  recordedUsage: TimelineFacts['recordedUsage'],
): Pick<TimelinePoint, 'recordedTokens'> {
  const usage = step === 'now' ? undefined : recordedUsage?.get(step);
  const recordedTokens = usage === undefined ? 0 : promptTokens(usage);
  return recordedTokens === 0 ? {} : { recordedTokens };
}

function usageOf({ step, usage }: StepPoint, { recordedUsage }: TimelineFacts): Usage {
  return recordedUsage?.get(step) ?? usage;
}

function billedOf(usage: Usage): BilledTokens {
  return {
    fresh: usage.inputTokens,
    cacheWrite: usage.cacheCreationTokens,
    cacheRead: usage.cacheReadTokens,
    output: usage.outputTokens,
  };
}

/** What was charged for a step and before it; of a recording what its own agent was. */
function chargesOfPoint(
  { step, model, charges }: StepPoint,
  { recordedUsage }: TimelineFacts,
): readonly Charge[] {
  const recorded = recordedUsage?.get(step);
  return paid(recorded === undefined ? charges : [...charges, { model, usage: recorded }]);
}

/** A reply that was stopped half-way carries no usage, nor the name of who wrote it. */
function paid(charges: readonly Charge[]): readonly Charge[] {
  return charges.filter(({ usage }) => promptTokens(usage) + usage.outputTokens > 0);
}

/** What several answers were charged. */
interface ChargeSum {
  readonly count: number;
  /** How many of them the scripted model wrote: they cost nothing. */
  readonly scripted: number;
  /** US dollars at list price; null where a price is not known. */
  readonly cost: number | null;
}

function sumOfCharges(charges: readonly Charge[], { demoAuthor }: TimelineFacts): ChargeSum {
  let scripted = 0;
  let dollars: number | null = 0;
  for (const { model, usage } of charges) {
    if (model === demoAuthor) {
      scripted += 1;
      continue;
    }
    const cost = priceOf(model, usage);
    dollars = dollars === null || cost === 'unknown' ? null : dollars + cost.usd;
  }
  return { count: charges.length, scripted, cost: dollars };
}

function marksOf(point: StepPoint, { compactions = [] }: TimelineFacts): readonly TimelineMark[] {
  const { passes, undone, refaults, modelChanged, model, step } = point;
  const recalls = refaults.filter(({ by }) => by === 'recall').length;
  const reads = refaults.filter(({ by }) => by === 'read').length;
  return [
    ...passes.map(({ number, before, after, undone: taken }): TimelineMark => ({
      kind: 'pass',
      number,
      words: `Pass ${number}: ${amountText(before)} → ${amountText(after)} tokens${taken === true ? ', undone since' : ''}`,
    })),
    ...undone.map((number): TimelineMark => ({ kind: 'undo', words: `Pass ${number} undone` })),
    ...compactions
      .filter((compaction) => compaction.step === step)
      .map((compaction): TimelineMark => ({ kind: 'compacted', words: wordsOf(compaction) })),
    ...(modelChanged ? [{ kind: 'model' as const, words: `Model changed to ${model}` }] : []),
    ...(recalls === 0 ? [] : [{ kind: 'recall' as const, words: `${recalls} recalled` }]),
    ...(reads === 0
      ? []
      : [{ kind: 'recall' as const, words: `${reads} read anew that had left the window` }]),
    ...troublesOf(point).map((trouble) => troubleMark(trouble, point)),
  ];
}

function wordsOf({ summary, cleared, kept = 0 }: RecordedCompaction): string {
  if (summary === undefined && cleared !== undefined) {
    return `The recorded agent cleared ${tokenText(cleared)} results`;
  }
  const beside = kept === 0 ? '' : `, all but ${kept} ${kept === 1 ? 'block' : 'blocks'}`;
  return `The recorded agent compacted its conversation${beside}`;
}

function troubleMark(
  trouble: ReturnType<typeof troublesOf>[number],
  { toolErrors, stopReason, outcome, stepless }: StepPoint,
): TimelineMark {
  switch (trouble) {
    case 'overflow':
      return { kind: 'overflow', words: 'The API said the request was too long' };
    case 'toolError':
      return {
        kind: 'error',
        words: toolErrors === 1 ? '1 tool failed' : `${toolErrors} tools failed`,
      };
    case 'stopReason':
      return { kind: 'error', words: `The reply ended early: ${stopReason}` };
    case 'turnFailed': {
      const failed = [outcome, ...stepless].find(
        (end) => end?.type === 'failed' || end?.type === 'contextFull',
      );
      const why = failed !== undefined && 'message' in failed ? `: ${failed.message}` : '';
      return { kind: 'error', words: `The turn failed${why}` };
    }
  }
}

function totalsOf({ next }: Timeline, sums: Sums, facts: TimelineFacts): TimelineTotals {
  const { passes, refaults, cacheRead, input, charges } = sums;
  return {
    passes: passes + next.passes.length,
    refaults,
    cacheReadShare: input === 0 ? null : cacheRead / input,
    cost: costText(joined(charges, sumOfCharges(paid(next.charges), facts)), facts),
  };
}

function costText({ count, scripted, cost }: ChargeSum, { offline }: TimelineFacts): string {
  const isScripted = scripted === count;
  if (isScripted && (offline || count > 0)) return 'no charge (offline)';
  if (count === 0) return 'cost not recorded';
  return cost === null ? 'price unknown' : `$${cost.toFixed(2)}`;
}
