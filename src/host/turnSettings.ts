import type { AgentSettings } from '../agent/agentDeps';
import { cacheReadShare } from '../counting/pricing';
import type { ValidSettings } from './windowBudget';

/** The part of the settings a step runs under. */
export function turnSettings({ settings, budget }: ValidSettings): AgentSettings {
  const { toolResultCapTokens, compaction } = settings.context;
  const { model } = settings;
  return { model, budget, toolResultCapTokens, compaction, cacheRead: cacheReadShare(model) };
}
