import type { Checkpoints } from './checkpointPort';
import type { FurtherEdit } from './approvals/editsTogether';
import type { Budget } from '../contextWindow/budget';
import type { BackgroundCommands } from './backgroundCommands';

import type { Estimator, Model, TokenCounter } from './model';
import type { Profile, ProjectMemory } from './memory/projectMemory';
import type { Session } from './session';

import type {
  CacheLifeChoice,
  ColdCache,
  SessionPauses,
} from '../contextWindow/account/promptCache';
import type { CostOf } from '../contextWindow/account/spending';
import type { QueuedPrompt, TurnCaps } from '../contextWindow/event';
import type { RuleAnswer } from './approvals/decide';
import type { ApprovalAnswer, ApprovalRequest, SubTask, Tool, ToolOutput } from './tool';
import type { AgentEvent } from './agentEvent';
import type { Mode } from '../contextWindow/mode';
import type { Result } from '../contextWindow/result';
import type { ToolUse, BlockId } from '../contextWindow/block';
import {
  policyFacts,
  type PolicyFacts,
  type PolicySettings,
} from '../contextWindow/passes/rungs/policyInput';
import type { Reasoning } from '../contextWindow/reasoning';
import type { Estimate } from '../contextWindow/truncate';
import type { ContextEditingSettings } from '../contextWindow/passes/policies/server';
import type { Workspace } from './workspace';
import type { Plan, Summary } from '../contextWindow/plan';

/** The settings for the next step; read again before every step. */
export interface AgentSettings {
  readonly model: string;
  readonly budget: Budget;
  /**
   * Most tokens the model can write in one reply, whatever the budget says; absent when unknown.
   */
  readonly mostReplyTokens?: number;
  /** Thinking and effort, sent with every request. */
  readonly reasoning?: Reasoning;
  /** Cap on the tokens of one tool result that enter the window. */
  readonly toolResultCapTokens: number;
  readonly policy: PolicySettings;
  /** The API's own context edits, requested under the policy `server`. */
  readonly contextEditing: ContextEditingSettings;
  /** Whether passes run automatically, after the user's approval, or only on request. */
  readonly compaction: 'auto' | 'ask' | 'off';
  /** For how long requests are cached. */
  readonly cacheLife: CacheLifeChoice;
  readonly summary: SummarySettings;
  /** Remind the agent of its scratchpad once it is older than this many steps; 0 for never. */
  readonly remindAfterSteps: number;
  /** Write a summary ahead, in the background, above this many tokens; absent for never. */
  readonly prepareTokens?: number;
  /** Whether a model rates, at pass time, how much each block matters. */
  readonly salience: 'computed' | 'model';
  /** Limits at which a turn stops and asks. */
  readonly caps: TurnCaps;
  /** The cost of a reply; undefined when the price is unknown. */
  readonly costOf: CostOf;
}

/** Messages that the user typed while the agent works, for the next step. */
interface QueuedPrompts {
  readonly waiting: () => readonly QueuedPrompt[];
  /** Call this once a message is in the log. */
  readonly added: (id: number) => void;
}

interface SummarySettings {
  /** A model, the deterministic work note, or nothing. */
  readonly writer: 'model' | 'workNote' | 'off';
  /** The model that writes summaries. */
  readonly model: string;
  /** The user's instructions for every summary. */
  readonly instructions?: string;
}

/** Runs sub-agents; the returned output is the result of the call. */
interface SubAgentRunner {
  run(
    parent: AgentDeps,
    use: ToolUse,
    task: SubTask,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, ToolOutput>;
}

export type SubAgentRole = Pick<SubTask, 'name' | 'instructions'>;

/** Everything a turn needs from outside. */
export interface AgentDeps {
  readonly session: Session;
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly estimator: Estimator;
  readonly workspace: Workspace;
  readonly projectMemory: ProjectMemory;
  /** Absent when no file versions are saved. */
  readonly checkpoints?: Checkpoints;
  /** Absent when the user turned it off. */
  readonly profile?: Profile;
  /** Absent when no command can run in the background. */
  readonly background?: BackgroundCommands;
  /** Pauses in the earlier sessions of the project; absent where no sessions are kept. */
  readonly earlierPauses?: SessionPauses;
  readonly tools: readonly Tool[];
  settings(): AgentSettings;
  /** Absent when the user cannot type during a turn. */
  readonly queuedPrompts?: QueuedPrompts;
  /** Absent for a sub-agent, which starts no other, and where none can run. */
  readonly subAgents?: SubAgentRunner;
  /** Present for a sub-agent. */
  readonly subAgent?: SubAgentRole;
  /** The mode, where it is not that of the session: a sub-agent has its parent's. */
  readonly mode?: () => Mode;
  /** The settings for another model, by its id or by a name such as `haiku`. */
  settingsOf?(model: string): Promise<Result<{ readonly settings: () => AgentSettings }>>;
  /** Checks the user's rules before asking; absent when there are no rules. */
  readonly answerByRules?: (use: ToolUse, request: ApprovalRequest) => Promise<RuleAnswer>;
  /** Asks the user; settles with a denial when the signal aborts. */
  approve(
    use: ToolUse,
    request: ApprovalRequest,
    signal: AbortSignal,
    /** Other edits of this reply that the same answer may cover. */
    further?: readonly FurtherEdit[],
  ): Promise<ApprovalAnswer>;
  /** Shows the user a pass before it applies; absent when no user can answer. */
  readonly reviewPass?: ReviewPass;
  readonly platform: string;
  now(): number;
}

/** The estimator in the form that the core takes. */
export function estimateOf({ estimator }: Pick<AgentDeps, 'estimator'>): Estimate {
  return estimator.estimate;
}

/** Gathers the facts that a pass is planned from. */
export function factsNow(
  deps: Pick<AgentDeps, 'session' | 'estimator'>,
  { budget, policy: settings }: Pick<AgentSettings, 'budget' | 'policy'>,
): PolicyFacts {
  const { window } = deps.session;
  return policyFacts({ window, budget, settings, estimate: estimateOf(deps) });
}

/** A plan with its summaries, before it applies. */
export interface ProposedPass {
  readonly plan: Plan;
  /** Those written so far; a model writes the rest once the user applies the plan. */
  readonly summaries: readonly Summary[];
  /** The blocks that the user spared: the plan keeps them. Absent for none. */
  readonly spared?: readonly BlockId[];
  /** The remaining prompt cache; absent while it is warm. */
  readonly cold?: ColdCache;
}

/** The user's answer to a proposed pass. */
export type PassReview =
  | {
      /** `apply` applies the pass as shown; `spare` shows it again, planned around spared blocks. */
      readonly type: 'apply' | 'spare';
      /** Blocks to keep in this pass. If others are shown as spared, the user is asked again. */
      readonly spared: readonly BlockId[];
      /** Summaries that the user edited, by id; the others stay as they are. */
      readonly summaries: Readonly<Record<string, string>>;
    }
  /** Applies the pass without another look, although summaries are still to be written. */
  | { readonly type: 'applyUnseen' }
  | { readonly type: 'postpone' };

/** Asks the user about a pass; settles with `postpone` when the signal aborts. */
export type ReviewPass = (proposed: ProposedPass, signal: AbortSignal) => Promise<PassReview>;
