import { describe, expect, it } from 'vitest';
import type { PassPrice } from '../../../../src/contextWindow/account/passPrice';
import { priceText } from '../../../../src/editor/contextPanel/ledger/priceText';

const NONE = { usd: 0, inputTokens: 0 };

const PRICE: PassPrice = {
  number: 7,
  isEstimate: false,
  summary: {
    requests: 1,
    sentTokens: 9_187,
    receivedTokens: 422,
    cost: { usd: 0.019, inputTokens: 11_297 },
  },
  cache: { tokens: 1_035, hadExpired: false, cost: { usd: 0.002, inputTokens: 1_190 } },
  cost: { usd: 0.021, inputTokens: 12_487 },
  saved: { usd: 0.004, inputTokens: 2_400 },
};

const KNOWN = { freedTokens: 8_987, by: { offline: false, model: 'claude-sonnet-5-5' } } as const;
const OFFLINE = { freedTokens: 8_987, by: { offline: true } } as const;

const withoutSummary = {
  ...PRICE,
  summary: { requests: 0, sentTokens: 0, receivedTokens: 0, cost: NONE },
  cost: PRICE.cache.cost,
};

describe('the sentences about the price of a pass', () => {
  it('give the price with its parts, and what was saved so far', () => {
    expect(priceText(PRICE, KNOWN)).toBe(
      'Cost: $0.021 (summary $0.019, cache $0.002). Repaid so far: $0.004.',
    );
  });

  it('say since which step it is repaid', () => {
    expect(priceText({ ...PRICE, repaidSince: 37 }, KNOWN)).toBe(
      'Cost: $0.021 (summary $0.019, cache $0.002). Repaid since step 37.',
    );
  });

  it('give the cached tokens of a pass without a summary', () => {
    expect(priceText({ ...withoutSummary, repaidSince: 37 }, KNOWN)).toBe(
      'Cost: $0.002 for 1,035 cached tokens written again. Repaid since step 37.',
    );
  });

  it('mark an estimate, and say nothing of savings before the next request', () => {
    expect(priceText({ ...withoutSummary, isEstimate: true }, KNOWN)).toBe(
      'Cost: ≈ $0.002 for ≈ 1,035 cached tokens written again.',
    );
  });

  it('mark every amount of a replay, which sent no request, and say when it is repaid', () => {
    const simulated = { ...withoutSummary, isSimulated: true } as const;
    expect(priceText({ ...simulated, repaidSince: 37 }, KNOWN)).toBe(
      'Cost: ≈ $0.002 for ≈ 1,035 cached tokens written again. Repaid since step 37.',
    );
    expect(priceText({ ...simulated, saved: { usd: 0.001, inputTokens: 600 } }, KNOWN)).toBe(
      'Cost: ≈ $0.002 for ≈ 1,035 cached tokens written again. Repaid so far: ≈ $0.001.',
    );
  });

  it('say that a pass after the cache had expired cost nothing', () => {
    const cache = { tokens: 0, hadExpired: true, cost: NONE };
    expect(priceText({ ...withoutSummary, cache, cost: NONE, repaidSince: 9 }, KNOWN)).toBe(
      'Cost: nothing. The prompt cache had expired.',
    );
  });

  it('give tokens where there is no charge or no price', () => {
    const tokens = 'Cost: summary 9,187 tokens in, 422 out; 1,035 cached tokens written again.';
    expect(priceText(PRICE, OFFLINE)).toBe(`${tokens} No charge (offline). Repaid so far: 19 %.`);
    const unknown = { ...PRICE, cost: { inputTokens: 12_487 } };
    expect(priceText(unknown, KNOWN)).toBe(`${tokens} Price unknown. Repaid so far: 19 %.`);
  });

  it('give the share instead of amounts under $0.001', () => {
    const saved = { usd: 0.0004, inputTokens: 238 };
    expect(priceText({ ...PRICE, saved }, KNOWN)).toMatch(/Repaid so far: 1 %\.$/);
    expect(priceText({ ...PRICE, saved: NONE }, KNOWN)).toMatch(/Not repaid yet\.$/);
  });

  it('say so if the pass lost nothing of the cache', () => {
    const cache = { tokens: 0, hadExpired: false, cost: NONE };
    const cost = PRICE.summary.cost;
    expect(priceText({ ...PRICE, cache, cost, repaidSince: 9 }, KNOWN)).toBe(
      'Cost: $0.019 for the summary. Repaid since step 9.',
    );
    expect(priceText({ ...withoutSummary, cache, cost: NONE }, KNOWN)).toMatch(
      /^Cost: nothing\. The whole prompt cache stayed valid\./,
    );
  });

  it('say nothing of savings for a change that adds tokens', () => {
    expect(priceText(PRICE, { ...KNOWN, freedTokens: -400 })).toBe(
      'Cost: $0.021 (summary $0.019, cache $0.002).',
    );
  });
});
