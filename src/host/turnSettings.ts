import type { AgentSettings } from '../agent/agentDeps';
import type { PolicySettings } from '../contextWindow/policies/policy';
import { cacheReadShare } from '../counting/pricing';
import type { ContextSettings } from './contextSettings';
import type { ValidSettings } from './windowBudget';

/** The part of the settings a step runs under. */
export function turnSettings({ settings, budget }: ValidSettings): AgentSettings {
  const { context, model } = settings;
  const { toolResultCapTokens, compaction, salience, prepareWatermark } = context;
  return {
    model,
    budget,
    toolResultCapTokens,
    policy: policySettings(context),
    serverEdits: context.server,
    compaction,
    summary: { writer: context.summariser, model: context.summaryModel || model },
    ...(prepareWatermark === 0
      ? {}
      : { prepareTokens: Math.floor(budget.inputBudget * prepareWatermark) }),
    salience,
    cacheRead: cacheReadShare(model),
  };
}

function policySettings(context: ContextSettings): PolicySettings {
  const { policy, maxMessages, keepTurns, maxHistoryTurns, summariser, summaryTokens } = context;
  return {
    policy,
    maxMessages,
    keepTurns,
    maxHistoryTurns,
    summaries: summariser !== 'off',
    ...(summaryTokens === null ? {} : { summaryTokens }),
  };
}
