import type { Checkpoints } from './checkpointPort';
import type { FurtherEdit } from './approvals/editsTogether';
import type { Budget } from '../contextWindow/budget';
import type { BackgroundCommands } from './backgroundCommands';

import type { Estimator, Model, TokenCounter } from './model';
import type { Profile, ProjectMemory } from './memory/projectMemory';
import type { Session } from './session';

import type { CostOf } from '../contextWindow/account/spending';
import type { QueuedPrompt, TurnCaps } from '../contextWindow/event';
import type { Standing } from './approvals/choices';
import type { ApprovalAnswer, ApprovalRequest, Tool } from './tool';
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

/** What the settings say for the next step; read again before every one. */
export interface AgentSettings {
  readonly model: string;
  readonly budget: Budget;
  /** Most tokens the model can write in one reply, whatever the budget says; absent: not known. */
  readonly mostReplyTokens?: number;
  /** What requests say of thinking and effort; absent for nothing. */
  readonly reasoning?: Reasoning;
  /** Most tokens of one tool result that enter the window. */
  readonly toolResultCapTokens: number;
  readonly policy: PolicySettings;
  /** What the API's own context editing is asked for under the policy `server`. */
  readonly contextEditing: ContextEditingSettings;
  /** Whether passes run by themselves, wait for the user's answer, or run only when asked for. */
  readonly compaction: 'auto' | 'ask' | 'off';
  readonly summary: SummarySettings;
  /** The agent is reminded of its scratchpad once that is older than this many steps; 0 for never. */
  readonly remindAfterSteps: number;
  /** Above this many tokens a summary is written ahead, in the background; absent: never. */
  readonly prepareTokens?: number;
  /** Whether a model is asked, at pass time, how much each block matters. */
  readonly salience: 'computed' | 'model';
  /** Price of a cached token as a share of an uncached one; prices what a pass costs. */
  readonly cacheRead: number;
  /** Where a turn stops and asks. */
  readonly caps: TurnCaps;
  /** Says what an answer cost; undefined where the price is not known. */
  readonly costOf: CostOf;
}

/** What the user wants told at the next step. */
export interface SaidMeanwhile {
  readonly waiting: () => readonly QueuedPrompt[];
  /** Called once a text is in the log. */
  readonly told: (id: number) => void;
}

/** Who writes summaries, and with what. */
export interface SummarySettings {
  /** A model, the deterministic work note, or nobody. */
  readonly writer: 'model' | 'workNote' | 'off';
  /** Model that writes them. */
  readonly model: string;
  /** What the user wants of every summary; absent or '' for nothing. */
  readonly instructions?: string;
}

/** Everything a turn needs from outside. */
export interface AgentDeps {
  readonly session: Session;
  readonly model: Model;
  readonly counter: TokenCounter;
  readonly estimator: Estimator;
  readonly workspace: Workspace;
  readonly projectMemory: ProjectMemory;
  /** Absent where nothing is kept to be put back. */
  readonly checkpoints?: Checkpoints;
  /** Absent where the user has turned it off. */
  readonly profile?: Profile;
  /** Absent where no command can run in the background. */
  readonly background?: BackgroundCommands;
  readonly tools: readonly Tool[];
  settings(): AgentSettings;
  /** What the user says while the agent works; absent where nobody can. */
  readonly saidMeanwhile?: SaidMeanwhile;
  /** What the user's rules say, before they are asked; absent where there are no rules. */
  readonly standing?: (use: ToolUse, request: ApprovalRequest) => Promise<Standing>;
  /** Asks the user; settles with a no when the signal aborts. */
  approve(
    use: ToolUse,
    request: ApprovalRequest,
    signal: AbortSignal,
    /** Edits of the same reply that may be answered along with this one. */
    further?: readonly FurtherEdit[],
  ): Promise<ApprovalAnswer>;
  /** Shows the user a pass before it applies; absent where nobody can be asked. */
  readonly reviewPass?: ReviewPass;
  /** `process.platform` of the machine that runs commands. */
  readonly platform: string;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The estimator as the core takes it. */
export function estimateOf({ estimator }: Pick<AgentDeps, 'estimator'>): Estimate {
  return estimator.estimate;
}

/** The facts known now that a pass is planned from. */
export function factsNow(
  deps: Pick<AgentDeps, 'session' | 'estimator'>,
  { budget, policy: settings }: Pick<AgentSettings, 'budget' | 'policy'>,
): PolicyFacts {
  const { window } = deps.session;
  return policyFacts({ window, budget, settings, estimate: estimateOf(deps) });
}

/** A pass as it would apply: what is decided, and the summaries written for it. */
export interface ProposedPass {
  readonly plan: Plan;
  readonly summaries: readonly Summary[];
}

/** The user's answer to a pass. */
export type PassReview =
  | {
      readonly type: 'apply';
      /** Blocks to leave alone: the pass is planned again around them. */
      readonly spared: readonly BlockId[];
      /** Summaries as the user edited them, by id; those not named stay as they are. */
      readonly summaries: Readonly<Record<string, string>>;
    }
  | { readonly type: 'postpone' };

/** Asks the user about a pass; settles with `postpone` when the signal aborts. */
export type ReviewPass = (proposed: ProposedPass, signal: AbortSignal) => Promise<PassReview>;
