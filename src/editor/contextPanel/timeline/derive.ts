import { apportion } from '../../../contextWindow/account/measure';
import { promptTokens, type TierTokens } from '../../../contextWindow/account/spending';
import { amountText, tokenText } from '../../../contextWindow/amount';
import type { Budget } from '../../../contextWindow/budget';
import type { StopReason, TurnOutcome } from '../../../contextWindow/event';
import { excerptsSizeText } from '../../../contextWindow/files/regions';
import { isByHand, passName, passTitle } from '../../../contextWindow/passes/passName';
import { refaultCounts } from '../../../contextWindow/passes/refault';
import { byChunk, PersistentList } from '../../../contextWindow/persistentList';
import {
  EMPTY_TIMELINE,
  type PassPoint,
  type StepPoint,
  type Timeline,
} from '../../../contextWindow/timeline';
import type { RecordedMark } from '../../../replay/recorded';
import type { SessionBill } from '../../session/state';
import type { BudgetLevels, TimelineMark, TimelinePoint, TimelineView } from './state';
import { paceOf } from './pace';
import { type PayFacts, type StepBills, TimelineBills } from '../../session/sessionCosts';

/** Inputs of the timeline, in addition to the events. */
export interface TimelineFacts extends PayFacts {
  /** The budget of the next request, used where the log does not hold one. */
  readonly budget: Budget;
  readonly compactions?: readonly RecordedMark[] | undefined;
}

/** Draws how the window filled, step by step, and what that cost; redraws only changed steps. */
export class TimelineDrawing {
  readonly #drawn = new WeakMap<StepPoint, TimelinePoint>();
  readonly #viewsIn = byChunk((chunk: readonly StepPoint[]) =>
    chunk.map((point) => this.#point(point)),
  );
  readonly #bills: TimelineBills;

  constructor(private readonly facts: TimelineFacts) {
    this.#bills = new TimelineBills(facts);
  }

  /** Says whether it was made with exactly these facts. */
  isWith(other: TimelineFacts): boolean {
    const { offline, budget, demoAuthor, compactions } = other;
    const { recordedUsage, recordedCharges, simulatedUsage } = other;
    const { facts } = this;
    return (
      facts.offline === offline &&
      facts.budget.inputBudget === budget.inputBudget &&
      facts.budget.highTokens === budget.highTokens &&
      facts.budget.lowTokens === budget.lowTokens &&
      facts.demoAuthor === demoAuthor &&
      facts.forkedAfter === other.forkedAfter &&
      facts.compactions === compactions &&
      facts.recordedUsage === recordedUsage &&
      facts.recordedCharges === recordedCharges &&
      facts.simulatedUsage === simulatedUsage
    );
  }

  draw(timeline: Timeline): TimelineView {
    const { points } = timeline;
    return {
      points: PersistentList.ofChunks(this.#viewsIn(points)).toArray(),
      totals: this.#bills.totals(timeline),
      pace: paceOf(points),
    };
  }

  /** The cost of the session up to a step, with that of the step. */
  billUntil({ points }: Timeline, at: number): SessionBill {
    const after = points.findLastIndex(({ step }) => step <= at) + 1;
    const { cacheReadShare, cost, recordedBill, fork } = this.#bills.totals({
      ...EMPTY_TIMELINE,
      points: points.slice(0, after),
    });
    return { cacheReadShare, cost, recordedBill, fork };
  }

  #point(point: StepPoint): TimelinePoint {
    const known = this.#drawn.get(point);
    if (known !== undefined) return known;
    const drawn = pointView(point, this.#bills.of(point), this.facts);
    this.#drawn.set(point, drawn);
    return drawn;
  }
}

function pointView(
  point: StepPoint,
  { own: { billed, charges }, recorded }: StepBills,
  facts: TimelineFacts,
): TimelinePoint {
  const { step, turn, model, tiers, input } = point;
  const drift = driftOf(point);
  const { system, archive, working, summary } = tiersOf(point);
  return {
    step,
    turn,
    model,
    system,
    archive,
    working,
    summary,
    exact: input?.exact ?? tiers?.exact ?? false,
    drift,
    ...recordedTokensAt(step, facts.recordedUsage),
    billed,
    cost: charges.count === 0 ? null : charges.cost,
    ...(charges.estimates > 0 ? { isEstimatedCost: true as const } : {}),
    ...(facts.simulatedUsage === undefined ? {} : { simulated: true as const }),
    ...(recorded.billed === null
      ? {}
      : { recordedBill: { billed: recorded.billed, cost: recorded.charges.cost } }),
    budget: levelsOf(point, facts),
    marks: marksOf(point, facts),
  };
}

function levelsOf(point: StepPoint, facts: TimelineFacts): BudgetLevels {
  const { inputBudget, highTokens, lowTokens } = point.budget ?? facts.budget;
  const levels = { inputBudget, highTokens, lowTokens };
  return point.budget === undefined ? { ...levels, ofToday: true } : levels;
}

