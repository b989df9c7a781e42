import type { NewEvent } from '../event';
import type { Pass, Plan } from '../plan';
import type { ContextWindow } from '../window';
import type { Usage } from './spending';

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

/** The user's choice; `auto` decides by the pauses of the session. */
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
function paysForHour({ requests, pauses, longPauses, rewritten }: CacheHistory): boolean {
  const saved = pauses * (CACHE_WRITE - CACHE_READ);
  const cost = (1 + longPauses + rewritten) * (HOUR_WRITE - CACHE_WRITE);
  return saved > cost && pauses * REQUESTS_A_PAUSE >= requests;
}

/** The event that changes for how long requests are cached; undefined if it stays as it is. */
export function cacheLifeSet(
  { cache, cacheLife = '5m' }: Pick<ContextWindow, 'cache' | 'cacheLife'>,
  choice: CacheLifeChoice,
  now: number,
): Extract<NewEvent, { readonly type: 'cacheLifeSet' }> | undefined {
  const history = afterReply(cache, now);
  const { requests, pauses, longPauses } = history;
  const automatic = paysForHour(history) ? 'mixed' : '5m';
  const life = choice === 'auto' ? automatic : choice;
  if (life === cacheLife) return undefined;
  return { type: 'cacheLifeSet', life, choice, pauses, longPauses, requests };
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
  /** Model, tools or system prompt changed since, so nothing of the last request can be read. */
  readonly isChanged?: true;
}

/** The history after one more reply. */
export function afterReply(
  before: CacheHistory | undefined,
  at: number,
  { cacheReadTokens = 0, cacheCreation1hTokens = 0 }: Partial<Usage> = {},
): CacheHistory {
  const { requests, pauses, longPauses, hourSaved, rewritten } = before ?? NO_HISTORY;
  const idle = before === undefined ? 0 : idleMs(before, at);
  const isLong = idle > CACHE_HOUR_MS;
  const isPause = idle > CACHE_TTL_MS && !isLong;
  const saved = isPause ? cacheReadTokens * (CACHE_WRITE - CACHE_READ) : 0;
  return {
    usedAt: at,
    requests: requests + 1,
    pauses: pauses + (isPause ? 1 : 0),
    longPauses: longPauses + (isLong ? 1 : 0),
    rewritten,
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

/** Says whether the next request must write again what the last one left in the 5-minute cache. */
export function isCold(history: CacheHistory | undefined, now: number): boolean {
  if (history === undefined) return false;
  return history.isChanged === true || idleMs(history, now) > CACHE_TTL_MS;
}

/** What a pass before the next request knows of an expired cache. */
export interface ColdCache {
  /** Tokens of the last request that the cache has kept: its prefix, if it was written for an hour. */
  readonly warmTokens: number;
  /** How many requests are expected to follow: as many as an average turn of the session has. */
  readonly requestsToCome: number;
}

/**
 * What a pass at an expired cache saves, in prices of an uncached input token:
 *
 *     freed x (write + requests to come x read) - warm x (write - read) - summaries
 *
 * What the pass removes is not written again, and not read by the requests to come. What the cache
 * has kept and the pass rewrites (warm) is written instead of read. A summary costs what it covers,
 * and what the model writes.
 */
export function savedByColdPass(
  { before, estimatedAfter, decisions, summaries }: Plan,
  { warmTokens, requestsToCome }: ColdCache,
): number {
  const freed = before.tokens - estimatedAfter;
  const ofBlocks = decisions.reduce((sum, one) => sum + one.before.tokens, 0);
  const first = decisions.findIndex(({ action }) => action !== 'keep');
  const untouched = decisions
    .slice(0, first === -1 ? decisions.length : first)
    .reduce((sum, one) => sum + one.before.tokens, Math.max(0, before.tokens - ofBlocks));
  const rewritten = Math.max(0, warmTokens - untouched);
  const written = summaries
    .filter(({ ready }) => ready === undefined)
    .reduce((sum, job) => sum + job.tokensBefore + job.maxTokens * WRITTEN_TOKEN, 0);
  const saved = freed * (CACHE_WRITE + requestsToCome * CACHE_READ);
  return saved - rewritten * (CACHE_WRITE - CACHE_READ) - written;
}
