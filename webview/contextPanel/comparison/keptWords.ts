import type { ContextView } from '../../../src/editor/contextPanel/state';
import type { KeptView, PolicyComparison } from '../../../src/editor/contextPanel/comparison/state';
import type { WhatIfSettings } from '../../../src/editor/contextPanel/whatIf/state';
import { formatNumber } from '../../kit/tokens';
import type { ComparisonState } from '../store/comparing';

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
