import type { CapturedCounts } from '../../../src/editor/contextPanel/request/state';
import { formatNumber } from '../../kit/tokens';

/** Says that a request is the recorded agent's own, and what its server counted. */
export function capturedWords({
  total,
  cacheRead,
  cacheWrite,
  fresh,
  reply,
}: CapturedCounts): string {
  const exact = 'Exact: as the agent sent it.';
  if (total === undefined)
    return `${exact} Its response was not recorded, so all tokens are estimates.`;
  const parts = [
    ...(cacheRead === 0 ? [] : [`${formatNumber(cacheRead)} read from the cache`]),
    ...(cacheWrite === 0 ? [] : [`${formatNumber(cacheWrite)} written to it`]),
    `${formatNumber(fresh)} new`,
  ];
  return `${exact} ${formatNumber(total)} tokens by its server's count: ${parts.join(', ')}. The reply has ${formatNumber(reply)}.`;
}

/** Names the tokens that belong to no section; undefined if there are none. */
export function unattributedWords({ unattributed }: CapturedCounts): string | undefined {
  if (unattributed === 0) return undefined;
  return `${formatNumber(unattributed)} tokens not attributed: the server counted them beyond the estimates of the texts above.`;
}

export const CACHE_END = '≈ read from the cache up to here';
