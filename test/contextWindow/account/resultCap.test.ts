import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/contextWindow/account/measure';
import {
  admitResult,
  resultAllowance,
  resultCap,
} from '../../../src/contextWindow/account/admission';
import { budgetOf, countDots, dots, draw } from '../../support/drawing';

const WINDOW = draw('1 anchor task 400\n1 step a.ts 100\n1 step b.ts 100\n1 step c.ts 600');

function allowanceOf(setting: number, calls: number, inputBudget = 3_000) {
  const facts = {
    window: WINDOW,
    measured: measure(WINDOW, countDots),
    budget: budgetOf(inputBudget),
  };
  return resultAllowance(facts, setting, calls);
}

function capOf(setting: number, calls: number, inputBudget = 3_000): number {
  return resultCap(allowanceOf(setting, calls, inputBudget));
}

describe('the cap of a result', () => {
  it('is the setting if there is room', () => {
    expect(capOf(500, 1)).toBe(500);
  });

  it('is seven tenths of the room next to the anchor and the newest step', () => {
    expect(capOf(8_000, 1)).toBe((3_000 - 400 - 600) * 0.7);
  });

  it('is shared by the calls of one reply', () => {
    expect(capOf(8_000, 4)).toBe(((3_000 - 400 - 600) * 0.7) / 4);
  });

  it('includes what small results left over', () => {
    const small = { text: dots(100), isError: false };
    const { left } = admitResult(allowanceOf(8_000, 3), small, 'a', countDots);
    expect(resultCap(left)).toBe((2_000 * 0.7 - 100) / 2);
  });

  it('never falls below a useful minimum, however full the window is', () => {
    expect(capOf(8_000, 4, 1_000)).toBe(150);
  });
});
