import { countText, dollarAmountText } from '../../../src/editor/coreForPages';
import type {
  ComparedPolicyName,
  KeptView,
  PolicyComparison,
  PolicyNumbers,
} from '../../../src/editor/contextPanel/comparison/state';
import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { formatNumber, formatTokens } from '../../kit/tokens';
import type { ComparisonState } from '../store/panelStore';

/** What the policies do that exist only to measure. */
export const MEASURING_POLICIES: Partial<Record<ComparedPolicyName, string>> = {
  ladderNoExcerpts: 'the ladder without excerpts',
  clairvoyant: 'knows what is needed later and keeps it',
  clairvoyantExcerpts: 'the same, with excerpts',
};

/** Why a policy that knows later needs can do worse than the ladder. */
export const LOST_TO_LADDER = 'knows later needs, but plans one pass at a time';

/** The columns of the table, with their meanings. */
export const COLUMNS: readonly { readonly name: string; readonly title: string }[] = [
  { name: 'Policy', title: 'What decides which blocks leave' },
  { name: 'Passes', title: 'How many passes ran' },
  { name: 'Needed again', title: 'Times removed content was read again or recalled' },
  { name: 'Cost', title: 'US dollars at list price, with a simulated prompt cache' },
  { name: 'Peak', title: 'Tokens of the largest request' },
];

/** How the numbers are computed. */
export const HOW_COUNTED =
  'Prompts, calls and results stay as recorded; each policy runs its own passes. Cost: the ' +
  'requests at list price, with a simulated prompt cache. Peak: tokens of the largest request.';

/** Describes the session or replay that is shown, where its numbers differ from its row. */
export function asShownWords({
  isReplay,
  passes,
  neededAgain,
}: NonNullable<PolicyComparison['asShown']>): string {
  const again =
    neededAgain === 0
      ? 'nothing was needed again'
      : `content was needed again ${countText(neededAgain, 'time')}`;
  return isReplay
    ? `The replay that is shown has ${countText(passes, 'pass', 'passes')}, and ${again}: it uses this editor's calibrated token estimates, the table does not.`
    : `The session itself had ${countText(passes, 'pass', 'passes')}, and ${again}. The replays omit changes by hand, pins and notes.`;
}

export function passesWords({ passes }: PolicyNumbers): string {
  return formatNumber(passes);
}

/** Times content was needed again: "3", or "≥ 3" if there may be more. */
export function neededAgainWords({ neededAgain, isLeast }: PolicyNumbers): string {
  const times = formatNumber(neededAgain);
  return isLeast === true ? `≥\u00a0${times}` : times;
}

/** The cost of the requests: "≈ $4.01", or "not known". */
export function costWords({ cost }: PolicyNumbers): string {
  // A narrow cell does not part the mark from its number.
  return cost === null ? 'not known' : dollarAmountText(cost).replace(' ', '\u00a0');
}

export function peakWords({ peakTokens }: PolicyNumbers): string {
  return formatTokens({ tokens: peakTokens, exact: false });
}

/** Says how many requests were over the input budget. */
export function overWords({ overBudget }: PolicyNumbers): string {
  return `${formatNumber(overBudget)} over budget`;
}

/** The definition of "kept", wherever the word is used. */
export const KEPT_MEANS =
  'Kept means: in a replay under that policy with the current settings, the block was whole in the window at the step that needed it.';

/** Says whether a comparison used these settings; each row has its own policy. */
export function isWith(comparison: PolicyComparison, settings: WhatIfSettings): boolean {
  const names = Object.keys(settings) as (keyof WhatIfSettings)[];
  return names.every((name) => name === 'policy' || comparison.settings[name] === settings[name]);
}

/**
 * Of what was needed again, what each policy would have kept under the current settings; of `pass`
 * alone if it is given. Undefined while that is not compared, or if the session has continued
 * since.
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

/** Policies listed by name. */
const NAMED = 3;

/**
 * Names the policies that would have kept most: "slidingWindow would have kept 3 of these 4."; ''
 * for none.
 */
export function keptWords(kept: readonly KeptView[]): string {
  if (kept.length === 0) return '';
  const known = kept.filter(({ isUnknown }) => isUnknown !== true);
  const unknown = kept.length - known.length;
  if (known.length === 0) {
    return `No replay can say whether another policy would have kept ${kept.length === 1 ? 'it' : 'them'}.`;
  }
  const rest = unknown === 0 ? '' : ` For the other ${formatNumber(unknown)}, no replay can say.`;
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
  // A replay calls no API: it simulates the API's clearing.
  const named = names
    .slice(0, NAMED)
    .map((name) => (name === 'server' ? 'server (simulated)' : name));
  const more = names.length - named.length;
  const all = more === 0 ? named : [...named, `${formatNumber(more)} more`];
  const last = all.at(-1) ?? '';
  return all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
