import type { Budget } from '../../contextWindow/budget';
import type { ContextWindow } from '../../contextWindow/contextWindow';
import type { SessionEvent } from '../../contextWindow/event';
import { returnSince } from '../../contextWindow/idle';
import { effectiveBudget } from '../../contextWindow/account/stepDown';
import { awaitedApproval, turnEnd } from '../../contextWindow/log/turnEnd';
import type { Estimate } from '../../contextWindow/truncate';
import { accountOf } from '../contextPanel/account';
import { SessionCosts } from '../conversation/costsView';

/** How a session stands. `interrupted`: a crash or the end of its window ended its turn. */
export type SessionState =
  | 'working'
  | 'waiting'
  | 'stopped'
  | 'interrupted'
  | 'limit'
  | 'error'
  | 'expired'
  | 'closed'
  | 'idle';

/** What a list says of a session besides its name: by the numbers of Agent view and Context panel. */
export interface SessionFigures {
  readonly state: SessionState;
  /** "$0.02", "no charge (offline)", or "price unknown"; absent before the first answer. */
  readonly cost?: string;
  /** Tokens of its window. */
  readonly used: { readonly tokens: number; readonly exact: boolean };
}

/** What they are worked out from. */
export interface FigureFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly budget: Budget;
  readonly estimate: Estimate;
  /** True while the scripted model answers. */
  readonly offline: boolean;
  /** What the scripted model signs its answers with. */
  readonly demoAuthor: string;
  /** What the agent does in it in this window; `open`: another window has it. */
  readonly now: 'working' | 'waiting' | 'open' | 'nothing';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Its time to live, ms; 0 for no limit. */
  readonly ttlMs: number;
}

/** Works out what a list says of a session. */
export function sessionFigures(facts: FigureFacts): SessionFigures {
  const { events, window, budget, estimate, offline, demoAuthor } = facts;
  const { used } = accountOf(window, budget, estimate).balance;
  const costs = new SessionCosts(demoAuthor).of({
    events,
    window,
    budget: effectiveBudget(window, budget),
    offline,
  });
  const isAnswered = events.some(({ type }) => type === 'replyReceived');
  return {
    state: stateOf(facts),
    ...(isAnswered ? { cost: costs.session } : {}),
    used: { tokens: used.tokens, exact: used.exact },
  };
}

function stateOf({ events, now, at, ttlMs }: FigureFacts): SessionState {
  if (now === 'working' || now === 'waiting') return now;
  const { type } = turnEnd(events);
  if (type === 'open' && awaitedApproval(events) !== undefined) return 'waiting';
  if (type === 'open') return now === 'open' ? 'working' : 'interrupted';
  if (isClosed(events)) return 'closed';
  switch (type) {
    case 'none':
    case 'finished':
      return returnSince(events, at, ttlMs) === undefined ? 'idle' : 'expired';
    case 'stopped':
    case 'interrupted':
      return type;
    case 'stepLimit':
    case 'capReached':
      return 'limit';
    case 'replyCut':
    case 'refused':
    case 'contextFull':
    case 'failed':
      return 'error';
  }
}

function isClosed(events: readonly SessionEvent[]): boolean {
  const last = events.at(-1);
  return last?.type === 'sessionClosed' && last.reason === 'closed';
}

/** The words for it in the list; none for a session that simply rests. */
export const STATE_WORDS: Readonly<Record<SessionState, string>> = {
  working: 'at work',
  waiting: 'waits for your answer',
  stopped: 'stopped',
  interrupted: 'interrupted',
  limit: 'stopped at a limit',
  error: 'ended with an error',
  expired: 'expired',
  closed: 'closed',
  idle: 'idle',
};
