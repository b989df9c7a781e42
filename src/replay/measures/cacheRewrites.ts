import { CACHE_HOUR_MS, CACHE_TTL_MS } from '../../contextWindow/account/promptCache';
import { type Charge, chargesOf, promptTokens } from '../../contextWindow/account/spending';
import type { SessionEvent } from '../../contextWindow/event';
import { costOfCharge } from '../../model/pricing';
import { recordedChargesOf, type Transcript } from '../../sessions/transcript';

/** Why a request wrote more than half of its window to the prompt cache. */
export const SERVED_CAUSES = [
  'first',
  'model',
  'compacted',
  'cleared',
  'preamble',
  'expired',
  'resumed',
  'grown',
  'shrunk',
  'blocks',
  'thinking',
  'nothingRead',
  'unknown',
] as const;
export type ServedCause = (typeof SERVED_CAUSES)[number];

/** A request that its server answered and counted. */
interface ServedRequest extends Charge {
  readonly step: number;
  /** When it was answered, ms since the epoch; absent if the file does not say. */
  readonly at?: number | undefined;
  /** What changed since the request before it; absent for nothing known. */
  readonly changed?: 'compacted' | 'cleared' | 'preamble' | 'thinking' | undefined;
  /** At least so many content blocks came since the request before it; absent if unknown. */
  readonly blocks?: number;
  /** Its agent was started again before it. */
  readonly resumed?: true | undefined;
}

/** A request that wrote more than half of its window to the cache. */
export interface ServedRewrite {
  readonly step: number;
  readonly cause: ServedCause;
  /** Tokens it wrote to the cache. */
  readonly tokens: number;
  /** For an expired cache: how long no request had used it; ms. */
  readonly idleMs?: number;
  /** What it was written by, to price it. */
  readonly charge: Charge;
}

/** The cache writes of a session: the rewrites and the others add up to what its server reported. */
export interface CacheWrites {
  readonly requests: number;
  readonly rewrites: readonly ServedRewrite[];
  /** Tokens that requests wrote which wrote at most half of their window. */
  readonly otherTokens: number;
}

/**
 * Finds the requests that wrote most of their window to the cache again, and why. Those that
 * `isCounted` excludes only say what came before the others.
 */
export function cacheWrites(
  all: readonly ServedRequest[],
  isCounted: (request: ServedRequest) => boolean = () => true,
): CacheWrites {
  const rewrites: ServedRewrite[] = [];
  let [requests, otherTokens] = [0, 0];
  let before: ServedRequest | undefined;
  for (const request of all) {
    const { step, usage } = request;
    const tokens = usage.cacheCreationTokens;
    if (!isCounted(request)) {
      before = request;
      continue;
    }
    requests += 1;
    if (tokens * 2 > promptTokens(usage)) {
      rewrites.push({ step, tokens, charge: request, ...causeOf(request, before) });
    } else otherTokens += tokens;
    before = request;
  }
  return { requests, rewrites, otherTokens };
}

/** From this many new blocks on, the API does not find what it cached before them. */
export const BLOCKS_SEARCHED = 20;

function causeOf(
  { model, at, changed, resumed, blocks = 0, usage }: ServedRequest,
  before: ServedRequest | undefined,
): Pick<ServedRewrite, 'cause' | 'idleMs'> {
  if (before === undefined) return { cause: 'first' };
  if (before.model !== model && before.model !== '' && model !== '') return { cause: 'model' };
  const cached = before.usage.cacheReadTokens + before.usage.cacheCreationTokens;
  // Everything that the request before it had cached was read.
  if (cached > 0 && usage.cacheReadTokens >= cached) return { cause: 'grown' };
  if (changed !== undefined && changed !== 'thinking') return { cause: changed };
  const idleMs = at === undefined || before.at === undefined ? 0 : at - before.at;
  const life = (before.usage.cacheCreation1hTokens ?? 0) > 0 ? CACHE_HOUR_MS : CACHE_TTL_MS;
  if (idleMs > life) return { cause: 'expired', idleMs };
  if (resumed === true) return { cause: 'resumed' };
  if (promptTokens(usage) < promptTokens(before.usage)) return { cause: 'shrunk' };
  if (blocks >= BLOCKS_SEARCHED) return { cause: 'blocks' };
  if (changed !== undefined) return { cause: changed };
  // Not even tools and system prompt: they changed, or the server dropped them.
  return { cause: cached > 0 && usage.cacheReadTokens === 0 ? 'nothingRead' : 'unknown' };
}

