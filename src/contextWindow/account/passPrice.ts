import { isByHand } from '../passes/passName';
import { rememberedFold } from '../persistentList';
import { PersistentMap } from '../persistentMap';
import type { PassPoint, StepPoint, Timeline } from '../timeline';
import { CACHE_HOUR_MS, CACHE_TTL_MS, CACHE_WRITE } from './promptCache';
import { type Charge, type CostOf, NO_USAGE, promptTokens, type Usage } from './spending';

/** A price, or a saving. */
export interface Money {
  /** US dollars at list price; absent if the price of a model is unknown. */
  readonly usd?: number;
  /** As many uncached input tokens cost the same, at the usual ratio of prices. */
  readonly inputTokens: number;
}

/**
 * What a pass cost, what later requests saved because of it, and when they had paid for it.
 *
 *     cost  = its requests for summaries and ratings + lost x (write - read)
 *     saved = the sum over later requests of freed x rate, less added x (write - read) once
 *
 * - `lost`: text of the last request that the pass left in the window, that was in the cache, and
 *   that the request after the pass did not read from it: min(untouched + rewritten, cached before)
 *   - cache read. Text that is new in that request would have been written without the pass, too.
 * - `freed`: tokens that the pass removed, less what it added and what was restored since.
 * - `rate`: what one of these tokens would have cost in a later request. They would have been part
 *   of the old prefix: read from the cache where the request read its old prefix, and written again
 *   where the cache had expired. Without any cache they cost what uncached tokens cost.
 * - `added`: summaries, excerpts and notes of the pass. They are not in the old prefix, so the
 *   first request writes them instead of reading them.
 *
 * A pass after the cache had expired loses nothing: the whole prefix had to be written in any case.
 * Passes before the same request share its loss in their order, each up to what it rewrites.
 */
export interface PassPrice {
  readonly number: number;
  /** No request after it has been measured, so the lost cache is an estimate. */
  readonly isEstimate: boolean;
  /** Of a replay: no request was sent, so all its numbers are estimates. */
  readonly isSimulated?: true;
  readonly summary: {
    readonly requests: number;
    /** Tokens sent for them, cached ones included. */
    readonly sentTokens: number;
    readonly receivedTokens: number;
    readonly cost: Money;
  };
  readonly cache: {
    /** Cached tokens that had to be written again. */
    readonly tokens: number;
    /** The cache had expired, so the pass lost nothing of it. */
    readonly hadExpired: boolean;
    readonly cost: Money;
  };
  /** Summary and cache together. */
  readonly cost: Money;
  /** Until it was repaid, or so far. May be negative until the first requests have saved something. */
  readonly saved: Money;
  /** The step whose request made the savings as large as the cost; absent for not yet. */
  readonly repaidSince?: number;
  readonly undone?: true;
}

/** The prices of all passes and changes by hand of a session. */
export interface PassPrices {
  /** By the number of the pass. */
  of(number: number): PassPrice | undefined;
  /** The last pass of a policy that was not undone. */
  readonly last: PassPrice | undefined;
}

/** Where prices and usage come from. */
interface PricingFacts {
  /** The cost of one answer at list price. */
  readonly costOf: CostOf;
  /** The usage of Plimsoll's own request for a step, if it is not the one in the log. */
  readonly usageOf?: (step: number) => Usage | undefined;
  /** The recorded agent's usage of a step, which says for how long its cache was written. */
  readonly recordedOf?: (step: number) => Usage | undefined;
}

/** Prices the passes of a growing timeline; the price of one more event does not depend on its length. */
export class PassPricing {
  readonly #fold: (points: Timeline['points']) => State;
  #known:
    | {
        readonly points: Timeline['points'];
        readonly next: PassesBefore;
        readonly prices: PassPrices;
      }
    | undefined;

