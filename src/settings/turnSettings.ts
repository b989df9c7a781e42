import { watermarkTokens } from '../contextWindow/budget';
import type { PolicySettings } from '../contextWindow/passes/rungs/policyInput';
import { reasoningFor, type ReasoningWished } from '../contextWindow/reasoning';
import type { ContextSettings } from './settings';
import type { ValidSettings } from './windowBudget';

/** Default share of the high watermark above which the next summary is written ahead. */
const PREPARE_SHARE = 7 / 8;

/** The settings that a step uses. */
export function turnSettings({
  settings,
  budget,
  size: { maxReplyTokens: mostReplyTokens, abilities },
}: Pick<ValidSettings, 'settings' | 'budget' | 'size'>) {
  const { context, scratchpad, model, turn } = settings;
  const { toolResultCapTokens, compaction, cacheLife, salience } = context;
  const { prepareWatermark } = context;
  const prepareTokens =
    prepareWatermark === null
      ? Math.floor(budget.highTokens * PREPARE_SHARE)
      : watermarkTokens(prepareWatermark, budget.inputBudget);
  return {
    model,
    budget,
    mostReplyTokens,
    reasoning: reasoningFor(reasoningWished(settings), abilities),
    toolResultCapTokens,
    policy: policySettings(context),
    contextEditing: context.server,
    compaction,
    cacheLife,
    summary: {
      writer: context.summariser,
      model: context.summaryModel || model,
      instructions: context.summaryInstructions,
    },
    remindAfterSteps: scratchpad.remindAfterSteps,
    ...(prepareWatermark === 0 ? {} : { prepareTokens }),
    salience,
    caps: {
      ...(turn.maxSteps === 0 ? {} : { steps: turn.maxSteps }),
      ...(turn.maxTokens === 0 ? {} : { tokens: turn.maxTokens }),
      ...(turn.maxCost === 0 ? {} : { usd: turn.maxCost }),
    },
  };
}

/** The thinking and effort the user wants. */
function reasoningWished({ effort, thinking }: ValidSettings['settings']): ReasoningWished {
  return { ...thinking, effort };
}

/** The settings that a policy plans with. */
export function policySettings(context: ContextSettings): PolicySettings {
  const { policy, maxMessages, keepTurns, keepRecentTurns, maxHistoryTurns } = context;
  const { summariser, summaryTokens, excerpts, excerptShare } = context;
  return {
    policy,
    maxMessages,
    keepTurns,
    keepRecentTurns,
    maxHistoryTurns,
    summaries: summariser !== 'off',
    ...(summaryTokens === null ? {} : { summaryTokens }),
    ...(excerpts ? { excerptShare } : {}),
  };
}
