import { tokenText } from '../../contextWindow/amount';
import {
  AUTOMATIC_WATERMARKS,
  type ValidSettings,
  type WatermarkName,
} from '../../settings/windowBudget';

/**
 * Says that a cap in tokens decides where passes begin or stop, because the window is large;
 * undefined where the fractions do.
 */
export function capNotice({ capped }: Pick<ValidSettings, 'capped'>): string | undefined {
  if (capped.length === 0) return undefined;
  const tokens = capped.map((name) => {
    const { capTokens } = AUTOMATIC_WATERMARKS[name];
    return `${VERB[name]} ${tokenText(capTokens)} tokens`;
  });
  const shares = capped.map((name) => `${AUTOMATIC_WATERMARKS[name].fraction * 100}\u00a0%`);
  return (
    `This model has a large window: a pass ${tokens.join(' and ')}, ` +
    `not at ${shares.join(' and ')} of the input budget.`
  );
}

const VERB: Readonly<Record<WatermarkName, string>> = {
  highWatermark: 'begins above',
  lowWatermark: 'stops at',
};