  constructor(private readonly facts: PricingFacts) {
    this.#fold = rememberedFold(NOTHING_YET, (state: State, point: StepPoint) =>
      afterStep(state, point, this.facts),
    );
  }

  of({ points, next }: Pick<Timeline, 'points'> & { readonly next: PassesBefore }): PassPrices {
    if (this.#known?.points === points && this.#known.next === next) return this.#known.prices;
    const { state } = afterPasses(this.#fold(points), next, this.facts, undefined);
    const prices: PassPrices = {
      of: (number) => priceIn(state, number),
      last: state.last === undefined ? undefined : priceIn(state, state.last),
    };
    this.#known = { points, next, prices };
    return prices;
  }
}

/** The passes before a request, and those undone. */
type PassesBefore = Pick<StepPoint, 'passes' | 'undone'>;

/** A pass with what changes about its price. */
interface Tracked {
  readonly pass: PassPoint;
  /** Its price; `saved` is as of `since`, or final if it was repaid. */
  readonly price: PassPrice;
  /** Tokens by which it makes each request smaller now. */
  readonly freed: number;
  /** The sum of the rates when `saved` was last brought up to date. */
  readonly since: Money;
}

interface State {
  readonly passes: PersistentMap<number, Tracked>;
  /** The numbers of the passes that are neither repaid nor undone, oldest first. */
  readonly open: readonly number[];
  readonly last: number | undefined;
  /** What one more token in the old prefix of every request so far would have cost. */
  readonly rates: Money;
  /** The last request with a reported usage. */
  readonly request: SentRequest | undefined;
}

interface SentRequest {
  /** When it was answered; ms. */
  readonly at: number;
  readonly model: string;
  /** Tokens of it that the cache holds. */
  readonly cachedTokens: number;
  /** How long the cache holds them after their last use; ms. */
  readonly life: number;
}

const NO_MONEY: Money = { usd: 0, inputTokens: 0 };

const NOTHING_YET: State = {
  passes: PersistentMap.of(),
  open: [],
  last: undefined,
  rates: NO_MONEY,
  request: undefined,
};

/** A request that the API has answered with its usage. */
interface Answered {
  readonly at: number;
  readonly model: string;
  readonly usage: Usage;
}

function afterStep(before: State, point: StepPoint, facts: PricingFacts): State {
  const { step, at, model } = point;
  const usage = facts.usageOf === undefined ? point.usage : facts.usageOf(step);
  if (usage === undefined || promptTokens(usage) === 0) {
    return afterPasses(before, point, facts, undefined).state;
  }
  const { state, isCached } = afterPasses(before, point, facts, { at, model, usage });
  const cachedTokens = usage.cacheReadTokens + usage.cacheCreationTokens;
  const rate = rateOf({ model, usage }, isCached, facts);
  const life = lifeOf(facts.recordedOf?.(step) ?? usage, before.request);
  return afterRequest({ ...state, request: { at, model, cachedTokens, life } }, step, rate);
}

/** How long the cache holds a request: what it wrote says so, else what it read. */
function lifeOf(usage: Usage, former: SentRequest | undefined): number {
  const { cacheCreationTokens, cacheCreation1hTokens = 0 } = usage;
  if (cacheCreationTokens === 0) return former?.life ?? CACHE_TTL_MS;
  return 2 * cacheCreation1hTokens >= cacheCreationTokens ? CACHE_HOUR_MS : CACHE_TTL_MS;
}

/** Adds what a request saved to the passes before it. */
function afterRequest(state: State, step: number, rate: Money): State {
  const rates = plus(state.rates, rate);
  const now: State = { ...state, rates };
  const repaid = state.open.flatMap((number) => {
    const tracked = state.passes.get(number);
    const price = priceIn(now, number);
    if (tracked === undefined || price === undefined || !isAtLeast(price.saved, price.cost))
      return [];
    return [
      [number, { ...tracked, price: { ...price, repaidSince: step }, since: rates }] as const,
    ];
  });
  if (repaid.length === 0) return now;
  const numbers = new Set(repaid.map(([number]) => number));
  return {
    ...now,
    passes: state.passes.with(repaid),
    open: state.open.filter((number) => !numbers.has(number)),
  };
}

/** Prices that change with each request; the same value as long as there is none. */
const OPEN = new WeakMap<Tracked, { readonly rates: Money; readonly price: PassPrice }>();

/** The price of a pass, with its savings so far. */
function priceIn(state: State, number: number): PassPrice | undefined {
  const tracked = state.passes.get(number);
  if (tracked === undefined) return undefined;
  const { price } = tracked;
  if (price.repaidSince !== undefined || price.undone === true) return price;
  const known = OPEN.get(tracked);
  if (known?.rates === state.rates) return known.price;
  const open = { ...price, saved: savedNow(state, tracked) };
  OPEN.set(tracked, { rates: state.rates, price: open });
  return open;
}

function savedNow({ rates }: State, { price, freed, since }: Tracked): Money {
  return plus(price.saved, times(minus(rates, since), freed));
}

/** Adds the passes before a request, and undoes earlier ones; `sent` is absent until it is answered. */
function afterPasses(
  before: State,
  { passes, undone }: PassesBefore,
  facts: PricingFacts,
  sent: Answered | undefined,
): { readonly state: State; readonly isCached: boolean } {
  const isUndone = ({ number }: PassPoint) => undone.some((pass) => pass.number === number);
  const inForce = passes.filter((pass) => !isUndone(pass));
  const isCached = isStillCached(before, inForce, sent);
  const lost = lostBy(before, inForce, isCached, sent);
  let state = before;
  for (const pass of passes) {
    // Undone before the request: only its summaries cost something.
    const tokens = isUndone(pass) ? 0 : (lost[inForce.indexOf(pass)] ?? 0);
    state = withPass(state, pass, facts, { tokens, isCached, sent });
  }
  for (const { number } of undone) state = withoutPass(state, number);
  return { state, isCached };
}

/** What a pass did to the cache of the next request. */
interface Loss {
  readonly tokens: number;
  readonly isCached: boolean;
  readonly sent: Answered | undefined;
}

function withPass(
  state: State,
  pass: PassPoint,
  { costOf, usageOf }: PricingFacts,
  { tokens, isCached, sent }: Loss,
): State {
  const { number, asked, restored, cache, before, after } = pass;
  const { model = '', usage = NO_USAGE } = sent ?? { model: state.request?.model };
  const summary = {
    requests: asked.length,
    sentTokens: asked.reduce((sum, { usage: asking }) => sum + promptTokens(asking), 0),
    receivedTokens: asked.reduce((sum, { usage: asking }) => sum + asking.outputTokens, 0),
    cost: asked.reduce((sum, charge) => plus(sum, moneyOf(charge, costOf)), NO_MONEY),
  };
  const rewriting = (many: number) => costOfWriting(many, { model, usage }, costOf);
  const hadExpired = !isCached && (state.request?.cachedTokens ?? 0) > 0;
  const lost = { tokens, hadExpired, cost: rewriting(tokens) };
  const credited = restored.reduce((sum, one) => sum + one.tokens, 0);
  const freed = before.tokens - after.tokens + credited;
  const added = isCached ? times(rewriting(cache.addedTokens), -1) : NO_MONEY;
  const price: PassPrice = {
    number,
    isEstimate: sent === undefined,
    ...(usageOf === undefined ? {} : { isSimulated: true }),
    summary,
    cache: lost,
    cost: plus(summary.cost, lost.cost),
    saved: added,
  };
  const counted: State = {
    ...state,
    passes: state.passes.with([[number, { pass, price, freed, since: state.rates }]]),
    open: [...state.open, number],
    last: isByHand(pass) || pass.undone === true ? state.last : number,
  };
  return restored.reduce((so, one) => withFreed(so, one.of, -one.tokens), counted);
}

function withoutPass(state: State, number: number): State {
  const tracked = state.passes.get(number);
  if (tracked === undefined || tracked.price.undone === true) return state;
  const { pass } = tracked;
  const back = pass.restored.reduce((so, one) => withFreed(so, one.of, one.tokens), state);
  const saved =
    tracked.price.repaidSince === undefined ? savedNow(back, tracked) : tracked.price.saved;
  const price: PassPrice = { ...tracked.price, saved, undone: true };
  return {
    ...back,
    passes: back.passes.with([[number, { ...tracked, price, freed: 0, since: back.rates }]]),
    open: back.open.filter((other) => other !== number),
  };
}

/** Changes by how much a pass makes the next requests smaller. */
function withFreed(state: State, number: number, more: number): State {
  const tracked = state.passes.get(number);
  if (tracked === undefined || tracked.price.undone === true) return state;
  const isOpen = tracked.price.repaidSince === undefined;
  const saved = isOpen ? savedNow(state, tracked) : tracked.price.saved;
  const changed: Tracked = {
    ...tracked,
    price: { ...tracked.price, saved },
    freed: tracked.freed + more,
    since: state.rates,
  };
  return {
    ...state,
    passes: state.passes.with([[number, changed]]),
  };
}

/** The API caches no prefix with fewer tokens; the least for any model is 512. */
const MOST_UNCACHED_TOKENS = 4_096;

/** Says whether a request still found the old prefix in the cache, apart from what a pass changed. */
function isStillCached(
  { request }: State,
  passes: readonly PassPoint[],
  sent: Answered | undefined,
): boolean {
  if (request === undefined || request.cachedTokens === 0) return false;
  const at = sent?.at ?? passes.at(-1)?.at ?? request.at;
  const isSoon = at - request.at <= request.life;
  if (sent === undefined) return isSoon;
  const untouched = Math.min(
    request.cachedTokens,
    ...passes.map(({ cache }) => cache.untouchedTokens),
  );
  const read = sent.usage.cacheReadTokens;
  if (read === 0) return isSoon && passes.length > 0 && untouched < MOST_UNCACHED_TOKENS;
  return read >= untouched / 2 || (isSoon && passes.length > 0);
}

/** The cached tokens that each of the passes before a request lost. */
function lostBy(
  { request }: State,
  passes: readonly PassPoint[],
  isCached: boolean,
  sent: Answered | undefined,
): readonly number[] {
  const last = passes.at(-1);
  if (!isCached || request === undefined || last === undefined) return [];
  const kept = last.cache.untouchedTokens + last.cache.rewrittenTokens;
  const untouched = Math.min(...passes.map(({ cache }) => cache.untouchedTokens));
  const read = sent === undefined ? untouched : sent.usage.cacheReadTokens;
  let left = Math.max(0, Math.min(kept, request.cachedTokens) - read);
  return passes.map((pass) => {
    const lost = pass === last ? left : Math.min(left, pass.cache.rewrittenTokens);
    left -= lost;
    return lost;
  });
}

/** What one more token in the old prefix of a request would have cost. */
function rateOf({ model, usage }: Charge, isCached: boolean, { costOf }: PricingFacts): Money {
  const { cacheReadTokens, cacheCreationTokens, inputTokens } = usage;
  const withOneMore: Usage = isCached
    ? { ...usage, cacheReadTokens: cacheReadTokens + 1 }
    : cacheCreationTokens > 0
      ? { ...usage, cacheCreationTokens: cacheCreationTokens + 1 }
      : { ...usage, inputTokens: inputTokens + 1 };
  return minus(moneyOf({ model, usage: withOneMore }, costOf), moneyOf({ model, usage }, costOf));
}

/** What writing tokens to the cache costs more than reading them, in a request. */
function costOfWriting(tokens: number, { model, usage }: Charge, costOf: CostOf): Money {
  if (tokens === 0) return NO_MONEY;
  const read = { ...usage, cacheReadTokens: usage.cacheReadTokens + tokens };
  const written = { ...usage, cacheCreationTokens: usage.cacheCreationTokens + tokens };
  return minus(moneyOf({ model, usage: written }, costOf), moneyOf({ model, usage: read }, costOf));
}

/** The usual prices of tokens relative to an uncached input token. */
const USUAL = { cacheWrite: CACHE_WRITE, cacheRead: 0.1, output: 5 } as const;

function moneyOf(charge: Charge, costOf: CostOf): Money {
  const { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens } = charge.usage;
  return {
    usd: costOf(charge),
    inputTokens:
      inputTokens +
      cacheCreationTokens * USUAL.cacheWrite +
      cacheReadTokens * USUAL.cacheRead +
      outputTokens * USUAL.output,
  };
}

function plus(one: Money, other: Money): Money {
  const usd = one.usd === undefined || other.usd === undefined ? undefined : one.usd + other.usd;
  return { usd, inputTokens: one.inputTokens + other.inputTokens };
}

function minus(one: Money, other: Money): Money {
  return plus(one, times(other, -1));
}

function times({ usd, inputTokens }: Money, factor: number): Money {
  return { usd: usd === undefined ? undefined : usd * factor, inputTokens: inputTokens * factor };
}

/** A rounding error of sums is no difference. */
const SAME = 1e-9;

function isAtLeast(one: Money, other: Money): boolean {
  return one.usd !== undefined && other.usd !== undefined
    ? one.usd >= other.usd - SAME
    : one.inputTokens >= other.inputTokens - SAME;
}
