import { tokenText } from '../amount';
import type { Pass } from '../plan';

/** The fields that name a pass. */
export type NamedPass = Pick<Pass, 'trigger' | 'ordinal'>;

/** Says whether a pass is a change by hand, which no policy decided. */
export function isByHand({ trigger }: Pick<Pass, 'trigger'>): boolean {
  return trigger === 'byHand';
}

/**
 * Names a pass: "pass 3", or "change 2" for a change by hand. The two kinds are counted separately.
 */
export function passName(pass: NamedPass): string {
  return `${isByHand(pass) ? 'change' : 'pass'} ${tokenText(pass.ordinal)}`;
}

/** Names a pass at the beginning of a sentence. */
export function passTitle(pass: NamedPass): string {
  return `${isByHand(pass) ? 'Change' : 'Pass'} ${tokenText(pass.ordinal)}`;
}

/** The number of the next pass of its kind. */
export function nextOrdinal(earlier: readonly NamedPass[], next: Pick<Pass, 'trigger'>): number {
  const last = earlier.findLast((pass) => isByHand(pass) === isByHand(next));
  return (last?.ordinal ?? 0) + 1;
}
