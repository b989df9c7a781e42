import type { AgentSettings } from '../agent/agentDeps';

export const DEFAULT_MODEL = 'claude-sonnet-5-5';

/** Most tokens of one reply, where nothing is said. */
export const DEFAULT_MAX_REPLY_TOKENS = 4_096;

/** Size of a replayed window in tokens, where nothing is said. */
export const DEFAULT_WINDOW_TOKENS = 200_000;

/** The settings a run has no option for; tokens and fractions, as in the editor. */
export const CLI_SETTINGS = {
  safetyHeadroomTokens: 2_048,
  toolResultHeadroomTokens: 8_192,
  highWatermark: 0.8,
  lowWatermark: 0.5,
  toolResultCapTokens: 8_000,
  prepareWatermark: 0.7,
} as const;

/** How a run manages its window: the editor's defaults, nobody there to be asked. */
export const RUN_SETTINGS: Pick<
  AgentSettings,
  'policy' | 'serverEdits' | 'compaction' | 'salience'
> = {
  policy: {
    policy: 'ladder',
    maxMessages: 40,
    keepTurns: 20,
    maxHistoryTurns: 50,
    summaries: true,
  },
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
};
