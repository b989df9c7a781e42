import { amountText, tokenText } from '../../contextWindow/amountText';
import type { Charge } from '../../contextWindow/charges';
import { troublesOf, type StepPoint, type Timeline } from '../../contextWindow/timeline';
import { promptTokens, type Usage } from '../../contextWindow/usage';
import { costOf as priceOf } from '../../counting/pricing';
import type {
  BilledTokens,
  TimelineMark,
  TimelinePoint,
  TimelineTotals,
  TimelineView,
} from '../../protocol/timeline';
import type { RecordedCompaction } from './inspected';

/** What the timeline is drawn with besides the events. */
export interface TimelineFacts {
  readonly offline: boolean;
  /** Whom the scripted model signs as: what it answers costs nothing. */
  readonly demoAuthor: string;
  readonly compactions?: readonly RecordedCompaction[];
  readonly recordedUsage?: ReadonlyMap<number, Usage>;
}

/** Draws how the window filled, step after step, and what that cost. */
export function timelineView(timeline: Timeline, facts: TimelineFacts): TimelineView {
  const drawn = timeline.points.map((point) => pointView(point, facts));
  return { points: drawn, totals: totalsOf(timeline, drawn, facts) };
}

function pointView(point: StepPoint, facts: TimelineFacts): TimelinePoint {
  const { step, turn, model, tiers, input } = point;
  const drift = driftOf(point);
  const usage = usageOf(point, facts);
  const { system, archive, working } = tiersOf(point);
  return {
    step,
    turn,
    model,
    system,
    archive,
    working,
    exact: input?.exact ?? tiers?.exact ?? false,
    ...(drift === undefined ? {} : { drift }),
    billed: promptTokens(usage) + usage.outputTokens === 0 ? null : billedOf(usage),
    cost: costOf(chargesOfPoint(point, facts), facts),
    marks: marksOf(point, facts),
  };
}

/** How far the estimate was off, where the API counted the same request. */
function driftOf({ input, estimatedTokens }: StepPoint): number | undefined {
  if (input?.exact !== true || estimatedTokens === undefined) return undefined;
  return estimatedTokens - input.tokens;
}

/** The tiers, fitted to the number the API reported of the same request. */
function tiersOf({ tiers, input }: StepPoint) {
  if (tiers === undefined) return { system: 0, archive: 0, working: input?.tokens ?? 0 };
  const sum = tiers.system + tiers.archive + tiers.working;
  const total = input?.tokens ?? sum;
  if (sum === 0 || total === sum) return tiers;
  const system = Math.round((tiers.system / sum) * total);
  const archive = Math.round((tiers.archive / sum) * total);
  return { system, archive, working: total - system - archive };
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

/** US dollars at list price; null where a price is not known. */
function costOf(charges: readonly Charge[], { demoAuthor }: TimelineFacts): number | null {
  let dollars = 0;
  for (const { model, usage } of charges) {
    if (model === demoAuthor) continue;
    const cost = priceOf(model, usage);
    if (cost === 'unknown') return null;
    dollars += cost.usd;
  }
  return dollars;
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
      .map(({ summary, cleared = 0 }): TimelineMark => ({
        kind: 'compacted',
        words:
          summary === undefined
            ? `The recorded agent cleared ${tokenText(cleared)} results`
            : 'The recorded agent compacted its conversation',
      })),
    ...(modelChanged ? [{ kind: 'model' as const, words: `Model changed to ${model}` }] : []),
    ...(recalls === 0 ? [] : [{ kind: 'recall' as const, words: `${recalls} recalled` }]),
    ...(reads === 0
      ? []
      : [{ kind: 'recall' as const, words: `${reads} read anew that had left the window` }]),
    ...troublesOf(point).map((trouble) => troubleMark(trouble, point)),
  ];
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

function totalsOf(
  { points, next }: Timeline,
  drawn: readonly TimelinePoint[],
  facts: TimelineFacts,
): TimelineTotals {
  const billed = drawn.flatMap((point) => (point.billed === null ? [] : [point.billed]));
  const input = sum(
    billed.map(({ fresh, cacheRead, cacheWrite }) => fresh + cacheRead + cacheWrite),
  );
  const read = sum(billed.map(({ cacheRead }) => cacheRead));
  const charges = points.flatMap((point) => chargesOfPoint(point, facts));
  return {
    passes: sum([...points, next].map(({ passes }) => passes.length)),
    refaults: sum(points.map(({ refaults }) => refaults.filter(({ by }) => by !== 'user').length)),
    cacheReadShare: input === 0 ? null : read / input,
    cost: costText([...charges, ...paid(next.charges)], facts),
  };
}

function costText(charges: readonly Charge[], facts: TimelineFacts): string {
  const { offline, demoAuthor } = facts;
  const isScripted = charges.every(({ model }) => model === demoAuthor);
  if (isScripted && (offline || charges.length > 0)) return 'no charge (offline)';
  if (charges.length === 0) return 'cost not recorded';
  const dollars = costOf(charges, facts);
  return dollars === null ? 'price unknown' : `$${dollars.toFixed(2)}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
