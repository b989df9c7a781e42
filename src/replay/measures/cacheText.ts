import { countText, dollarText, percentText, tokenText } from '../../contextWindow/amount';
import { idleText } from '../../contextWindow/idle';
import {
  BLOCKS_SEARCHED,
  type RewrittenBy,
  type ServedCause,
  type WritesByCause,
} from './cacheRewrites';

const CAUSE_NAMES: Readonly<Record<ServedCause, string>> = {
  first: 'first request',
  model: 'model changed',
  compacted: 'compaction',
  cleared: 'results cleared',
  preamble: 'tools or system prompt changed',
  expired: 'cache expired',
  resumed: 'session resumed',
  grown: 'new content, nothing written twice',
  shrunk: 'window became smaller',
  blocks: `${BLOCKS_SEARCHED} or more blocks added at once`,
  thinking: 'thinking level changed',
  nothingRead: 'unknown, and not even tools or system prompt were read',
  unknown: 'unknown',
};

/** One line: "98 of 4,212 requests made 68 % of all cache writes"; undefined for no writes. */
export function rewritesText({ requests, tokens, rewrites }: WritesByCause): string | undefined {
  if (tokens === 0) return undefined;
  const rewritten = rewrites.reduce((sum, one) => sum + one.tokens, 0);
  const times = rewrites.reduce((sum, one) => sum + one.requests, 0);
  return `${tokenText(times)} of ${countText(requests, 'request')} made ${percentText(rewritten / tokens)} of all cache writes`;
}

/** One cause: "cache expired after 6 to 94 min: 10 requests, 913,259 tokens, $3.42". */
export function causeText({ cause, requests, tokens, usd, idleMs }: RewrittenBy): string {
  const price = usd === null ? '' : `, ${dollarText(usd)}`;
  const after = idleMs === undefined ? '' : ` after ${rangeText(idleMs)}`;
  return `${CAUSE_NAMES[cause]}${after}: ${countText(requests, 'request')}, ${tokenText(tokens)} tokens${price}`;
}

function rangeText([least, most]: NonNullable<RewrittenBy['idleMs']>): string {
  const [from, to] = [idleText(least), idleText(most)];
  return from === to ? from : `${from} to ${to}`;
}
