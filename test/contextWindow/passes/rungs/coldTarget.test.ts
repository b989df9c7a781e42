import { describe, expect, it } from 'vitest';
import type { Measurement } from '../../../../src/contextWindow/account/measure';
import { targetOf } from '../../../../src/contextWindow/passes/rungs/draft';
import { budgetOf, foldNew, promptEvent, stepEvents } from '../../../support/drawing';

/** Between the watermarks, at 50,000 and 80,000 tokens. */
const USED = 60_000;

/** The target of a pass at a cold cache after that many requests filled the window. */
function targetAfter(requests: number): number {
  const steps = Array.from({ length: requests }, (_, at) =>
    stepEvents([{ id: `toolu_${at}`, name: `${at}.ts`, tokens: 1 }]),
  );
  return targetOf({
    trigger: 'coldCache',
    window: foldNew([promptEvent('task'), ...steps.flat()]),
    measured: { used: { tokens: USED, exact: true } } as Measurement,
    budget: budgetOf(100_000),
  });
}

describe('the target of a pass at a cold cache', () => {
  it('leaves what four more requests add, which is held the longer, the slower the window grows', () => {
    expect([targetAfter(60), targetAfter(120), targetAfter(240)]).toEqual([54_000, 52_000, 51_000]);
  });

  it('leaves at most 0.15 of the room between the watermarks', () => {
    expect([targetAfter(3), targetAfter(40)]).toEqual([54_500, 54_500]);
  });
});
