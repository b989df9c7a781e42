import type { ContextWindow } from '../../contextWindow/window';
import type { SessionEvent } from '../../contextWindow/event';
import { promptTokens } from '../../contextWindow/account/spending';
import type { SessionNumbers } from '../issueReport';
import { endWord } from '../session/turnNotices';

/** Most turn ends in a report. */
const MOST_ENDS = 10;

/** Counts the contents of a session; `inputBudget` is in tokens. Undefined if there is none yet. */
export function sessionNumbers(
  events: readonly SessionEvent[],
  window: ContextWindow,
  inputBudget: number,
): SessionNumbers | undefined {
  if (events.length === 0) return undefined;
  const usages = events.flatMap((event) =>
    event.type === 'replyReceived' || event.type === 'modelAsked' ? [event.usage] : [],
  );
  return {
    events: events.length,
    blocks: [...window.blocks].length,
    turns: window.turn,
    steps: window.step,
    passes: events.filter(({ type }) => type === 'passApplied').length,
    sentTokens: usages.reduce((sum, usage) => sum + promptTokens(usage), 0),
    receivedTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
    inputBudget,
    turnEnds: events
      .flatMap((event) => (event.type === 'turnEnded' ? [endWord(event.outcome)] : []))
      .filter((word) => word !== 'finished')
      .slice(-MOST_ENDS),
  };
}
