import { changesText, type ChangesResult } from '../../agent/returning';
import { amountText } from '../../contextWindow/amountText';
import { idleText } from '../../contextWindow/idle';
import type { Amount } from '../../contextWindow/plan';
import type { ReturnView } from './returnState';

/** The question how to go on with an idle session is drawn from this; times in ms since the epoch. */
export interface ReturnFacts {
  readonly usedAt: number;
  readonly now: number;
  /** Undefined while they are being looked up. */
  readonly changes: ChangesResult | undefined;
  readonly isAnswered: boolean;
}

/** Most files that are listed below the question. */
const MOST_LISTED = 20;

/** Draws the question; `used` is how full the window is. */
export function returnView(
  { usedAt, now, changes, isAnswered }: ReturnFacts,
  used: Amount,
): ReturnView {
  const files = changes?.ok === true ? changes.files : [];
  const changed = changes === undefined ? 'looking up what changed since' : changesText(changes);
  const listed = files.slice(0, MOST_LISTED);
  return {
    sentence: `Idle ${idleText(now - usedAt)}, ${amountText(used)} tokens, ${changed}.`,
    files: listed.map(({ path, how, isKnown }) => ({ path, isGone: how === 'gone', isKnown })),
    moreFiles: files.length - listed.length,
    isAnswered,
  };
}
