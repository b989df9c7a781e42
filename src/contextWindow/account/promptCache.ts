import type { NewEvent, SessionEvent } from '../event';
import type { Pass, Plan } from '../plan';
import { blocksInWindow, type ContextWindow, lastStable } from '../window';
import { type Measurement, weightOf } from './measure';
import { NO_USAGE, promptTokens, type Usage } from './spending';

/** How long the cache keeps a prefix after its last use, unless it was written for an hour; ms. */
export const CACHE_TTL_MS = 5 * 60_000;

/** How long the cache keeps a prefix that was written for an hour; ms. */
export const CACHE_HOUR_MS = 60 * 60_000;

/** Price of writing a token to the cache, in prices of an uncached one; the same for all models. */
export const CACHE_WRITE = 1.25;

/** Usual price of a token read from the cache, in prices of an uncached one. */
const CACHE_READ = 0.1;

/** Usual price of a token that the model writes, in prices of an uncached one. */
const WRITTEN_TOKEN = 5;

/**
 * For how long requests are cached. `mixed`: tools, system prompt, task and what the last pass left
 * for an hour, everything after it for five minutes.
 */
export const CACHE_LIVES = ['5m', 'mixed', '1h'] as const;
export type CacheLife = (typeof CACHE_LIVES)[number];

/** The user's choice; `auto` decides by the pauses of the session and of those before it. */
export const CACHE_LIFE_CHOICES = ['auto', '5m', '1h'] as const;
export type CacheLifeChoice = (typeof CACHE_LIFE_CHOICES)[number];

/**
 * One pause in so many requests, at least, makes the next one likely enough. Chosen on recorded
 * sessions.
 */
const REQUESTS_A_PAUSE = 33;

/** Price of writing a token to the cache for an hour, in prices of an uncached one. */
const HOUR_WRITE = 2;

/**
 * Says whether an hour would have paid so far: each pause that it outlasts saves a write and costs a
 * read. The first request, each one after a longer pause, and what a pass rewrites is written for an
 * hour.
 */
function paysForHour(
  { requests, pauses, longPauses, rewritten }: CacheHistory,
  earlier: SessionPauses,
): boolean {
  const share = Math.min(1, EARLIER_REQUESTS / Math.max(1, earlier.requests));
  const all = (own: number, before: number) => own + share * before;
  const outlasted = all(pauses, earlier.pauses);
  const written = all(1 + longPauses, earlier.sessions + earlier.longPauses) + rewritten;
  const saved = outlasted * (CACHE_WRITE - CACHE_READ);
  const cost = written * (HOUR_WRITE - CACHE_WRITE);
  return saved > cost && outlasted * REQUESTS_A_PAUSE >= all(requests, earlier.requests);
}

/** Pauses in the earlier sessions of a project. */
export interface SessionPauses {
  readonly sessions: number;
  readonly requests: number;
  /** As in `CacheHistory`. */
  readonly pauses: number;
  readonly longPauses: number;
}

const NO_SESSIONS: SessionPauses = { sessions: 0, requests: 0, pauses: 0, longPauses: 0 };

/**
 * Earlier sessions count like so many requests of this one, at most: what it does itself soon says
 * more. Chosen on recorded sessions, like the next one.
 */
const EARLIER_REQUESTS = 50;

/** With fewer earlier sessions no habit can be seen. */
const ENOUGH_SESSIONS = 2;

/** Adds up the pauses of sessions. */
export function pausesTogether(all: readonly Omit<SessionPauses, 'sessions'>[]): SessionPauses {
  return all.reduce<SessionPauses>(
    (sum, { requests, pauses, longPauses }) => ({
      sessions: sum.sessions + 1,
      requests: sum.requests + requests,
      pauses: sum.pauses + pauses,
      longPauses: sum.longPauses + longPauses,
    }),
    NO_SESSIONS,
  );
}

/** Says whether a time without requests outlasts the cache of five minutes, or that of an hour too. */
export function pauseOf(idle: number): 'pause' | 'longPause' | undefined {
  if (idle > CACHE_HOUR_MS) return 'longPause';
  return idle > CACHE_TTL_MS ? 'pause' : undefined;
}