/** Error of the estimate, if the API counted the same request. */
function driftOf({ input, estimatedTokens }: StepPoint): number | undefined {
  if (input?.exact !== true || estimatedTokens === undefined) return undefined;
  return estimatedTokens - input.tokens;
}

/**
 * The tiers of a request, which add up to the API's count of it. What the estimate missed is in the
 * conversation: system prompt and tools weigh what they weighed when the request was built.
 */
function tiersOf({ tiers, input }: StepPoint): Omit<TierTokens, 'exact'> {
  if (tiers === undefined) return { system: 0, archive: 0, working: input?.tokens ?? 0 };
  const { system, archive, working, summary = 0 } = tiers;
  const sum = system + archive + working;
  const total = input?.tokens ?? sum;
  if (sum === 0 || total === sum) return tiers;
  const ofSystem = sum === system ? total : Math.min(system, total);
  const shares = apportion(total - ofSystem, [working, archive - summary, summary]);
  const [ofWorking = 0, ofRest = 0, ofSummary = 0] = shares;
  return {
    system: ofSystem,
    archive: ofRest + ofSummary,
    working: ofWorking,
    ...(summary === 0 ? {} : { summary: ofSummary }),
  };
}

/** Size of the recorded agent's own request by its server's count; empty if there is no count. */
export function recordedTokensAt(
  step: number | 'now',
  recordedUsage: TimelineFacts['recordedUsage'],
): Pick<TimelinePoint, 'recordedTokens'> {
  const usage = step === 'now' ? undefined : recordedUsage?.get(step);
  const recordedTokens = usage === undefined ? 0 : promptTokens(usage);
  return recordedTokens === 0 ? {} : { recordedTokens };
}

function marksOf(point: StepPoint, { compactions = [] }: TimelineFacts): readonly TimelineMark[] {
  const { passes, undone, refaults, modelChanged, model, step } = point;
  const { recalls, reads } = refaultCounts(refaults);
  return [
    ...passes.map(passMark),
    ...undone.map((pass): TimelineMark => ({ kind: 'undo', words: `${passTitle(pass)} undone` })),
    ...compactions
      .filter((compaction) => compaction.step === step)
      .map((compaction): TimelineMark => ({ kind: 'compacted', words: wordsOf(compaction) })),
    ...(modelChanged ? [{ kind: 'model' as const, words: `Model changed to ${model}` }] : []),
    ...(recalls === 0 ? [] : [{ kind: 'recall' as const, words: `${recalls} recalled` }]),
    ...(reads === 0
      ? []
      : [{ kind: 'recall' as const, words: `${reads} read again after being removed` }]),
    ...troublesOf(point).map((trouble) => troubleMark(trouble, point)),
  ];
}

function passMark(pass: PassPoint): TimelineMark {
  const shows = pass.shows === undefined ? '' : `, shows ${excerptsSizeText(pass.shows)}`;
  const undone = pass.undone === true ? ', later undone' : '';
  const change = `${amountText(pass.before)} → ${amountText(pass.after)} tokens`;
  return {
    kind: isByHand(pass) ? 'change' : 'pass',
    name: passName(pass),
    words: `${passTitle(pass)}: ${change}${shows}${undone}`,
  };
}

function wordsOf({ summary, cleared, kept = 0 }: RecordedMark): string {
  if (summary === undefined && cleared !== undefined) {
    return `The recorded agent cleared ${tokenText(cleared)} results`;
  }
  const beside = kept === 0 ? '' : `, all but ${kept} ${kept === 1 ? 'block' : 'blocks'}`;
  return `The recorded agent compacted its conversation${beside}`;
}

function troubleMark(
  trouble: Trouble,
  { toolErrors, stopReason, outcome, stepless }: StepPoint,
): TimelineMark {
  switch (trouble) {
    case 'overflow':
      return { kind: 'overflow', words: 'The API rejected the request as too long' };
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

/** Failures in a step or before it. */
type Trouble = 'overflow' | 'toolError' | 'stopReason' | 'turnFailed';

/** Lists the failures in a step and before it. */
export function troublesOf(point: StepPoint): readonly Trouble[] {
  const { overflows, toolErrors, stopReason, outcome, stepless } = point;
  return [
    ...(overflows > 0 ? (['overflow'] as const) : []),
    ...(toolErrors > 0 ? (['toolError'] as const) : []),
    ...(isOrdinary(stopReason) ? [] : (['stopReason'] as const)),
    ...([outcome, ...stepless].some(isFailure) ? (['turnFailed'] as const) : []),
  ];
}

/** The reply ended as the model intended. */
function isOrdinary(reason: StopReason): boolean {
  return reason === 'end_turn' || reason === 'tool_use' || reason === 'stop_sequence';
}

function isFailure(outcome: TurnOutcome | undefined): boolean {
  return outcome?.type === 'failed' || outcome?.type === 'contextFull';
}
