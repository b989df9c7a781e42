import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dollarAmountText, dollarText, percentText } from '../../src/contextWindow/amount';
import { policyLabel } from '../../src/contextWindow/plan';

describe('a share as percent', () => {
  it.each([
    [0, '0 %'],
    [0.004, 'less than 1 %'],
    [0.64, '64 %'],
    [0.994, '99 %'],
    [0.996, '99.6 %'],
    [0.9999, '99.9 %'],
    [1, '100 %'],
    [1.001, '100.1 %'],
    [3.2, '320 %'],
    [36.71, '37×'],
  ])('of %d is %s', (share, text) => {
    expect(percentText(share)).toBe(text);
  });

  it('has as many digits as asked for', () => {
    expect(percentText(0.8128, 1)).toBe('81.3 %');
    expect(percentText(0.9999, 1)).toBe('99.9 %');
    expect(percentText(0.0001, 1)).toBe('less than 0.1 %');
  });
});

it.each([
  [0, '$0.00'],
  [0.00004, 'under $0.0001'],
  [0.0001, '$0.0001'],
  [0.0042, '$0.0042'],
  [0.01, '$0.01'],
  [0.0123, '$0.0123'],
  [0.09999, '$0.10'],
  [0.159, '$0.159'],
  [0.5, '$0.50'],
  [0.9999, '$1.00'],
  [13.955, '$13.96'],
])('a price of %d dollars is %s', (usd, text) => {
  expect(dollarText(usd)).toBe(text);
});

it('marks an estimated bill, unless it is only known to be small', () => {
  expect([0.00004, 0.0042].map((usd) => dollarAmountText(usd))).toEqual([
    'under $0.0001',
    '≈ $0.0042',
  ]);
  expect(dollarAmountText(0.0042, true)).toBe('$0.0042');
});

describe('the name of a policy that knows later needs', () => {
  it('claims clairvoyance only if the ladder did not do better', () => {
    expect(policyLabel('clairvoyant', 2, 2)).toBe('clairvoyant');
    expect(policyLabel('clairvoyant', 3, 2)).toBe('laterNeeds');
    expect(policyLabel('clairvoyantExcerpts', 3, 2)).toBe('laterNeedsExcerpts');
    expect(policyLabel('tokenBudget', 3, 2)).toBe('tokenBudget');
  });
});

describe('the mark of an estimate', () => {
  it('has a space in all sources, so that a number looks the same everywhere', () => {
    const root = resolve(__dirname, '../..');
    const without = ['src', 'webview'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .filter((file) => /≈[\d$]/.test(readFileSync(join(root, folder, file), 'utf8'))),
    );
    expect(without).toEqual([]);
  });
});
