import { assert, integer, option, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeBudget } from '../../src/contextWindow/budget';
import { automaticBudget } from '../../src/settings/windowBudget';
import { DEFAULT_SETTINGS, type ContextSettings } from '../../src/settings/settings';
import { turnSettings } from '../../src/settings/turnSettings';
import { budgetFor } from '../support/budgetFor';
import { runs } from '../support/runs';

/** Uses the reply limit of the documented example; the automatic limit is tested separately. */
const context = { ...DEFAULT_SETTINGS.context, maxReplyTokens: 4_096 };

function validFor(windowTokens: number, changes: Partial<ContextSettings> = {}) {
  const result = budgetFor({
    ...DEFAULT_SETTINGS,
    context: { ...context, windowTokens, ...changes },
  });
  if (!result.ok) throw new Error(result.problems.map(({ message }) => message).join(' '));
  return result.valid;
}

describe('a budget without settings', () => {
  it.each<[number, number, readonly [number, number, number], readonly [number, number]]>([
    [8_000, 2_376, [4_096, 341, 1_187], [1_900, 1_188]],
    [30_000, 19_504, [4_096, 1_280, 5_120], [15_603, 9_752]],
    [32_000, 21_078, [4_096, 1_365, 5_461], [16_862, 10_539]],
    [47_999, 33_665, [4_096, 2_047, 8_191], [26_932, 16_832]],
    [48_000, 33_664, [4_096, 2_048, 8_192], [26_931, 16_832]],
    [200_000, 185_664, [4_096, 2_048, 8_192], [148_531, 92_832]],
    [204_800, 190_464, [4_096, 2_048, 8_192], [152_371, 95_232]],
    [204_900, 190_563, [4_096, 2_049, 8_192], [152_450, 95_281]],
    [1_000_000, 977_712, [4_096, 10_000, 8_192], [200_000, 120_000]],
    [2_000_000, 1_967_712, [4_096, 20_000, 8_192], [200_000, 120_000]],
  ])('gives a window of %i an input budget of %i', (window, inputBudget, reserved, marks) => {
    const { budget } = validFor(window);
    expect(budget.inputBudget).toBe(inputBudget);
    expect([
      budget.maxReplyTokens,
      budget.safetyHeadroomTokens,
      budget.toolResultHeadroomTokens,
    ]).toEqual(reserved);
    expect([budget.highTokens, budget.lowTokens]).toEqual(marks);
  });

  it('is valid for every window from 8,000 to 2,000,000 tokens', () => {
    assert(
      property(integer({ min: 8_000, max: 2_000_000 }), (window) => {
        const valid = validFor(window);
        const { budget } = valid;
        const { prepareTokens = Number.NaN } = turnSettings(valid);
        const { inputBudget, highTokens, lowTokens, safetyHeadroomTokens } = budget;
        const numbers = [lowTokens, prepareTokens, highTokens, inputBudget, safetyHeadroomTokens];
        expect(numbers.every(Number.isInteger)).toBe(true);
        expect(lowTokens).toBeGreaterThan(0);
        expect(lowTokens).toBeLessThan(prepareTokens);
        expect(prepareTokens).toBeLessThan(highTokens);
        expect(highTokens).toBeLessThanOrEqual(inputBudget);
        expect(highTokens).toBe(Math.min(Math.floor(inputBudget * 0.8), 200_000));
        expect(lowTokens).toBe(Math.min(Math.floor(inputBudget * 0.5), 120_000));
        const least = window < 48_000 ? Math.floor((window * 2_048) / 48_000) : 2_048;
        expect(safetyHeadroomTokens).toBe(Math.max(least, Math.floor(window / 100)));
        expect(
          inputBudget +
            budget.maxReplyTokens +
            safetyHeadroomTokens +
            budget.toolResultHeadroomTokens,
        ).toBe(window);
      }),
      { numRuns: runs(500, 20_000), seed: 3 },
    );
  });
});

