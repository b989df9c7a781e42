import type {
  ComparedPolicyName,
  KeptView,
  PolicyComparison,
  PolicyNumbers,
} from '../../../src/editor/contextPanel/comparison/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { ESTIMATE_MARK, formatNumber, formatTokens } from '../../kit/tokens';
import { formatCount, formatDollars, formatPasses } from '../parts/format';
import type { ComparisonState } from '../store/panelStore';

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

/** What "kept" means, wherever it is said. */
export const KEPT_MEANS =
  'Kept means: in a replay under that policy, with the settings in force, it was in the window in full at the step that needed it.';

/** Says whether a comparison was made with these settings; the policy is that of each row. */
export function isWith(comparison: PolicyComparison, settings: WhatIfSettings): boolean {
  const names = Object.keys(settings) as (keyof WhatIfSettings)[];
  return names.every((name) => name === 'policy' || comparison.settings[name] === settings[name]);
}

/**
 * What each policy would have kept of what was needed again, by the settings in force; `pass` alone if
 * it is given. Undefined while that is not compared, or the session has gone on since.
 */
export function keptIn(
  { shown }: ComparisonState,
  { neededAgain, settings, travel }: ContextView,
  pass?: number,
): readonly KeptView[] | undefined {
  if (shown === undefined || shown.upToStep !== travel.last) return undefined;
  if (!isWith(shown, settings)) return undefined;
  const pairs = neededAgain.map((again, index) => ({ again, kept: shown.kept[index] }));
  const known = pairs.flatMap(({ again, kept }) =>
    kept?.step === again.step && kept.what === again.what ? [{ again, kept }] : [],
  );
  if (known.length < pairs.length) return undefined;
  return known.flatMap(({ again, kept }) =>
    pass === undefined || again.pass === pass ? [kept] : [],
  );
}

/** Policies that are named one by one. */
const NAMED = 3;

/** Says who would have kept most: "slidingWindow would have kept 3 of these 4."; '' for nothing. */
export function keptWords(kept: readonly KeptView[]): string {
  if (kept.length === 0) return '';
  const known = kept.filter(({ isUnknown }) => isUnknown !== true);
  const unknown = kept.length - known.length;
  if (known.length === 0) {
    return `Whether another policy would have kept ${kept.length === 1 ? 'it' : 'them'}, no replay can tell.`;
  }
  const rest = unknown === 0 ? '' : ` Of the other ${formatNumber(unknown)}, no replay can tell.`;
  return `${mostWords(known)}${rest}`;
}

function mostWords(known: readonly KeptView[]): string {
  const counts = new Map<string, number>();
  for (const name of known.flatMap(({ by }) => by)) counts.set(name, (counts.get(name) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const count = formatNumber(known.length);
  if (most === 0) {
    return `No policy would have kept ${known.length === 1 ? 'it' : `any of these ${count}`}.`;
  }
  const names = [...counts].flatMap(([name, times]) => (times === most ? [name] : []));
  const all = known.length === 1 ? 'it' : known.length === 2 ? 'both' : `all ${count}`;
  const what = most === known.length ? all : `${formatNumber(most)} of these ${count}`;
  return `${namesWords(names)} would have kept ${what}.`;
}

function namesWords(names: readonly string[]): string {
  // No API is asked: what it would clear is done in its place.
  const named = names
    .slice(0, NAMED)
    .map((name) => (name === 'server' ? 'server (simulated)' : name));
  const more = names.length - named.length;
  const all = more === 0 ? named : [...named, `${formatNumber(more)} more`];
  const last = all.at(-1) ?? '';
  return all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
