import type { PromptSegment } from './countTokens';
import type { OfflineModel } from './models';
import { hash } from './thinkingSignature';

/** Tokens of one request that the prompt cache gave and took. */
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
 * Remembers which prompt prefixes were sent before; time comes from the given clock.
 *
 * Rules (platform.claude.com/docs/en/build-with-claude/prompt-caching): entries are written at breakpoints and found from a breakpoint at most 20
 * positions back; prefixes below the model's minimum are silently not cached; a hit renews its entry.
 */
export class PromptCache {
  readonly #entries = new Map<string, { expiresAt: number; ttl: '5m' | '1h' }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Reads the longest known prefix, writes every breakpoint, and says how many tokens each was. */
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
