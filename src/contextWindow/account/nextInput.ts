import type { SessionEvent } from '../event';
import { CACHE_TTL_MS } from './promptCache';
import { promptTokens, type Usage } from './spending';

/** Events after which the next request no longer begins with the bytes of the last one. */
const CHANGES_PREFIX: ReadonlySet<SessionEvent['type']> = new Set([
  'preambleSet',
  'modelSet',
  'passApplied',
  'passUndone',
  'anchorMoved',
]);

/**
 * The input of the next request as the API will charge it: what the last request left in the prompt
 * cache is read, and the rest is written. `tokens` is the size of the request, `now` in ms.
 */
export function nextInput(events: readonly SessionEvent[], tokens: number, now: number): Usage {
  const none = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  const at = events.findLastIndex(
    (event) => event.type === 'replyReceived' && promptTokens(event.usage) > 0,
  );
  const last = events[at];
  if (last?.type !== 'replyReceived') return { ...none, cacheCreationTokens: tokens };
  const { cacheCreationTokens, cacheReadTokens } = last.usage;
  // A server without a prompt cache reports neither.
  if (cacheCreationTokens + cacheReadTokens === 0) return { ...none, inputTokens: tokens };
  const isThere =
    now - last.at <= CACHE_TTL_MS &&
    !events.slice(at + 1).some(({ type }) => CHANGES_PREFIX.has(type));
  const read = isThere ? Math.min(tokens, cacheCreationTokens + cacheReadTokens) : 0;
  return { ...none, cacheCreationTokens: tokens - read, cacheReadTokens: read };
}
