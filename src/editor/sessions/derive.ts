import type { ContextWindow } from '../../contextWindow/window';
import type { SessionLink } from '../../contextWindow/event';
import type { LinkedSession, SessionLinks } from './state';

/**
 * Names the sessions before and after a handover; `isThere` says whether one still has its log.
 * Undefined if there are none.
 */
export function sessionLinks(
  { handedOverFrom, handedOverTo = [] }: ContextWindow,
  isThere: (sessionId: string) => boolean,
): SessionLinks | undefined {
  if (handedOverFrom === undefined && handedOverTo.length === 0) return undefined;
  const linked = ({ sessionId, title }: SessionLink): LinkedSession => ({
    session: sessionId,
    title,
    isGone: !isThere(sessionId),
  });
  return {
    ...(handedOverFrom === undefined ? {} : { from: linked(handedOverFrom) }),
    to: handedOverTo.map(linked),
  };
}
