const AGES: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
];

/** The age of something in words, from ms. */
export function ageText(ms: number): string {
  const age = AGES.find(([unit]) => ms >= unit);
  return age === undefined ? 'just now' : `${Math.floor(ms / age[0])} ${age[1]} ago`;
}
