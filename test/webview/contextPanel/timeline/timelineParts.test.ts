import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TimelinePoint } from '../../../../src/editor/contextPanel/timeline/state';
import {
  estimatedRuns,
  recordedRuns,
  kindsIn,
  placedMarks,
  withoutOverlaps,
  indexAt,
  nearestIndex,
  placeOf,
} from '../../../../webview/contextPanel/timeline/timelineMarks';
import { levelRuns } from '../../../../webview/contextPanel/timeline/timelineLevels';
import { billedColumns, tierColumns } from '../../../../webview/contextPanel/timeline/timelinePlot';
import { pointWords, totalsWords } from '../../../../webview/contextPanel/timeline/words';
import { sampleTimeline } from '../contextViews';

const at = (...steps: number[]) => steps.map((step) => ({ step }));
const pointsOf = (steps: number) => sampleTimeline(steps).points;
const changed = (changes: Partial<TimelinePoint>): TimelinePoint => ({
  ...pointsOf(3)[1]!,
  ...changes,
});

describe('a position along the timeline', () => {
  it('is proportional to the step number, gaps included', () => {
    expect(placeOf(at(10, 11, 20), 11)).toBeCloseTo(0.1);
    expect(placeOf(at(10, 11, 20), 20)).toBe(1);
    expect(placeOf(at(10), 10)).toBe(0.5);
  });

  it('finds the nearest step, the later one in the middle', () => {
    const points = at(10, 11, 20);
    expect([0, 0.09, 0.5, 0.6, 1].map((place) => indexAt(points, place))).toEqual([0, 1, 1, 2, 2]);
    expect(nearestIndex(at(10, 20), 15)).toBe(1);
    expect(nearestIndex([], 3)).toBe(-1);
  });

  it('leads back to the step it was calculated from', () => {
    const steps = fc.uniqueArray(fc.integer({ min: 1, max: 20_000 }), { minLength: 2 });
    fc.assert(
      fc.property(steps, (numbers) => {
        const points = at(...numbers.toSorted((a, b) => a - b));
        for (const [index, { step }] of points.entries()) {
          expect(indexAt(points, placeOf(points, step))).toBe(index);
        }
      }),
    );
  });
});

describe('the plots', () => {
  it('stack the tiers, with all of them on top', () => {
    const [steps, all, under, system] = tierColumns(pointsOf(12));
    expect([steps[11], all![11], under![11], system![11]]).toEqual([12, 14_152, 8_152, 4_152]);
  });

  it('stack billed tokens, and omit unreported ones', () => {
    const [, all, cached, read] = billedColumns(pointsOf(3));
    expect([all![0], cached![0], read![0]]).toEqual([9_152, 9_000, 8_000]);
    expect([all![2], cached![2], read![2]]).toEqual([null, null, null]);
  });

  it('draw a single step across the whole plot', () => {
    expect(tierColumns(pointsOf(1))[0]).toEqual([0.5, 1.5]);
  });
});

describe('the lines of the timeline', () => {
  const under = (...inputBudgets: readonly number[]) =>
    inputBudgets.map((inputBudget, index) => ({
      ...changed({ step: 10 + index }),
      budget: { inputBudget, highTokens: 1, lowTokens: 1 },
    }));

  it('step half-way to the first request under another budget', () => {
    expect(levelRuns(under(9, 9, 5, 5, 7), 'inputBudget')).toEqual([
      { from: 0, to: 0.375, tokens: 9 },
      { from: 0.375, to: 0.875, tokens: 5 },
      { from: 0.875, to: 1, tokens: 7 },
    ]);
    expect(levelRuns(under(9, 9, 5), 'highTokens')).toEqual([{ from: 0, to: 1, tokens: 1 }]);
  });

  it('run from edge to edge over a single step, and are empty without one', () => {
    expect(levelRuns(under(9), 'inputBudget')).toEqual([{ from: 0, to: 1, tokens: 9 }]);
    expect(levelRuns([], 'inputBudget')).toEqual([]);
  });
});