/** The event that changes for how long requests are cached; undefined if it stays as it is. */
export function cacheLifeSet(
  { cache, cacheLife = '5m' }: Pick<ContextWindow, 'cache' | 'cacheLife'>,
  choice: CacheLifeChoice,
  now: number,
  before = NO_SESSIONS,
): Extract<NewEvent, { readonly type: 'cacheLifeSet' }> | undefined {
  const history = afterReply(cache, now);
  const { requests, pauses, longPauses } = history;
  // How much of the cache passes will rewrite, only this session shows.
  const isAlone = before.sessions < ENOUGH_SESSIONS || history.rewritten > 0;
  const earlier = isAlone ? NO_SESSIONS : before;
  const pays = cache?.isUncached !== true && paysForHour(history, earlier);
  const automatic = pays ? 'mixed' : '5m';
  const life = choice === 'auto' ? automatic : choice;
  if (life === cacheLife) return undefined;
  const isUsed = choice === 'auto' && earlier.sessions > 0;
  return {
    type: 'cacheLifeSet',
    life,
    choice,
    pauses,
    longPauses,
    requests,
    earlier: isUsed ? earlier : undefined,
  };
}

/** What a session's own requests say about the prompt cache. */
export interface CacheHistory {
  /** When the last request was answered; ms since the epoch, 0 if unknown. */
  readonly usedAt: number;
  readonly requests: number;
  /** Requests after a pause that outlasts the cache of 5 minutes, and not the one of 1 hour. */
  readonly pauses: number;
  /** Requests after a pause that outlasts both. */
  readonly longPauses: number;
  /** How much of the window passes at a warm cache have rewritten, in whole windows. */
  readonly rewritten: number;
  /**
   * What the cache of 1 hour has saved, in uncached input tokens: each token read after a pause
   * saves a write, and each one written for an hour costs more than for 5 minutes.
   */
  readonly hourSaved: number;
  /** Tokens of the last request that the cache holds, by its usage; 0 if it reported none. */
  readonly cachedTokens: number;
  /** The server reported the last request, and no cache. */
  readonly isUncached?: true;
  /** Model, tools or system prompt changed since, so nothing of the last request can be read. */
  readonly isChanged?: true;
}

/** The history after one more reply. */
export function afterReply(
  before: CacheHistory | undefined,
  at: number,
  usage: Usage = NO_USAGE,
): CacheHistory {
  const { requests, pauses, longPauses, hourSaved, rewritten } = before ?? NO_HISTORY;
  const { cacheReadTokens, cacheCreationTokens, cacheCreation1hTokens = 0 } = usage;
  const cachedTokens = cacheReadTokens + cacheCreationTokens;
  const idle = before === undefined ? 0 : idleMs(before, at);
  const pause = pauseOf(idle);
  const saved = pause === 'pause' ? cacheReadTokens * (CACHE_WRITE - CACHE_READ) : 0;
  return {
    usedAt: at,
    requests: requests + 1,
    pauses: pauses + (pause === 'pause' ? 1 : 0),
    longPauses: longPauses + (pause === 'longPause' ? 1 : 0),
    rewritten,
    cachedTokens,
    isUncached: cachedTokens === 0 && promptTokens(usage) > 0 ? true : undefined,
    hourSaved: hourSaved + saved - cacheCreation1hTokens * (HOUR_WRITE - CACHE_WRITE),
  };
}

const NO_HISTORY = { requests: 0, pauses: 0, longPauses: 0, hourSaved: 0, rewritten: 0 };

/** The history after a pass; one at an expired cache rewrites nothing that was cached. */
export function afterPass(
  before: CacheHistory | undefined,
  { trigger, cache, after }: Pick<Pass, 'trigger' | 'cache' | 'after'>,
): CacheHistory | undefined {
  if (before === undefined || trigger === 'coldCache') return before;
  const share = (cache.rewrittenTokens + cache.addedTokens) / Math.max(1, after.tokens);
  return { ...before, rewritten: before.rewritten + Math.min(1, share) };
}

/** The history after a change of model, tools or system prompt. */
export function afterChange(before: CacheHistory | undefined): CacheHistory | undefined {
  return before === undefined ? undefined : { ...before, isChanged: true };
}

/** Returns the time since the last request in ms; 0 if it is unknown. */
export function idleMs({ usedAt }: CacheHistory, now: number): number {
  return usedAt === 0 ? 0 : Math.max(0, now - usedAt);
}

/**
 * From when on the next request must write again what the last one left in the cache, all of it or
 * what came after a prefix that is kept for an hour; ms since the epoch, 0 if it must by now.
 * Undefined if that is unknown, or if there is no cache.
 */
export function coldFrom({
  cache,
  cacheLife,
}: Pick<ContextWindow, 'cache' | 'cacheLife'>): number | undefined {
  if (cache === undefined || cache.isUncached === true) return undefined;
  if (cache.isChanged === true) return 0;
  if (cache.usedAt === 0) return undefined;
  return cache.usedAt + (cacheLife === '1h' ? CACHE_HOUR_MS : CACHE_TTL_MS);
}

/** The remainder of a cold prompt cache. */
export interface ColdCache {
  /** Tokens of the last request that the cache still holds: a prefix written for an hour. */
  readonly warmTokens: number;
  /** How many requests are expected to follow: as many as an average turn of the session has. */
  readonly requestsToCome: number;
  /** Work notes stand in for summaries, so no model is charged for one. */
  readonly areSummariesFree?: boolean;
}

