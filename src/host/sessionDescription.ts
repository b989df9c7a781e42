import type { SessionListing } from '../sessions/sessionList';

/** Says how long ago a session was used, how far it got, and whether something is wrong with it. */
export function descriptionOf(
  listing: SessionListing,
  current: string | undefined,
  now: number,
): string {
  const { steps, usedAt, file, openIn, condition, handedOverFrom, handedOverTo } = listing;
  return [
    ageText(now - usedAt),
    steps === 1 ? '1 step' : `${steps} steps`,
    ...(file === current ? ['shown now'] : []),
    ...(openIn === undefined ? [] : [`open ${openIn}`]),
    ...(handedOverFrom === undefined ? [] : [`goes on with “${handedOverFrom.title}”`]),
    ...(handedOverTo === undefined ? [] : [`goes on in “${handedOverTo.title}”`]),
    ...(condition === 'sound' ? [] : [condition]),
  ].join(' · ');
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
