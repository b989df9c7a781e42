import type { LifeMoment, LifeView, Seen } from '../../../src/editor/contextPanel/blocks/state';
import { formatNumber } from '../../kit/tokens';

/** Says how much of something the model sees. */
export function seenWords(seen: Seen): string {
  switch (seen) {
    case 'whole':
      return 'in the window';
    case 'part':
      return 'in the window in part';
    case 'told':
      return 'told of by a summary';
    case 'nothing':
      return 'not in the window';
  }
}

/** Says what happened, and at which step: "step 9: read (≈ 1,037 tokens)". */
export function momentWords({ step, kind, words }: LifeMoment): string {
  const when = kind === 'used' || kind === 'again' ? 'step' : 'before step';
  return `${when} ${formatNumber(step)}: ${words}`;
}

/** Tells a whole life for those who do not see it. */
export function lifeWords({ title, moments, spans }: LifeView): string {
  const now = spans.at(-1)?.seen ?? 'nothing';
  return `${title}: ${[...moments.map(momentWords), `now ${seenWords(now)}`].join('; ')}`;
}
