/** Tokens as the Messages API reports them for one response. */
export interface Usage {
  /** The uncached rest of the prompt, not all of it. */
  readonly inputTokens: number;
  readonly cacheCreationTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** The part of `outputTokens` that is thinking; absent where there was none, or nobody says. */
  readonly thinkingTokens?: number;
}

/** Adds up what occupied the window on the way in: uncached, written and read. */
export function promptTokens(usage: Usage): number {
  return usage.inputTokens + usage.cacheCreationTokens + usage.cacheReadTokens;
}

/**
 * Tokens of the next request by tier; tools, system prompt, memory and scratchpad belong to the
 * system tier.
 */
export interface TierTokens {
  readonly system: number;
  readonly working: number;
  readonly archive: number;
  /** What summaries take of the archive; absent where there is none, and in older logs. */
  readonly summary?: number;
  /** False where any of it is an estimate. */
  readonly exact: boolean;
}
