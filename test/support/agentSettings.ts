import type { AgentSettings } from '../../src/agent/agentDeps';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';

/** The policy settings as they come, summaries on. */
export const POLICY_SETTINGS: PolicySettings = {
  policy: 'ladder',
  maxMessages: 40,
  keepTurns: 20,
  maxHistoryTurns: 50,
  summaries: true,
};

/** What an agent runs with where a test says nothing: passes by themselves, nothing written ahead. */
export const AGENT_SETTINGS: Pick<
  AgentSettings,
  'toolResultCapTokens' | 'policy' | 'serverEdits' | 'compaction' | 'salience' | 'cacheRead'
> = {
  toolResultCapTokens: 2_000,
  policy: POLICY_SETTINGS,
  serverEdits: {
    clearToolUses: true,
    clearThinking: true,
    compact: false,
    keepToolUses: 3,
    keepThinkingTurns: 1,
    excludeTools: [],
  },
  compaction: 'auto',
  salience: 'computed',
  cacheRead: 0.1,
};
