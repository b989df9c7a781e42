import type { Balance } from '../../../src/protocol/contextPanel';
import { formatTokens } from '../../ui/tokens';

/** Says where the number of used tokens comes from, and whether it is a guess. */
export function sourceWords({ used, source }: Pick<Balance, 'used' | 'source'>): string {
  switch (source) {
    case 'usage':
    case 'countTokens':
      return used.exact ? 'counted by the server' : 'estimated since the last count';
    case 'overflowError':
      return used.exact ? "taken from the server's error" : "estimated since the server's error";
    case 'estimate':
      return 'estimated, not counted yet';
  }
}

/** Says what comes next: the room up to the high watermark, or that it is used up. */
export function outlookWords(balance: Balance): string {
  const { used, highTokens, headroom, contextWindowTokens } = balance;
  const say = (tokens: number): string =>
    `${formatTokens({ tokens, exact: used.exact })} ${tokens === 1 ? 'token' : 'tokens'}`;
  const beyond = used.tokens - contextWindowTokens;
  if (beyond > 0) return `${say(beyond)} more than the whole context window holds`;
  if (headroom < 0) return `${say(-headroom)} over the input budget`;
  const room = highTokens - used.tokens;
  return room < 0 ? `${say(-room)} above the high watermark` : `${say(room)} to the high watermark`;
}
