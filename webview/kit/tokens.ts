import { type Amount, ESTIMATE_MARK, percentText } from '../../src/editor/coreForPages';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** Formats a whole number with thousands separators: 12,480. */
export function formatNumber(value: number): string {
  const text = grouped.format(value);
  return text === '-0' ? '0' : text.replace('-', '−');
}

/** Formats tokens, estimates with a mark: "12,480" or "≈ 12,480". */
export function formatTokens({ tokens, exact }: Amount): string {
  const number = formatNumber(tokens);
  return exact ? number : `${ESTIMATE_MARK}\u00a0${number}`;
}

/** Keeps each mark of an estimate on the line of its number, in a sentence of the host. */
export function unbroken(sentence: string): string {
  return sentence.replaceAll(`${ESTIMATE_MARK} `, `${ESTIMATE_MARK}\u00a0`);
}

/** Formats a change of the window: "+4,095", "≈ −204". */
export function formatMove({ tokens, exact }: Amount): string {
  const signed = tokens < 0 ? formatNumber(tokens) : `+${formatNumber(tokens)}`;
  return exact ? signed : `${ESTIMATE_MARK}\u00a0${signed}`;
}

/** Where a number of tokens comes from, for tooltips and screen readers. */
export function originOfTokens(exact: boolean): string {
  return exact ? 'counted by the server' : 'estimated';
}

/** Formats a share as percent: "64 %"; "–" if the whole is 0. */
export function formatShare(part: number, whole: number): string {
  return whole > 0 ? percentText(part / whole).replace(' %', '\u00a0%') : '–';
}

/** The share from 0 to 1, for bars. */
export function share(part: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}
