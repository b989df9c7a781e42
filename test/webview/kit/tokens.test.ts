// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import {
  formatNumber,
  formatShare,
  formatTokens,
  originOfTokens,
  share,
  unbroken,
} from '../../../webview/kit/tokens';

describe('numbers of tokens', () => {
  it('carry thousands separators whatever the language of the machine', () => {
    expect(formatNumber(0)).toBe('0');
    expect(formatNumber(999)).toBe('999');
    expect(formatNumber(1000)).toBe('1,000');
    expect(formatNumber(1_234_567)).toBe('1,234,567');
  });

  it('are whole', () => {
    expect(formatNumber(1999.6)).toBe('2,000');
    expect(formatNumber(-0.2)).toBe('0');
  });

  it('below zero carry a true minus sign', () => {
    expect(formatNumber(-1234)).toBe('−1,234');
  });

  it('are marked only if they are estimates', () => {
    expect(formatTokens({ tokens: 12_480, exact: true })).toBe('12,480');
    expect(formatTokens({ tokens: 12_480, exact: false })).toBe('≈\u00a012,480');
    expect(originOfTokens(true)).toBe('counted by the server');
    expect(originOfTokens(false)).toBe('estimated');
  });

  it('have a share of a whole, but none of 0', () => {
    expect(formatShare(64, 100)).toBe('64\u00a0%');
    expect(formatShare(99.6, 100)).toBe('99.6\u00a0%');
    expect(formatShare(1, 0)).toBe('–');
    expect(share(1, 4)).toBe(0.25);
    expect(share(5, 4)).toBe(1);
    expect(share(-1, 4)).toBe(0);
    expect(share(1, 0)).toBe(0);
  });
});

it('a mark of an estimate stays on the line of its number', () => {
  expect(unbroken('Read again (≈ 490 tokens, ≈ $0.002)')).toBe(
    'Read again (≈\u00a0490 tokens, ≈\u00a0$0.002)',
  );
});
