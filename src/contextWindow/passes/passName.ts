import { tokenText } from '../amount';
import type { Pass } from '../plan';

/** What a pass is called by. */
export type NamedPass = Pick<Pass, 'trigger' | 'ordinal'>;

/** Says whether the user changed something by hand, and no policy decided anything. */
export function isByHand({ trigger }: Pick<Pass, 'trigger'>): boolean {
  return trigger === 'byHand';
}

/**
 * Names a pass as every surface shows it: "pass 3", or "change 2" for one by hand. The two kinds are
 * counted apart.
 */
export function passName(pass: NamedPass): string {
  return `${isByHand(pass) ? 'change' : 'pass'} ${tokenText(pass.ordinal)}`;
}

/** The same at the beginning of a sentence. */
export function passTitle(pass: NamedPass): string {
  return `${isByHand(pass) ? 'Change' : 'Pass'} ${tokenText(pass.ordinal)}`;
}

/** The number of the next pass among its kind. */
export function nextOrdinal(earlier: readonly NamedPass[], next: Pick<Pass, 'trigger'>): number {
  const last = earlier.findLast((pass) => isByHand(pass) === isByHand(next));
  return (last?.ordinal ?? 0) + 1;
}
