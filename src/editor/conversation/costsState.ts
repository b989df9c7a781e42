/** What a session cost, by the numbers of the Context panel. */
export interface CostsView {
  /** Of the newest turn: "$0.0123", "no charge (offline)", or "price unknown". */
  readonly turn: string;
  /** Of the session, in the same words. */
  readonly session: string;
  /** Share of all billed input tokens that were read from the cache, 0..1; null before the first. */
  readonly cacheReadShare: number | null;
  /** What passes made the window smaller by, tokens; absent where none ran. */
  readonly saved?: { readonly passes: number; readonly tokens: number; readonly exact: boolean };
}

/** What one turn took. */
export interface UsageView {
  /** All prompts of the turn together, cached or not. */
  readonly inputTokens: number;
  /** The share of `inputTokens` that was read from the prompt cache. */
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** "$0.0123", "no charge (offline)", or "price unknown". */
  readonly cost: string;
  readonly elapsedMs: number;
}