/** A window with what it weighs. */
interface Weighed {
  readonly window: ContextWindow;
  readonly measured: Measurement;
}

/** The remaining prompt cache; undefined while it is warm. */
export function coldCache({ window, measured }: Weighed, now: number): ColdCache | undefined {
  const { cache, step, turn } = window;
  const from = coldFrom(window);
  if (cache === undefined || from === undefined || now <= from) return undefined;
  const isKept = cache.isChanged !== true && idleMs(cache, now) <= CACHE_HOUR_MS;
  return {
    warmTokens: isKept ? hourTokens({ window, measured }) : 0,
    requestsToCome: Math.max(1, Math.round(step / Math.max(1, turn))),
  };
}

/** Tokens of the window that are cached for an hour. */
function hourTokens({ window, measured }: Weighed): number {
  const { cacheLife = '5m' } = window;
  if (cacheLife === '5m') return 0;
  const blocks = blocksInWindow(window);
  const end = lastStable(window);
  const tail = cacheLife === '1h' ? [] : blocks.slice(blocks.findIndex(({ id }) => id === end) + 1);
  return tail.reduce((left, { id }) => left - weightOf(measured, id).tokens, measured.used.tokens);
}

/** Events after which the next request no longer begins with the bytes of the last one. */
const CHANGES_PREFIX: ReadonlySet<SessionEvent['type']> = new Set([
  'passApplied',
  'passUndone',
  'anchorMoved',
]);

/**
 * The input of the next request as the API will charge it: what the last request left in the prompt
 * cache is read, and the rest is written.
 */
export function nextInput(weighed: Weighed, events: readonly SessionEvent[], now: number): Usage {
  const { tokens } = weighed.measured.used;
  const { cache } = weighed.window;
  if (cache?.isUncached === true) return { ...NO_USAGE, inputTokens: tokens };
  const at = events.findLastIndex(({ type }) => type === 'replyReceived');
  const isSame = !events.slice(at + 1).some(({ type }) => CHANGES_PREFIX.has(type));
  const left = coldCache(weighed, now)?.warmTokens ?? cache?.cachedTokens ?? 0;
  const read = isSame ? Math.min(tokens, left) : 0;
  return {
    ...NO_USAGE,
    cacheCreationTokens: tokens - read,
    cacheCreation1hTokens: Math.max(0, hourTokens(weighed) - read),
    cacheReadTokens: read,
  };
}

/** The tokens of a request, and of the requests for summaries before it. */
export interface RequestTokens {
  readonly read: number;
  readonly written: number;
  /** What the summaries cover, and what the model may write. */
  readonly asked: number;
  readonly answered: number;
}

/** What the next request takes at a cold cache as it is, and compacted first. */
export function costsAtColdCache(
  { before, estimatedAfter, decisions, summaries }: Plan,
  { warmTokens, areSummariesFree = false }: Pick<ColdCache, 'warmTokens' | 'areSummariesFree'>,
): { readonly whole: RequestTokens; readonly compacted: RequestTokens } {
  const ofBlocks = decisions.reduce((sum, one) => sum + one.before.tokens, 0);
  const first = decisions.findIndex(({ action }) => action !== 'keep');
  const untouched = decisions
    .slice(0, first === -1 ? decisions.length : first)
    .reduce((sum, one) => sum + one.before.tokens, Math.max(0, before.tokens - ofBlocks));
  const read = Math.min(warmTokens, untouched);
  const jobs = areSummariesFree ? [] : summaries.filter(({ ready }) => ready === undefined);
  return {
    whole: { read: warmTokens, written: before.tokens - warmTokens, asked: 0, answered: 0 },
    compacted: {
      read,
      written: estimatedAfter - read,
      asked: jobs.reduce((sum, { tokensBefore }) => sum + tokensBefore, 0),
      answered: jobs.reduce((sum, { maxTokens }) => sum + maxTokens, 0),
    },
  };
}

/**
 * What a pass at a cold cache saves, in prices of an uncached input token: the next request as it is,
 * less the compacted one with its summaries, and what later requests need not read.
 */
export function savedByColdPass(plan: Plan, cold: ColdCache): number {
  const { whole, compacted } = costsAtColdCache(plan, cold);
  const priceOf = ({ read, written, asked, answered }: RequestTokens) =>
    read * CACHE_READ + written * CACHE_WRITE + asked + answered * WRITTEN_TOKEN;
  const freed = plan.before.tokens - plan.estimatedAfter;
  return priceOf(whole) - priceOf(compacted) + freed * cold.requestsToCome * CACHE_READ;
}
