import type { Budget } from '../contextWindow/budget';
import type { Estimator } from './estimator';
import type { Model, TokenCounter } from './model';
import type { Session } from './session';
import type { ApprovalAnswer, ApprovalRequest, Tool } from './tool';
import type { ToolUse } from '../contextWindow/block';
import type { Workspace } from './workspace';

/** What the settings say for the next step; read anew before every one. */
export interface AgentSettings {
  readonly model: string;
  readonly budget: Budget;
  /** Most tokens of one tool result that enter the window. */
  readonly toolResultCapTokens: number;
  /** Who writes summaries: a model, the deterministic work note, or nobody. */
  readonly compaction: 'model' | 'workNote' | 'off';
  /** Price of a cached token as a share of an uncached one; prices what a pass costs. */
  readonly cacheRead: number;
  /** The turn ends after this many steps; absent for no limit. */
  readonly maxSteps?: number;
}

/** Everything a turn needs from outside. */
export interface AgentDeps {
  readonly session: Session;
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly estimator: Estimator;
  readonly workspace: Workspace;
  readonly tools: readonly Tool[];
  settings(): AgentSettings;
  /** Asks the user; settles with a no when the signal aborts. */
  approve(use: ToolUse, request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer>;
  /** `process.platform` of the machine that runs commands. */
  readonly platform: string;
  /** Milliseconds since the epoch. */
  now(): number;
}
