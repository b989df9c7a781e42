import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeSegment, segmentsOf } from '../../../webview/context/segments';
import { marksOf } from '../../../webview/context/marks';
import { anyBalance } from './anyBalance';
import { balanceOf, sampleBlocks } from './contextViews';

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe('the pieces of the bar', () => {
  it('come in one order, fixed cost first, reserved last', () => {
    expect(segmentsOf(balanceOf(sampleBlocks())).map(({ name }) => name)).toEqual([
      'tools',
      'system',
      'scratchpad',
      'anchor',
      'summary',
      'archive',
      'working',
      'headroom',
      'reserved',
    ]);
  });

  it('add up to the context window, whatever it is full of', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const tokens = segmentsOf(balance).map((segment) => segment.tokens);
        expect(sum(tokens)).toBe(balance.contextWindowTokens);
      }),
    );
  });

  it('lie on the bar, to scale, each behind the one before', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const scale = Math.max(balance.contextWindowTokens, balance.used.tokens);
        for (const { start, width, tokens } of segmentsOf(balance)) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(start + width).toBeLessThanOrEqual(1 + 1e-9);
          expect(width).toBeCloseTo(Math.abs(tokens) / scale, 9);
        }
        const filled = segmentsOf(balance).slice(0, 7);
        for (const [index, { start, width }] of filled.entries()) {
          const next = filled[index + 1];
          if (next !== undefined) expect(next.start).toBeCloseTo(start + width, 9);
        }
      }),
    );
  });

  it('show an overdrawn headroom over the end of what is used, from the budget on', () => {
    const balance = balanceOf([], {
      contextWindowTokens: 1_000,
      inputBudget: 800,
      used: { tokens: 900, exact: true },
      categories: { ...balanceOf([]).categories, tools: 900, system: 0, scratchpad: 0 },
      headroom: -100,
      reserved: { reply: 150, safety: 30, toolResults: 20, steppedDown: 0 },
    });
    const [headroom, reserved] = segmentsOf(balance).slice(-2);
    expect(headroom).toMatchObject({ tokens: -100, start: 0.8, width: 0.1 });
    expect(headroom?.label).toBe('Over the budget');
    expect(reserved).toMatchObject({ tokens: 200, start: 0.8, width: 0.2 });
  });

  it('name what is reserved, a step-down only after one', () => {
    const { reserved } = balanceOf([]);
    const told = (steppedDown: number) =>
      describeSegment(
        segmentsOf(balanceOf([], { reserved: { ...reserved, steppedDown } })).at(-1)!,
      );
    expect(told(0)).toBe('Reserved 5,888 (reply 4,096, safety 512, tool results 1,280)');
    expect(told(300)).toContain('taken by overflow 300');
  });
});

describe('the marks', () => {
  it('stand where their tokens are', () => {
    const marks = marksOf(balanceOf([]));
    expect(marks.map(({ label }) => label)).toEqual(['low 13,440', 'high 21,504', 'budget 26,880']);
    expect(marks.map(({ at }) => at * 32_768)).toEqual([13_440, 21_504, 26_880]);
  });

  it('put the budget where headroom ends and reserved begins', () => {
    fc.assert(
      fc.property(anyBalance, (balance) => {
        const budget = marksOf(balance).find(({ name }) => name === 'budget');
        expect(segmentsOf(balance).at(-1)?.start).toBeCloseTo(budget!.at, 9);
      }),
    );
  });
});
