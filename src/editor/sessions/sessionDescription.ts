import type { SessionListing } from '../../sessions/sessionList';
import { number } from '../contextPanel/exports/viewRows';
import { STATE_WORDS, type SessionFigures } from './sessionFigures';

/**
 * Says how long ago a session was used, how far it got, how it stands, what it cost, how full its window
 * is, and whether something is wrong with it.
 */
export function descriptionOf(
  listing: SessionListing,
  figures: SessionFigures | undefined,
  { current, now }: { readonly current: string | undefined; readonly now: number },
): string {
  const { steps, usedAt, file, openIn, condition, handedOverFrom, handedOverTo } = listing;
  return [
    ageText(now - usedAt),
    steps === 1 ? '1 step' : `${steps} steps`,
    ...(figures === undefined ? [] : figureWords(figures)),
    ...(file === current ? ['shown now'] : []),
    ...(openIn === undefined ? [] : [`open ${openIn}`]),
    ...(handedOverFrom === undefined ? [] : [`goes on with “${handedOverFrom.title}”`]),
    ...(handedOverTo === undefined ? [] : [`goes on in “${handedOverTo.title}”`]),
    ...(condition === 'sound' ? [] : [condition]),
  ].join(' · ');
}

function figureWords({ state, cost, used }: SessionFigures): readonly string[] {
  const tokens = `${used.exact ? '' : '≈ '}${number(used.tokens)} tokens`;
  return [STATE_WORDS[state], ...(cost === undefined ? [] : [cost]), tokens];
}

const AGES: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** Says how long ago something was; ms. */
export function ageText(ms: number): string {
  const age = AGES.find(([unit]) => ms >= unit);
  return age === undefined ? 'just now' : `${Math.floor(ms / age[0])} ${age[1]} ago`;
}
