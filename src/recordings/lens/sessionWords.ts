import { tokenText } from '../../contextWindow/amount';
import { ageText } from '../../sessions/ageText';
import { agentName } from './findSessions';
import type { FoundSession } from './foundSession';

/** What a list says about a session after its title. */
export function sessionWords(session: FoundSession, now: number): readonly string[] {
  const { agent, usedAt, model, tokens, windowTokens, compactions, isRunning } = session;
  const size = windowTokens === undefined ? '' : ` of ${tokenText(windowTokens)}`;
  return [
    agentName(agent),
    ...(isRunning ? ['running'] : []),
    ageText(now - usedAt),
    ...(model === undefined ? [] : [model]),
    ...(tokens === undefined ? [] : [`${tokenText(tokens)}${size} tokens`]),
    ...(compactions === 0
      ? []
      : [compactions === 1 ? '1 compaction' : `${compactions} compactions`]),
  ];
}
