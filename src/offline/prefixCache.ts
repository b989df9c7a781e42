import type { PromptSegment } from './countTokens';
import type { OfflineModel } from './models';
import { hash } from './rules/thinkingBinding';

/** The tokens of one request that the prompt cache read and wrote. */
export interface CacheUse {
  readonly readTokens: number;
  readonly written5mTokens: number;
  readonly written1hTokens: number;
}

const lifetimeMs = { '5m': 5 * 60_000, '1h': 60 * 60_000 };
const lookbackPositions = 20;

interface Mark {
  readonly at: number;
  readonly ttl: '5m' | '1h';
}

/**
 * Remembers the prompt prefixes of earlier requests; time comes from the given clock.
 *
 * Rules (platform.claude.com/docs/en/build-with-claude/prompt-caching): entries are written at
 * breakpoints and found from a breakpoint at most 20 positions back; prefixes below the model's
 * minimum are silently not cached; a hit renews its entry.
 */
export class PromptCache {
  readonly #entries = new Map<string, { expiresAt: number; ttl: '5m' | '1h' }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reads the longest known prefix, writes every breakpoint, and returns the tokens of each. */
  use(model: OfflineModel, segments: readonly PromptSegment[]): CacheUse {
    const hashes: string[] = [];
    const sums: number[] = [];
    const marks: Mark[] = [];
    let chain = model.id;
    let sum = 0;
    for (const [at, segment] of segments.entries()) {
      chain = hash(chain, segment.part, segment.key);
      sum += segment.tokens;
      hashes.push(chain);
      sums.push(sum);
      const cacheable = sum >= model.minCacheableTokens;
      if (segment.breakpoint !== undefined && cacheable)
        marks.push({ at, ttl: segment.breakpoint });
    }
    const tokensTo = (at: number) => sums[at] ?? 0;
    const hits = marks.map((mark) => this.#find(hashes, mark.at)).filter((at) => at !== undefined);
    const readTokens = Math.max(0, ...hits.map(tokensTo));

    const written = { '5m': 0, '1h': 0 };
    let paid = readTokens;
    for (const { at, ttl } of marks) {
      const fresh = Math.max(0, tokensTo(at) - paid);
      written[ttl] += fresh;
      paid += fresh;
      this.#renew(hashes[at] ?? '', ttl);
    }
    for (const at of hits) this.#renew(hashes[at] ?? '', undefined);
    return { readTokens, written5mTokens: written['5m'], written1hTokens: written['1h'] };
  }

  #find(hashes: readonly string[], from: number): number | undefined {
    for (let at = from; at > from - lookbackPositions && at >= 0; at -= 1) {
      const entry = this.#entries.get(hashes[at] ?? '');
      if (entry !== undefined && entry.expiresAt > this.#now()) return at;
    }
    return undefined;
  }

  #renew(key: string, ttl: '5m' | '1h' | undefined): void {
    const lifetime = ttl ?? this.#entries.get(key)?.ttl ?? '5m';
    this.#entries.set(key, { expiresAt: this.#now() + lifetimeMs[lifetime], ttl: lifetime });
  }
}

/** Why the cache could not reuse the prefix of an earlier request (CacheMissReason of SDK 1.12.0). */
export interface CacheMissReason {
  readonly type:
    | 'model_changed'
    | 'tools_changed'
    | 'system_changed'
    | 'messages_changed'
    | 'previous_message_not_found';
  readonly cache_missed_input_tokens?: number;
}

interface Fingerprint {
  readonly model: string;
  readonly tools: readonly string[];
  readonly system: readonly string[];
  readonly messages: readonly string[];
  /** Tokens up to the last breakpoint. */
  readonly cacheableTokens: number;
}

function fingerprint(model: string, segments: readonly PromptSegment[]): Fingerprint {
  const keys = (part: PromptSegment['part']) =>
    segments.filter((segment) => segment.part === part).map(({ key }) => hash(key));
  const lastMark = segments.findLastIndex(({ breakpoint }) => breakpoint !== undefined);
  return {
    model,
    tools: keys('tools'),
    system: keys('system'),
    messages: keys('messages'),
    cacheableTokens: segments.slice(0, lastMark + 1).reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

const startsWith = (whole: readonly string[], start: readonly string[]) =>
  start.every((key, at) => whole[at] === key);

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && startsWith(a, b);

/** Remembers the prefix of each answered request and explains what a later one changed. */
export class CacheDiagnosis {
  readonly #byMessageId = new Map<string, Fingerprint>();

  /** Keeps a request under the id of its answer. */
  remember(messageId: string, model: string, segments: readonly PromptSegment[]): void {
    this.#byMessageId.set(messageId, fingerprint(model, segments));
  }

  /** Names the first difference to the request answered with `previousId`; null when messages were only appended. */
  explain(
    previousId: string,
    model: string,
    segments: readonly PromptSegment[],
    readTokens: number,
  ): CacheMissReason | null {
    const before = this.#byMessageId.get(previousId);
    if (before === undefined) return { type: 'previous_message_not_found' };
    const now = fingerprint(model, segments);
    const missed = { cache_missed_input_tokens: Math.max(0, before.cacheableTokens - readTokens) };
    if (before.model !== now.model) return { type: 'model_changed', ...missed };
    if (!same(before.tools, now.tools)) return { type: 'tools_changed', ...missed };
    if (!same(before.system, now.system)) return { type: 'system_changed', ...missed };
    return startsWith(now.messages, before.messages)
      ? null
      : { type: 'messages_changed', ...missed };
  }
}
