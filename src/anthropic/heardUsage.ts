import type { Usage } from '../contextWindow/usage';

/** Tokens as an answer names them, as far as it does: compatible servers leave fields out. */
export interface HeardUsage {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
  /** Each run of the model; those that compacted are not in the numbers above. */
  readonly iterations?: readonly (HeardUsage & { readonly type: string })[] | null;
}

/** Tokens before anything was heard. */
export const NO_USAGE: Usage = {
  inputTokens: 0,
  cacheCreationTokens: 0,
  cacheReadTokens: 0,
  outputTokens: 0,
};

/** Takes in later numbers: they are cumulative, so the highest one heard holds, and null says nothing. */
export function later(usage: Usage, heard: HeardUsage | null | undefined): Usage {
  const { inputTokens, cacheCreationTokens, cacheReadTokens, outputTokens } = usage;
  return {
    inputTokens: Math.max(inputTokens, heard?.input_tokens ?? 0),
    cacheCreationTokens: Math.max(cacheCreationTokens, heard?.cache_creation_input_tokens ?? 0),
    cacheReadTokens: Math.max(cacheReadTokens, heard?.cache_read_input_tokens ?? 0),
    outputTokens: Math.max(outputTokens, heard?.output_tokens ?? 0),
  };
}

/** Adds up what the API's own compactions took; undefined when there were none. */
export function compactionUsageIn(heard: HeardUsage | null | undefined): Usage | undefined {
  const compactions = heard?.iterations?.filter(({ type }) => type === 'compaction') ?? [];
  return compactions.length === 0
    ? undefined
    : compactions.map((each) => later(NO_USAGE, each)).reduce(plus);
}

function plus(one: Usage, other: Usage): Usage {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    cacheCreationTokens: one.cacheCreationTokens + other.cacheCreationTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    outputTokens: one.outputTokens + other.outputTokens,
  };
}
