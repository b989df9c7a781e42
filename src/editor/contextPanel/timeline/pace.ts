import type { StepPoint } from '../../../contextWindow/timeline';
import type { PaceLevel } from './state';

/** The upper ends of the levels, in percent of the input budget. */
const LEVELS = [25, 50, 75, 100] as const;

/**
 * Relates the time and the failures of steps to how full the window was. A step counts if its log
 * has its time, its size and its budget; levels without a step are left out.
 */
export function paceOf(points: Iterable<StepPoint>): readonly PaceLevel[] {
  const steps = new Map<number, StepPoint[]>();
  for (const point of points) {
    const { input, budget, durationMs, stopReason } = point;
    if (input === undefined || budget === undefined || durationMs === 0) continue;
    if (stopReason === 'stopped') continue;
    const percent = (100 * input.tokens) / budget.inputBudget;
    const upTo = LEVELS.find((end) => percent <= end) ?? 100;
    const level = steps.get(upTo);
    if (level === undefined) steps.set(upTo, [point]);
    else level.push(point);
  }
  return LEVELS.flatMap((upTo) => {
    const level = steps.get(upTo);
    return level === undefined ? [] : [levelOf(upTo, level)];
  });
}

function levelOf(upTo: number, points: readonly StepPoint[]): PaceLevel {
  const sum = (of: (point: StepPoint) => number) =>
    points.reduce((total, point) => total + of(point), 0);
  return {
    upTo,
    steps: points.length,
    firstTokenMs: median(points.flatMap(({ firstTokenMs }) => firstTokenMs ?? [])),
    replyMs: median(points.map(({ durationMs }) => durationMs)),
    calls: sum(({ calls }) => calls),
    failedCalls: sum(({ toolErrors }) => toolErrors),
    repeatedCalls: sum(({ repeatedCalls }) => repeatedCalls),
    neededAgain: sum(({ refaults }) => refaults.length),
  };
}

/** The value in the middle, the higher of two; null for none. */
function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
}
