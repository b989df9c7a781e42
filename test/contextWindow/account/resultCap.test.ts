import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/contextWindow/account/measure';
import { resultCap } from '../../../src/contextWindow/account/admission';
import { budgetOf, countDots, draw } from '../../support/drawing';

const WINDOW = draw('1 anchor task 400\n1 step a.ts 100\n1 step b.ts 100\n1 step c.ts 600');

function capOf(setting: number, calls: number, inputBudget = 3_000): number {
  const measured = measure(WINDOW, countDots);
  return resultCap(WINDOW, measured, budgetOf(inputBudget), setting, calls);
}

describe('the cap of a result', () => {
  it('is the setting where there is room', () => {
    expect(capOf(500, 1)).toBe(500);
  });

  it('is seven tenths of what is left beside the anchor and the newest step', () => {
    expect(capOf(8_000, 1)).toBe((3_000 - 400 - 600) * 0.7);
  });

  it('is shared by the calls of one reply', () => {
    expect(capOf(8_000, 4)).toBe(((3_000 - 400 - 600) * 0.7) / 4);
  });

  it('has what small results left over', () => {
    const measured = measure(WINDOW, countDots);
    const [calls, spent] = [2, 100];
    expect(resultCap(WINDOW, measured, budgetOf(3_000), 8_000, calls, spent)).toBe(
      (2_000 * 0.7 - 100) / 2,
    );
  });

  it('leaves enough to say something, however full the window is', () => {
    expect(capOf(8_000, 4, 1_000)).toBe(150);
  });
});
