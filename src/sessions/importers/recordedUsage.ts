import type { Usage } from '../../contextWindow/usage';

/** Reads usage fields that a recording may lack; undefined when all of them are missing or zero. */
export function recordedUsage(fields: {
  readonly input: unknown;
  readonly cacheCreation: unknown;
  readonly cacheRead: unknown;
  readonly output: unknown;
}): Usage | undefined {
  const usage = {
    inputTokens: amount(fields.input),
    cacheCreationTokens: amount(fields.cacheCreation),
    cacheReadTokens: amount(fields.cacheRead),
    outputTokens: amount(fields.output),
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : undefined;
}

/** Does the same where the recorded input includes what was read from and written to the cache. */
export function usageOfWholeInput(fields: Parameters<typeof recordedUsage>[0]): Usage | undefined {
  const cached = amount(fields.cacheCreation) + amount(fields.cacheRead);
  return recordedUsage({ ...fields, input: Math.max(0, amount(fields.input) - cached) });
}

/** Does the same where the input includes the cache with some models and not with others. */
export function usageOfUnclearInput(
  fields: Parameters<typeof recordedUsage>[0],
): Usage | undefined {
  const cached = amount(fields.cacheCreation) + amount(fields.cacheRead);
  return amount(fields.input) < cached ? recordedUsage(fields) : usageOfWholeInput(fields);
}

function amount(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}
