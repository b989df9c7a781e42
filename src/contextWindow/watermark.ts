import { tokenText } from './amountText';

/** Fewest tokens a watermark can be set to: what lies between 1 and this is a slip, such as 80 for 80 %. */
export const LEAST_WATERMARK_TOKENS = 1_000;

/** Says whether a number is a watermark: a fraction of the input budget below 1, or whole tokens from 1,000 on. */
export function isWatermark(mark: number): boolean {
  return mark < 1 ? mark > 0 : Number.isInteger(mark) && mark >= LEAST_WATERMARK_TOKENS;
}

/** Says both ways to set a watermark, with an example of a fraction. */
export function watermarkForm(example: number): string {
  return (
    `a fraction of the input budget below 1, for example ${example}, ` +
    `or a number of tokens of at least ${tokenText(LEAST_WATERMARK_TOKENS)}`
  );
}

/** Where a watermark stands, in whole tokens of this input budget. */
export function watermarkTokens(mark: number, inputBudget: number): number {
  return mark < 1 ? Math.floor(inputBudget * mark) : mark;
}

/** A watermark as the fraction that `watermarkTokens` makes the same tokens of, to the last one. */
export function watermarkFraction(mark: number, inputBudget: number): number {
  if (mark < 1) return mark;
  const fraction = mark / inputBudget;
  // A binary fraction may be a hair too small, and rounding down would lose a token then.
  return inputBudget * fraction < mark ? fraction * (1 + Number.EPSILON) : fraction;
}

/** Says where a watermark must lie, as it is not below the high one; undefined where it is. */
export function notBelow(mark: number, high: number, inputBudget: number): string | undefined {
  const tokens = watermarkTokens(mark, inputBudget);
  const highTokens = watermarkTokens(high, inputBudget);
  if (tokens < highTokens) return undefined;
  // In one unit, and the wrong way round by that alone, the numbers speak for themselves.
  const isPlain = mark < 1 === high < 1 && mark >= high;
  const said = (one: number, inTokens: number) =>
    isPlain || one >= 1 ? `${one}` : `${one}, here ${tokenText(inTokens)} tokens`;
  return `below the high watermark (${said(high, highTokens)}), not ${said(mark, tokens)}.`;
}
