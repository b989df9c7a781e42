import type { OpeningView } from '../../../src/editor/contextPanel/opening/state';
import { countText } from '../../../src/editor/coreForPages';
import { formatNumber } from '../../kit/tokens';

/** What the recorded agent's last request held, by its server. */
export function lastRequestWords({ recordedTokens }: OpeningView): string {
  return recordedTokens === undefined
    ? 'The file does not say how many tokens its requests held.'
    : `Its last request held ${formatNumber(recordedTokens)} tokens by its server's count.`;
}

/** How long the session is, and what it cost. */
export function sessionWords({ steps, compactions, cost }: OpeningView): string {
  const made = compactions === 0 ? '' : `, ${countText(compactions, 'compaction')}`;
  return `${countText(steps, 'step')}${made}, ${cost}.`;
}

export function replayingWords({ share }: OpeningView): string {
  return `Replaying: ${Math.floor(share * 100)}\u00a0%`;
}

export const TO_COME =
  'Still to come: its window and timeline as Plimsoll would have managed them, and what compactions lost.';
