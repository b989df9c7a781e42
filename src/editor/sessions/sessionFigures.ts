import { textsOf } from '../../contextWindow/account/measure';
import type { Budget } from '../../contextWindow/budget';
import type { ContextWindow } from '../../contextWindow/window';
import type { SessionEvent } from '../../contextWindow/event';
import { returnSince } from '../../contextWindow/idle';
import { fold } from '../../contextWindow/fold';
import { awaitedApproval, turnEnd } from '../../contextWindow/turnEnd';
import type { Estimate } from '../../contextWindow/truncate';
import { readSessionLog } from '../../sessions/readSessionLog';
import type { SessionListing } from '../../sessions/sessionList';
import { accountOf } from '../session/derive';
import { SessionCosts } from '../session/sessionCosts';
import type { Services } from '../services';
import type { CurrentSession } from '../session/currentSession';

/** The state of a session. `interrupted`: a crash or the end of its window ended its turn. */
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

/** State, cost and window of a session for a list, equal to the numbers in the pages. */
export interface SessionFigures {
  readonly state: SessionState;
  /** "$0.02", "no charge (offline)", or "price unknown"; absent before the first answer. */
  readonly cost?: string;
  /** Tokens of its window. */
  readonly used: { readonly tokens: number; readonly exact: boolean };
}

/** The input of the figures. */
export interface FigureFacts {
  readonly events: readonly SessionEvent[];
  readonly window: ContextWindow;
  readonly budget: Budget;
  readonly estimate: Estimate;
  /** True while the scripted model answers. */
  readonly offline: boolean;
  /** The model name in the scripted model's answers. */
  readonly demoAuthor: string;
  /** The agent's activity in this window; `open`: another window has the session. */
  readonly now: 'working' | 'waiting' | 'open' | 'nothing';
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Its time to live, ms; 0 for no limit. */
  readonly ttlMs: number;
}

/** Derives the figures of a session in a list. */
export function sessionFigures(facts: FigureFacts): SessionFigures {
  const { events, window, budget, estimate, offline, demoAuthor } = facts;
  const { used } = accountOf(window, budget, estimate).balance;
  const costs = new SessionCosts(demoAuthor).of({
    events,
    window,
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

/** The words for a state in the list; none for an idle session. */
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

/** The result of reading a log, valid while its length is the same. */
interface Read {
  readonly bytes: number;
  readonly inForce: unknown;
  readonly figures: SessionFigures;
}

/**
 * Computes the cost and the window of sessions, as the views would show them with the current
 * settings. A log that is not in memory is read once, until it grows.
 */
export class FiguresOfSessions {
  readonly #read = new Map<string, Read>();

  constructor(
    private readonly services: Pick<Services, 'access' | 'demoAuthor' | 'now'>,
    private readonly current: Pick<CurrentSession, 'atWorkOn' | 'registry'>,
  ) {}

  /** Undefined if the log cannot be read. */
  async of(listing: SessionListing): Promise<SessionFigures | undefined> {
    const { access, demoAuthor, now } = this.services;
    const { file, bytes } = listing;
    const inForce = access.settings.valid;
    const doing = this.#doing(listing);
    const { settings, budget } = inForce;
    const { ttl } = settings.sessions;
    const held = this.current.registry.inMemory(file);
    const known = held === undefined && doing === 'nothing' ? this.#read.get(file) : undefined;
    if (known?.bytes === bytes && known.inForce === inForce) {
      const isOver = ttl > 0 && now() - listing.usedAt >= ttl && known.figures.state === 'idle';
      return isOver ? { ...known.figures, state: 'expired' } : known.figures;
    }
    const source = held ?? eventsOf(file);
    if (source === undefined) return undefined;
    const { events, window } = source;
    await access.estimator.warm(textsOf(window));
    const figures = sessionFigures({
      events,
      window,
      budget,
      estimate: access.estimator.estimate,
      offline: settings.provider === 'offline',
      demoAuthor,
      now: doing,
      at: now(),
      ttlMs: ttl,
    });
    this.#read.set(file, { bytes, inForce, figures });
    return figures;
  }

  #doing({ file, openIn }: SessionListing): FigureFacts['now'] {
    if (openIn !== undefined) return 'open';
    const run = this.current.atWorkOn(file);
    if (run === undefined) return 'nothing';
    return run.questions.isWaiting ? 'waiting' : 'working';
  }
}

function eventsOf(file: string): Pick<FigureFacts, 'events' | 'window'> | undefined {
  const read = readSessionLog(file);
  return read.ok ? { events: read.events, window: fold(read.events) } : undefined;
}
