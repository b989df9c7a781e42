import type { BudgetLevels, TimelinePoint } from '../../../src/protocol/timeline';
import { placeOf } from './timelinePlace';

/** A level as long as it stayed the same; 0 is the timeline's beginning, 1 its end. */
export interface LevelRun {
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
}

/** Says how a watermark or the budget went: it steps half-way to the first request under a new one. */
export function levelRuns(
  points: readonly TimelinePoint[],
  name: Exclude<keyof BudgetLevels, 'ofToday'>,
): readonly LevelRun[] {
  const runs: LevelRun[] = [];
  let before: TimelinePoint | undefined;
  for (const point of points) {
    const tokens = point.budget[name];
    const last = runs.at(-1);
    if (last === undefined || before === undefined) runs.push({ from: 0, to: 1, tokens });
    else if (last.tokens !== tokens) {
      const place = (placeOf(points, before.step) + placeOf(points, point.step)) / 2;
      runs[runs.length - 1] = { ...last, to: place };
      runs.push({ from: place, to: 1, tokens });
    }
    before = point;
  }
  return runs;
}
