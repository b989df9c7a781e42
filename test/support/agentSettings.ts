import { costOfCharge } from '../../src/model/pricing';
import type { AgentSettings } from '../../src/agent/agentDeps';
import type { PolicySettings } from '../../src/contextWindow/passes/rungs/policyInput';
import { DEFAULT_SETTINGS } from '../../src/settings/settings';
import { policySettings } from '../../src/settings/turnSettings';

const { context, scratchpad } = DEFAULT_SETTINGS;

/** The default settings for policies. */
export const POLICY_SETTINGS: PolicySettings = policySettings(context);

/** The policy `server`. */
export const BY_SERVER: Partial<AgentSettings> = {
  policy: { ...POLICY_SETTINGS, policy: 'server' },
};

/** The API's editing if it only compacts. */
const COMPACTING = {
  clearToolUses: false,
  clearThinking: false,
  compact: true,
  keepToolUses: 3,
  keepThinkingTurns: 1,
  excludeTools: [],
} as const satisfies AgentSettings['contextEditing'];

/** The policy `server` if the API only compacts. */
export const COMPACTED_BY_SERVER = {
  ...BY_SERVER,
  contextEditing: COMPACTING,
  toolResultCapTokens: 20_000,
} as const satisfies Partial<AgentSettings>;

/** An agent's settings unless a test says otherwise: the defaults, with a smaller cap. */
export const AGENT_SETTINGS: Pick<
  AgentSettings,
  | 'toolResultCapTokens'
  | 'policy'
  | 'contextEditing'
  | 'compaction'
  | 'cacheLife'
  | 'remindAfterSteps'
  | 'salience'
  | 'caps'
  | 'costOf'
> = {
  toolResultCapTokens: 2_000,
  policy: POLICY_SETTINGS,
  contextEditing: context.server,
  compaction: context.compaction,
  cacheLife: 'auto',
  remindAfterSteps: scratchpad.remindAfterSteps,
  salience: context.salience,
  caps: {},
  costOf: costOfCharge,
};
