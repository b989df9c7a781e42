import { type Charge, promptTokens, type Usage } from '../contextWindow/account/spending';

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Writing the cache for 5 minutes, the only kind Plimsoll writes; 1 hour costs `HOUR`. */
  readonly cacheWrite: number;
  readonly cacheRead: number;
}

/** A price, and the one for requests whose whole prompt exceeds a number of tokens. */
interface ListPrice extends Price {
  readonly longPrompt?: { readonly overPromptTokens: number; readonly price: Price };
}

/** Price of writing the cache for 1 hour, in prices of an uncached token. */
const HOUR = 2;

const OPUS_4_5_TO_5: ListPrice = { input: 5, output: 25, cacheWrite: 6.25, cacheRead: 0.5 };
const SONNET_4_5_AND_4_6: ListPrice = { input: 3, output: 15, cacheWrite: 3.75, cacheRead: 0.3 };

/** List prices as looked up on 2026-11-21; a model without a source has no row. */
const PRICES: ReadonlyMap<string, ListPrice> = new Map(
  Object.entries<ListPrice>({
    // docs.laozhang.ai/en/announcements/claude-fable-5-2-2026-11 (at Anthropic's list price)
    'claude-fable-5-2': { input: 8, output: 40, cacheWrite: 10, cacheRead: 0.2 },
    // platform.claude.com/docs/en/about-claude/pricing
    'claude-fable-5-1': { input: 10, output: 50, cacheWrite: 12.5, cacheRead: 0.25 },
    // platform.claude.com/docs/en/about-claude/pricing
    'claude-fable-5': { input: 10, output: 50, cacheWrite: 12.5, cacheRead: 1 },
    // platform.claude.com/docs/zh-CN/models/opus-5-5/overview
    'claude-opus-5-5': { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2 },
    // platform.claude.com/docs/models/opus-5/overview
    'claude-opus-5': OPUS_4_5_TO_5,
    // platform.claude.com/docs/en/about-claude/pricing (this row and the next three)
    'claude-opus-4-8': OPUS_4_5_TO_5,
    'claude-opus-4-7': OPUS_4_5_TO_5,
    'claude-opus-4-6': OPUS_4_5_TO_5,
    'claude-opus-4-5': OPUS_4_5_TO_5,
    // platform.claude.com/docs/pt-BR/models/sonnet-5-5/overview; cache reads halved to 0.05 of the input on
    // 2026-10-07: github.com/kurofune/claudit/releases/tag/v1.9.2
    'claude-sonnet-5-5': { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.1 },
    // platform.claude.com/docs/zh-CN/models/sonnet-5/overview
    'claude-sonnet-5': { input: 2, output: 10, cacheWrite: 2.5, cacheRead: 0.2 },
    // platform.claude.com/docs/en/docs/about-claude/pricing (this row and the next two)
    'claude-sonnet-4-6': SONNET_4_5_AND_4_6,
    'claude-sonnet-4-5': SONNET_4_5_AND_4_6,
    'claude-haiku-4-5': { input: 1, output: 5, cacheWrite: 1.25, cacheRead: 0.1 },
    // platform.claude.com/docs/es/models/haiku-5-5/overview ("from $0.10 / $0.50"; five times more above
    // 100k prompt tokens), all rates: github.com/kurofune/claudit/releases/tag/v1.9.2
    'claude-haiku-5-5': {
      input: 0.1,
      output: 0.5,
      cacheWrite: 0.125,
      cacheRead: 0.01,
      longPrompt: {
        overPromptTokens: 100_000,
        price: { input: 0.5, output: 2.5, cacheWrite: 0.625, cacheRead: 0.05 },
      },
    },
  }),
);

/**
 * Says what one response cost in US dollars at list price; never guesses.
 *
 * A dated id such as `claude-haiku-4-5-20251001` costs what its undated model costs.
 */
export function costOf(model: string, usage: Usage): { readonly usd: number } | 'unknown' {
  const listed = listedPrice(model);
  if (listed === undefined) return 'unknown';
  const { longPrompt } = listed;
  const isLong = longPrompt !== undefined && promptTokens(usage) > longPrompt.overPromptTokens;
  const price = isLong ? longPrompt.price : listed;
  const hour = Math.min(usage.cacheCreation1hTokens ?? 0, usage.cacheCreationTokens);
  const perMillion =
    usage.inputTokens * price.input +
    usage.outputTokens * price.output +
    (usage.cacheCreationTokens - hour) * price.cacheWrite +
    hour * price.input * HOUR +
    usage.cacheReadTokens * price.cacheRead;
  return { usd: perMillion / 1_000_000 };
}

/** List price of a model, US dollars per million tokens; undefined if unknown. */
export function priceOfModel(model: string): ListPrice | undefined {
  return listedPrice(model);
}

/** Usual price of a cached token as a share of an uncached one. */
const USUAL_CACHE_READ = 0.1;

/**
 * The price of a model's cached token as a share of an uncached one; the usual share for an
 * unlisted model.
 */
export function cacheReadShare(model: string): number {
  const listed = listedPrice(model);
  return listed === undefined ? USUAL_CACHE_READ : listed.cacheRead / listed.input;
}

function listedPrice(model: string): ListPrice | undefined {
  return PRICES.get(model.replace(/-\d{8}$/, ''));
}

/**
 * The cost of a reply in US dollars: as its recording says, else at list price; undefined if
 * unknown.
 */
export function costOfCharge({ model, usage, usd }: Charge): number | undefined {
  if (usd !== undefined) return usd;
  const cost = costOf(model, usage);
  return cost === 'unknown' ? undefined : cost.usd;
}
