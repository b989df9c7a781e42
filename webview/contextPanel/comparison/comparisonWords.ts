import type {
  ComparedPolicyName,
  PolicyComparison,
  PolicyNumbers,
} from '../../../src/editor/contextPanel/comparison/state';
import { ESTIMATE_MARK, formatNumber, formatTokens } from '../../kit/tokens';
import { formatCount, formatDollars, formatPasses } from '../parts/format';

/** What the policies do that exist only to measure. */
export const MEASURING_POLICIES: Partial<Record<ComparedPolicyName, string>> = {
  ladderNoExcerpts: 'the ladder without excerpts',
  clairvoyant: 'knows what is needed later and keeps it',
  clairvoyantExcerpts: 'the same, and shows excerpts again',
};

/** The columns of the table, with what each has. */
export const COLUMNS: readonly { readonly name: string; readonly title: string }[] = [
  { name: 'Policy', title: 'What decides which blocks leave' },
  { name: 'Passes', title: 'How often room was made' },
  { name: 'Needed again', title: 'Times content was read again or recalled after it had left' },
  { name: 'Cost', title: 'US dollars at list price, with a simulated prompt cache' },
  { name: 'Peak', title: 'Tokens of the largest request' },
];

/** How the numbers come about. */
export const HOW_COUNTED =
  'What was asked, called and answered stays as it was; each policy makes its own passes. Cost: the ' +
  'requests at list price, with a simulated prompt cache. Peak: tokens of the largest request.';

/** Says how what is shown went, where its row says otherwise. */
export function asShownWords({
  isReplay,
  passes,
  neededAgain,
}: NonNullable<PolicyComparison['asShown']>): string {
  const again =
    neededAgain === 0
      ? 'nothing was needed again'
      : `content was needed again ${formatCount(neededAgain, 'time')}`;
  return isReplay
    ? `The replay that is shown has ${formatPasses(passes)}, and ${again}: it estimates tokens by what this editor has learned, the table does not.`
    : `The session itself had ${formatPasses(passes)}, and ${again}. The replays leave out what was changed by hand, pinned or noted.`;
}

/** How often room was made. */
export function passesWords({ passes }: PolicyNumbers): string {
  return formatNumber(passes);
}

/** How often content was needed again: "3", or "≥ 3" where more may have been. */
export function neededAgainWords({ neededAgain, isLeast }: PolicyNumbers): string {
  const times = formatNumber(neededAgain);
  return isLeast === true ? `≥\u00a0${times}` : times;
}

/** What the requests cost: "≈ $4.01", or "not known". */
export function costWords({ cost }: PolicyNumbers): string {
  if (cost === null) return 'not known';
  const dollars = formatDollars(cost);
  return dollars.startsWith('$') ? `${ESTIMATE_MARK}\u00a0${dollars}` : dollars;
}

/** How large the largest request was. */
export function peakWords({ peakTokens }: PolicyNumbers): string {
  return formatTokens({ tokens: peakTokens, exact: false });
}

/** Says how many requests were over the input budget. */
export function overWords({ overBudget }: PolicyNumbers): string {
  return `${formatNumber(overBudget)} over budget`;
}
