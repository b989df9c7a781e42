import { isWatermark, LEAST_WATERMARK_TOKENS, watermarkTokens } from '../../../src/protocol/whatIf';
import { formatNumber } from '../../ui/tokens';

/** How a watermark is given: in percent of the input budget, or in tokens. */
export const WATERMARK_UNITS = ['%', 'tokens'] as const;

export type WatermarkUnit = (typeof WATERMARK_UNITS)[number];

/** The unit a watermark is set in. */
export function unitOf(mark: number): WatermarkUnit {
  return mark < 1 ? '%' : 'tokens';
}

/** A watermark as its field shows it; percent without the dust of binary fractions. */
export function inUnit(mark: number, unit: WatermarkUnit): number {
  return unit === '%' ? Math.round(mark * 1e9) / 1e7 : mark;
}

/** The watermark a number typed in a unit stands for; no percentage, however large, becomes tokens. */
export function markOf(value: number, unit: WatermarkUnit): number {
  return unit === '%'
    ? Math.min(Math.round(value * 1e7) / 1e9, LEAST_WATERMARK_TOKENS - 1)
    : Math.round(value);
}

/**
 * The same watermark set in the other unit: the line stays where it is. What is no watermark has no
 * line, so that its number stays: who typed 80 tokens may have meant percent.
 */
export function converted(mark: number, from: WatermarkUnit, inputBudget: number): number {
  const to = from === '%' ? 'tokens' : '%';
  if (!isWatermark(mark)) return markOf(inUnit(mark, from), to);
  return to === 'tokens' ? watermarkTokens(mark, inputBudget) : roundFraction(mark, inputBudget);
}

/** The fraction with the fewest digits whose line stands at so many tokens. */
function roundFraction(tokens: number, inputBudget: number): number {
  for (let scale = 100; scale <= 1e9; scale *= 10) {
    const fraction = Math.ceil((tokens / inputBudget) * scale) / scale;
    if (watermarkTokens(fraction, inputBudget) === tokens) return fraction;
  }
  return tokens / inputBudget;
}

/** Writes a watermark in the unit it is set in: "80 %", "120,000 tokens". */
export function markWords(mark: number): string {
  const unit = unitOf(mark);
  const value = inUnit(mark, unit);
  return unit === '%' ? `${value}\u00a0%` : `${formatNumber(value)} tokens`;
}

/** Writes a watermark in the unit it is not set in; '' for what is none. */
export function otherWords(mark: number, inputBudget: number): string {
  if (!isWatermark(mark)) return '';
  if (mark < 1) return `${formatNumber(watermarkTokens(mark, inputBudget))} tokens`;
  return `${Math.round((mark / inputBudget) * 1_000) / 10}\u00a0%`;
}
