import { tokenText } from '../../contextWindow/amount';
import { visibleLine } from '../../contextWindow/visibleText';
import { ageText } from '../../sessions/ageText';
import { agentName } from './findSessions';
import type { FoundSession } from './foundSession';

/** The title of a session; no character of it is invisible or turns the text around. */
export function sessionTitle({ title }: FoundSession): string {
  return title === '' ? 'No prompt yet' : visibleLine(title);
}

/** What a list says about a session after its title. */
export function sessionWords(session: FoundSession, now: number): readonly string[] {
  const { agent, usedAt, model, tokens, windowTokens, compactions, isRunning } = session;
  const size = windowTokens === undefined ? '' : ` of ${tokenText(windowTokens)}`;
  return [
    agentName(agent),
    ...(isRunning ? ['running'] : []),
    ageText(now - usedAt),
    ...(model === undefined ? [] : [visibleLine(model)]),
    ...(tokens === undefined ? [] : [`${tokenText(tokens)}${size} tokens`]),
    ...(compactions === 0
      ? []
      : [compactions === 1 ? '1 compaction' : `${compactions} compactions`]),
  ];
}
