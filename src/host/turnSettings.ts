import type { AgentSettings } from '../agent/agentDeps';
import type { ValidSettings } from './windowBudget';

/** The part of the settings a step runs under. */
export function turnSettings({ settings, budget }: ValidSettings): AgentSettings {
  const { toolResultCapTokens, compaction } = settings.context;
  return { model: settings.model, budget, toolResultCapTokens, compaction };
}
