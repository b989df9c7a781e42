import type { Amount } from './plan';

/**
 * Formats a number of tokens as in all of the interface: with thousands separators, and estimates
 * marked.
 */
export function amountText({ tokens, exact }: Amount): string {
  return marked(tokenText(tokens), exact);
}

/** Precedes every estimate, with a space. */
export const ESTIMATE_MARK = '≈';

/** Marks the text of a number that is an estimate. */
export function marked(text: string, exact = false): string {
  return exact ? text : `${ESTIMATE_MARK} ${text}`;
}

/** Counts things: "1 request", "4,212 requests". */
export function countText(count: number, one: string, more = `${one}s`): string {
  return `${tokenText(count)} ${count === 1 ? one : more}`;
}

/**
 * Writes US dollars: "$1.84", "$0.50"; below a dollar with a third digit, "$0.159", and below ten
 * cents "$0.0123", so that a small price is not rounded away or down to the limit that it exceeds.
 */
export function dollarText(usd: number): string {
  if (usd > 0 && usd < 0.0001) return 'under $0.0001';
  const digits = usd >= 1 ? 2 : usd < 0.1 ? 4 : 3;
  return `$${usd.toFixed(digits).replace(/(\.\d\d\d*?)0+$/, '$1')}`;
}

/** Writes US dollars with the mark of an estimate; "under $0.0001" needs none. */
export function dollarAmountText(usd: number, exact = false): string {
  const text = dollarText(usd);
  return text.startsWith('under') ? text : marked(text, exact);
}

/** Formats a number with thousands separators: 18711 gives "18,711". */
export function tokenText(tokens: number): string {
  return String(tokens).replace(/\B(?=(\d{3})+$)/g, ',');
}

/**
 * Formats a share as percent: 0.64 gives "64 %". A share that is only nearly the whole is never
 * "100 %", and nearly nothing never "0 %". Ten times and more is "37×", since no one reads "3,671 %".
 */
export function percentText(share: number, digits = 0): string {
  const percent = share * 100;
  if (Math.abs(share) >= 10) return `${tokenText(Math.round(share))}×`;
  const smallest = 10 ** -digits;
  if (percent > 0 && percent < smallest) return `less than ${smallest} %`;
  const rounded = percent.toFixed(digits);
  if (Number(rounded) !== 100 || share === 1)
    return `${Number(rounded) === 0 ? rounded.replace('-', '') : rounded} %`;
  const tenths = percent * 10;
  return `${((share < 1 ? Math.floor(tenths) : Math.ceil(tenths)) / 10).toFixed(1)} %`;
}