/** The rewrites of one cause. */
export interface RewrittenBy {
  readonly cause: ServedCause;
  readonly requests: number;
  readonly tokens: number;
  /** US dollars for these writes; null if a price is unknown. */
  readonly usd: number | null;
  /** For an expired cache: the shortest and the longest time without a request; ms. */
  readonly idleMs?: readonly [least: number, most: number];
}

/** The cache writes of a session, the rewrites by their causes. */
export interface WritesByCause {
  readonly requests: number;
  readonly tokens: number;
  /** The cause of most tokens first. */
  readonly rewrites: readonly RewrittenBy[];
  /** Tokens of all the other writes, each at most half of its window. */
  readonly otherTokens: number;
}

/** Adds up the rewrites by cause; of several sessions, if their writes are given together. */
export function writesByCause(all: readonly CacheWrites[]): WritesByCause {
  const found = all.flatMap(({ rewrites }) => rewrites);
  const rewrites = SERVED_CAUSES.flatMap((cause): RewrittenBy[] => {
    const own = found.filter((rewrite) => rewrite.cause === cause);
    if (own.length === 0) return [];
    const tokens = own.reduce((sum, rewrite) => sum + rewrite.tokens, 0);
    const usd = own.reduce<number | null>((sum, rewrite) => {
      const one = usdOfRewrite(rewrite);
      return sum === null || one === null ? null : sum + one;
    }, 0);
    const idle = own.flatMap(({ idleMs }) => idleMs ?? []);
    const range = [Math.min(...idle), Math.max(...idle)] as const;
    return [
      { cause, requests: own.length, tokens, usd, ...(idle.length === 0 ? {} : { idleMs: range }) },
    ];
  });
  const rewritten = rewrites.reduce((sum, { tokens }) => sum + tokens, 0);
  const otherTokens = all.reduce((sum, one) => sum + one.otherTokens, 0);
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    tokens: rewritten + otherTokens,
    rewrites: rewrites.toSorted((a, b) => b.tokens - a.tokens),
    otherTokens,
  };
}

/** US dollars at list price for what a request wrote to the cache alone; null if unknown. */
export function usdOfRewrite({ charge: { model, usage } }: Pick<ServedRewrite, 'charge'>) {
  const written = { ...usage, inputTokens: 0, cacheReadTokens: 0, outputTokens: 0 };
  return costOfCharge({ model, usage: written }) ?? null;
}

/** The requests of a recorded agent, those for summaries and empty replies included. */
export function requestsInRecording({ entries }: Pick<Transcript, 'entries'>) {
  const requests: ServedRequest[] = [];
  let step = 0;
  let changed: ServedRequest['changed'];
  let blocks = 0;
  for (const entry of entries) {
    if (entry.type === 'compacted') {
      const isCleared = entry.summary === undefined && entry.clearedToolUseIds !== undefined;
      if (changed !== 'compacted') changed = isCleared ? 'cleared' : 'compacted';
    }
    if (entry.type === 'prompt') blocks += 1;
    if (entry.type !== 'reply') continue;
    step += 1;
    changed ??= entry.changed;
    let { resumed } = entry;
    for (const charge of recordedChargesOf(entry)) {
      requests.push({ ...charge, step, at: entry.at, changed, resumed, blocks });
      changed = undefined;
      resumed = undefined;
    }
    blocks = entry.parts.length + entry.results.length;
  }
  return requests;
}

/** The requests of a Plimsoll session. */
export function requestsInLog(events: readonly SessionEvent[]): readonly ServedRequest[] {
  const requests: ServedRequest[] = [];
  let changed: ServedRequest['changed'];
  let hasPreamble = false;
  for (const event of events) {
    if (event.type === 'preambleSet') {
      if (hasPreamble) changed ??= 'preamble';
      hasPreamble = true;
    }
    if (event.type === 'passApplied') {
      const did = event.pass.decisions.filter(({ action }) => action !== 'keep');
      const isCleared = did.every(({ action }) => action === 'clear');
      if (changed !== 'compacted') changed = isCleared ? 'cleared' : 'compacted';
    }
    if (event.type !== 'replyReceived') continue;
    const [charge] = chargesOf(event);
    if (charge === undefined) continue;
    const { step, at } = event;
    requests.push({ ...charge, step, at: at === 0 ? undefined : at, changed });
    changed = undefined;
  }
  return requests;
}
