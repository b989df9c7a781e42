import { describe, expect, it } from 'vitest';
import { paceOf } from '../../../../src/editor/contextPanel/timeline/pace';
import type { StepPoint } from '../../../../src/contextWindow/timeline';
import { smallBudget } from '../../../support/smallBudget';

const budget = smallBudget();

const point = (percent: number, durationMs: number, more: Partial<StepPoint> = {}): StepPoint =>
  ({
    input: { tokens: (budget.inputBudget * percent) / 100, exact: true },
    budget,
    durationMs,
    stopReason: 'tool_use',
    calls: 2,
    toolErrors: 0,
    repeatedCalls: 0,
    refaults: [],
    ...more,
  }) as unknown as StepPoint;

describe('speed and errors by how full the window was', () => {
  it('are medians and sums of the steps in each quarter of the input budget', () => {
    const levels = paceOf([
      point(10, 1_000, { firstTokenMs: 100 }),
      point(25, 3_000, { firstTokenMs: 300, toolErrors: 1 }),
      point(20, 2_000, { firstTokenMs: 200, repeatedCalls: 2 }),
      point(90, 9_000, { refaults: [{}] as never }),
      point(120, 8_000),
    ]);
    expect(levels).toEqual([
      {
        upTo: 25,
        steps: 3,
        firstTokenMs: 200,
        replyMs: 2_000,
        calls: 6,
        failedCalls: 1,
        repeatedCalls: 2,
        neededAgain: 0,
      },
      {
        upTo: 100,
        steps: 2,
        firstTokenMs: null,
        replyMs: 9_000,
        calls: 4,
        failedCalls: 0,
        repeatedCalls: 0,
        neededAgain: 1,
      },
    ]);
  });

  it('leave out steps whose time or size is unknown, and stopped ones', () => {
    const unknown = { input: undefined, budget: undefined };
    expect(
      paceOf([point(10, 0), point(10, 5, unknown), point(10, 5, { stopReason: 'stopped' })]),
    ).toEqual([]);
  });
});
