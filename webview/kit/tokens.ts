/** A number of tokens that says whether the API counted it. */
export interface MarkedTokens {
  readonly tokens: number;
  readonly exact: boolean;
}

/** Stands before every number that is a local guess. */
export const ESTIMATE_MARK = '≈';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Writes a whole number with thousands separators: 12,480. */
export function formatNumber(value: number): string {
  const text = grouped.format(value);
  return text === '-0' ? '0' : text.replace('-', '−');
}

/** "1 file", "2 files". */
export function count(number: number, what: string): string {
  return `${formatNumber(number)} ${what}${number === 1 ? '' : 's'}`;
}

/** Writes tokens, marked where they are an estimate: "12,480" or "≈ 12,480". */
export function formatTokens({ tokens, exact }: MarkedTokens): string {
  const number = formatNumber(tokens);
  return exact ? number : `${ESTIMATE_MARK}\u00a0${number}`;
}

/** Says where a number of tokens comes from, for tooltips and screen readers. */
export function originOfTokens(exact: boolean): string {
  return exact ? 'counted by the server' : 'estimated';
}

/** Writes a share as whole percent: "64 %"; a whole of 0 has no share and gives "–". */
export function formatShare(part: number, whole: number): string {
  return whole > 0 ? `${grouped.format((part / whole) * 100)}\u00a0%` : '–';
}

/** The share as a number from 0 to 1, for bars. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}