describe('the marks of the timeline', () => {
  it('are at their steps, passes with their numbers', () => {
    const marks = placedMarks(pointsOf(21));
    expect(marks.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'pass pass 1',
      'recall ',
      'pass pass 2',
    ]);
    expect(marks[0]!.place).toBeCloseTo(9 / 20);
    expect(kindsIn(pointsOf(21))).toEqual(['pass', 'recall']);
  });

  it('of one kind are painted once if they would overlap', () => {
    const marks = placedMarks(pointsOf(10_000));
    const painted = withoutOverlaps(marks, 1_000, 5);
    expect(marks.length).toBe(1_999);
    expect(painted.length).toBeLessThan(401);
    expect(new Set(painted.map(({ kind }) => kind))).toEqual(new Set(['pass', 'recall']));
  });

  it('include the start and end of a run of estimates', () => {
    const points = [1, 2, 3, 4, 5].map((step) => changed({ step, exact: step !== 2 && step < 4 }));
    expect(estimatedRuns(points)).toEqual([
      [2, 2],
      [4, 5],
    ]);
  });

  it('include a line for the recorded agent, which ends where its counts end', () => {
    const points = pointsOf(4).map((point) => {
      const { step } = point;
      return step === 3 ? point : { ...point, recordedTokens: step * 1_000 };
    });
    expect(recordedRuns(points)).toEqual([
      [
        [1, 1_000],
        [2, 2_000],
      ],
      [[4, 4_000]],
    ]);
    expect(recordedRuns(pointsOf(2))).toEqual([]);
  });
});

describe('a step read out', () => {
  it('gives fill, parts, cost and events', () => {
    expect(pointWords(pointsOf(12)[9]!)).toBe(
      'Step 10 · turn 1 · Pass 1: 20,152 → 12,152 tokens · ' +
        '12,152 tokens (≈\u00a0system 4,152, older 4,000, recent 4,000) · 86\u00a0% from cache · $0.031',
    );
  });

  it('gives the share of summaries in the archive', () => {
    expect(pointWords(changed({ archive: 2_243, summary: 587 }))).toContain(
      'older 2,243 (summary 587), recent',
    );
  });

  it('marks an estimate and invents no price', () => {
    expect(pointWords(pointsOf(2)[1]!)).toBe(
      'Step 2 · turn 1 · ≈\u00a010,152 tokens (≈\u00a0system 4,152, older 0, recent 6,000)',
    );
  });

  it('omits the cache if nothing was billed', () => {
    const nothing = { fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
    expect(pointWords(changed({ drift: 800 }))).toMatch(/estimated \d+\u00a0% too high/);
    expect(pointWords(changed({ drift: -800 }))).toMatch(/estimated \d+\u00a0% too low/);
    expect(pointWords(changed({ drift: 2 }))).not.toContain('estimated');
    expect(pointWords(changed({ recordedTokens: 145_411 }))).toContain(
      " · recorded request 145,411 by its server's count",
    );
    expect(pointWords(changed({}))).not.toContain('recorded request');
    const billed = { fresh: 100, cacheRead: 300, cacheWrite: 0, output: 0 };
    const recordedBill = { billed: { ...billed, cacheRead: 100 }, cost: null };
    expect(pointWords(changed({ billed, cost: 0.25, simulated: true, recordedBill }))).toMatch(
      / · Plimsoll would have paid: ≈ \$0\.25\d*, 75\u00a0% from cache, simulated · the recorded agent's bill: price unknown, 50\u00a0% from cache$/,
    );
    expect(pointWords(changed({ billed: nothing, cost: 0 }))).toMatch(
      /recent 6,000\) · no charge \(offline\)$/,
    );
  });

  it('is summed up over the session', () => {
    expect(totalsWords(sampleTimeline(21).totals)).toBe(
      '2 passes · 1 needed again · 91\u00a0% read from cache · $1.84',
    );
    expect(
      totalsWords({
        passes: 0,
        changes: 2,
        refaults: 0,
        cacheReadShare: null,
        cost: 'price unknown',
      }),
    ).toBe('0 passes · 2 changes by you · 0 needed again · price unknown');
    const forked = { passes: 0, changes: 0, refaults: 0, cacheReadShare: null, cost: '$0.12' };
    expect(totalsWords({ ...forked, fork: { inherited: '$0.10', spent: '$0.02' } })).toBe(
      '0 passes · 0 needed again · $0.12 ($0.10 inherited, $0.02 since the fork)',
    );
    const recordedBill = { cacheReadShare: 0.5, cost: '$12.07' };
    const own = { passes: 1, changes: 0, refaults: 0, cacheReadShare: 0.91, cost: '≈ $7.79' };
    expect(totalsWords({ ...own, recordedBill })).toBe(
      '1 pass · 0 needed again · Plimsoll would have paid: ≈ $7.79, 91\u00a0% read from cache, simulated · ' +
        "the recorded agent's bill: $12.07, 50\u00a0% read from cache",
    );
  });
});