describe('the caps on watermarks', () => {
  it.each<[number, readonly string[]]>([
    [200_000, []],
    [254_288, []],
    [254_900, ['lowWatermark']],
    [265_000, ['highWatermark', 'lowWatermark']],
    [1_000_000, ['highWatermark', 'lowWatermark']],
  ])('are for a window of %i: %j', (window, capped) => {
    expect(validFor(window).capped).toEqual(capped);
  });

  it.each<[string, Partial<ContextSettings>, readonly [number, number], readonly string[]]>([
    ['fractions', { highWatermark: 0.8, lowWatermark: 0.5 }, [782_169, 488_856], []],
    ['tokens', { highWatermark: 400_000, lowWatermark: 300_000 }, [400_000, 300_000], []],
    ['a high mark alone', { highWatermark: 0.7 }, [684_398, 120_000], ['lowWatermark']],
    ['a low mark below the cap', { lowWatermark: 0.1 }, [200_000, 97_771], ['highWatermark']],
    ['a low mark above the cap', { lowWatermark: 0.6 }, [782_169, 586_627], []],
    ['a low mark at the cap', { lowWatermark: 200_000 }, [782_169, 200_000], []],
    ['a prepare mark above it', { prepareWatermark: 0.7 }, [782_169, 120_000], ['lowWatermark']],
    [
      'a prepare mark below it',
      { prepareWatermark: 199_999 },
      [200_000, 120_000],
      ['highWatermark', 'lowWatermark'],
    ],
  ])('yield to %s', (_, changes, marks, capped) => {
    const { budget, capped: are } = validFor(1_000_000, changes);
    expect([budget.highTokens, budget.lowTokens]).toEqual(marks);
    expect(are).toEqual(capped);
  });

  it('apply to one model, and not to another with its own watermarks', () => {
    const models = { 'claude-*': { highWatermark: 0.8, lowWatermark: 0.5 } };
    expect(validFor(1_000_000, { models }).budget.highTokens).toBe(782_169);
    const again = { 'claude-*': { highWatermark: null, lowWatermark: null } };
    const set = { models: again, highWatermark: 0.9, lowWatermark: 0.6 };
    expect(validFor(1_000_000, set).budget.highTokens).toBe(200_000);
  });

  it('never invalidate settings that were valid with fractions', () => {
    const mark = option(integer({ min: 1, max: 99 }), { nil: null });
    assert(
      property(
        integer({ min: 8_000, max: 2_000_000 }),
        mark,
        mark,
        mark,
        (window, high, low, prepare) => {
          const share = (percent: number | null) => (percent === null ? null : percent / 100);
          const marks = { highWatermark: share(high), lowWatermark: share(low) };
          const set = { ...context, ...marks, prepareWatermark: share(prepare) };
          const fractions = {
            ...set,
            highWatermark: set.highWatermark ?? 0.8,
            lowWatermark: set.lowWatermark ?? 0.5,
          };
          const isValid = (one: ContextSettings) =>
            budgetFor({ ...DEFAULT_SETTINGS, context: { ...one, windowTokens: window } }).ok;
          if (isValid(fractions)) expect(isValid(set)).toBe(true);
        },
      ),
      { numRuns: runs(500, 20_000), seed: 5 },
    );
  });
});

describe('an automatic reply limit', () => {
  it.each([
    // [window, most of the model, reply]
    [200_000, 64_000, 25_000],
    [1_000_000, 128_000, 32_000],
    [256_000, 64_000, 32_000],
    [200_000, 16_000, 16_000],
    [200_000, 2_048, 2_048],
    [16_000, 64_000, 4_096],
    [200_000, undefined, 4_096],
    [1_000_000, undefined, 4_096],
  ])('in a window of %i, if the model writes %s, is %i tokens', (window, most, reply) => {
    const { settings } = automaticBudget({ ...context, maxReplyTokens: null }, window, most);
    expect(settings.maxReplyTokens).toBe(reply);
  });

  it('follows the model list, and yields to a setting', () => {
    const reply = (maxReplyTokens: number | null) => {
      const set = { ...DEFAULT_SETTINGS.context, maxReplyTokens };
      const limits = { contextWindowTokens: 200_000, maxReplyTokens: 10_000 };
      const result = budgetFor({ ...DEFAULT_SETTINGS, context: set }, limits);
      return result.ok && result.valid.budget.maxReplyTokens;
    };
    expect(reply(null)).toBe(10_000);
    expect(reply(4_096)).toBe(4_096);
  });

  it('never makes a budget impossible that the smallest reply allows', () => {
    const tokens = integer({ min: 8_000, max: 2_000_000 });
    const most = option(integer({ min: 1, max: 200_000 }), { nil: undefined });
    assert(
      property(tokens, most, (window, limit) => {
        const { settings } = automaticBudget({ ...context, maxReplyTokens: null }, window, limit);
        expect(makeBudget(settings).ok).toBe(true);
        expect(settings.maxReplyTokens).toBeLessThanOrEqual(limit ?? 4_096);
        expect(settings.maxReplyTokens).toBeLessThanOrEqual(Math.max(4_096, window / 8));
        expect(settings.maxReplyTokens).toBeLessThanOrEqual(32_000);
      }),
      { numRuns: runs(500, 20_000) },
    );
  });
});

describe('the tool-result headroom of a small window', () => {
  it('is the setting, even if that leaves nothing for the input', () => {
    const { settings } = automaticBudget({ ...context, toolResultHeadroomTokens: 8_192 }, 8_000);
    expect(settings.toolResultHeadroomTokens).toBe(8_192);
    expect(makeBudget(settings).ok).toBe(false);
  });

  it('is never negative', () => {
    expect(automaticBudget(context, 4_200).settings.toolResultHeadroomTokens).toBe(0);
  });
});
