import { describe, expect, it } from 'vitest';
import { cacheReadShare, costOf, costOfCharge } from '../../src/model/pricing';
import type { Usage } from '../../src/contextWindow/account/spending';

const usage = (changes: Partial<Usage>): Usage => ({
  inputTokens: 0,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
  ...changes,
});

/** Cost in dollars, rounded to a hundredth of a cent. */
function usd(model: string, used: Usage): number {
  const cost = costOf(model, used);
  if (cost === 'unknown') throw new Error(`no price for ${model}`);
  return Math.round(cost.usd * 10_000) / 10_000;
}

describe('the cost of a response', () => {
  it('charges each kind of token at its own price', () => {
    const million = 1_000_000;
    expect(usd('claude-opus-5-5', usage({ inputTokens: million }))).toBe(4);
    expect(usd('claude-opus-5-5', usage({ outputTokens: million }))).toBe(20);
    expect(usd('claude-opus-5-5', usage({ cacheCreationTokens: million }))).toBe(5);
    expect(usd('claude-opus-5-5', usage({ cacheReadTokens: million }))).toBe(0.2);
  });

  it('charges the part written to the cache for 1 hour at twice the input price', () => {
    const million = 1_000_000;
    const written = { cacheCreationTokens: million, cacheCreation1hTokens: 400_000 };
    expect(usd('claude-opus-5-5', usage(written))).toBe(0.6 * 5 + 0.4 * 8);
    const whole = { cacheCreationTokens: million, cacheCreation1hTokens: million };
    expect(usd('claude-haiku-4-5', usage(whole))).toBe(2);
    expect(usd('claude-haiku-5-5', usage(whole))).toBe(1);
  });

  it("costs what a recording says, and the list price where it doesn't", () => {
    const charge = { model: 'claude-opus-5-5', usage: usage({ inputTokens: 1_000_000 }) };
    expect(costOfCharge(charge)).toBe(4);
    expect(costOfCharge({ ...charge, usd: 4.4 })).toBe(4.4);
    expect(costOfCharge({ ...charge, model: 'llama-4', usd: 4.4 })).toBe(4.4);
  });

  it('adds up for a real response', () => {
    const used = usage({
      inputTokens: 4,
      cacheReadTokens: 150_000,
      cacheCreationTokens: 2_000,
      outputTokens: 900,
    });
    expect(usd('claude-sonnet-4-5', used)).toBe(0.066);
  });

  it('recognises a dated id', () => {
    expect(usd('claude-haiku-4-5-20251001', usage({ inputTokens: 1_000_000 }))).toBe(1);
  });

  it('is five times higher for Haiku 5.5 above 100,000 prompt tokens, including cached ones', () => {
    const outputTokens = 1_000_000;
    const edge = usage({ inputTokens: 1, cacheReadTokens: 99_999, outputTokens });
    const over = usage({ inputTokens: 1, cacheReadTokens: 100_000, outputTokens });
    expect(usd('claude-haiku-5-5', edge)).toBe(0.501);
    expect(usd('claude-haiku-5-5', over)).toBe(2.505);
  });

  it.each(['llama-4', 'claude-opus-9', '', 'claude-haiku-4-5-preview', 'constructor'])(
    'is unknown for %j',
    (model) => {
      expect(costOf(model, usage({ inputTokens: 1 }))).toBe('unknown');
    },
  );
});

describe('the price of a cached token', () => {
  it('is a share of the uncached price, by model; an unlisted model has the usual share', () => {
    expect(cacheReadShare('claude-sonnet-5-5')).toBeCloseTo(0.05);
    expect(cacheReadShare('claude-haiku-4-5-20251001')).toBeCloseTo(0.1);
    expect(cacheReadShare('some-other-model')).toBe(0.1);
  });
});
