import type { UsageView } from '../../src/protocol/agentView';
import { formatNumber } from '../ui/tokens';

/** Says what a turn has used so far, each number with its unit; nothing before the first answer. */
export function usageWords(usage: UsageView): readonly string[] {
  const { inputTokens, cacheReadTokens, outputTokens, cost } = usage;
  if (inputTokens + outputTokens === 0) return [];
  return [
    `${formatNumber(inputTokens)} tokens in`,
    ...(cacheReadTokens > 0 ? [`${formatNumber(cacheReadTokens)} of them from cache`] : []),
    `${formatNumber(outputTokens)} out`,
    cost,
  ];
}
