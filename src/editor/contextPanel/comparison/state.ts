import type { PolicyName } from '../../../contextWindow/plan';
import type { Result } from '../../../contextWindow/result';
import type { WhatIfSettings } from '../whatIf/state';

/** A policy that a session was replayed under. */
export type ComparedPolicyName = PolicyName;

/** How many of something. */
export interface ShareView {
  readonly visible: number;
  readonly total: number;
}

/** The result of a replay under one policy. */
export interface PolicyNumbers {
  readonly passes: number;
  /** Exact replacements whose old text was in their request. */
  readonly edits: ShareView;
  /**
   * For a recording whose agent compacted: of what was needed again after that, how much this policy
   * had in the window in full.
   */
  readonly keptOfLosses?: ShareView;
  /** Times removed content was needed again. */
  readonly neededAgain: number;
  /** It may be more: the replay ignores what the API itself clears. */
  readonly isLeast?: true;
  /** US dollars at list price, with a simulated prompt cache; null if a model has no list price. */
  readonly cost: number | null;
  /** Tokens of the largest request; an estimate. */
  readonly peakTokens: number;
  /** Requests over the input budget. */
  readonly overBudget: number;
}

/** A policy with its result, or why it was not replayed. */
export type PolicyRow = { readonly policy: ComparedPolicyName } & Result<PolicyNumbers>;

/** Content that was needed again in the session, and the policies that would have kept it. */
export interface KeptView {
  readonly step: number;
  readonly what: string;
  /** Those under whose replay it was in the window in full when it was needed. */
  readonly by: readonly ComparedPolicyName[];
  /** No replay can tell, for example of a summary, which other passes do not have. */
  readonly isUnknown?: true;
}

/** A whole session replayed under every policy. */
export interface PolicyComparison {
  /** The tried settings; their policy does not apply to any row. */
  readonly settings: WhatIfSettings;
  /** The steps that were replayed. */
  readonly steps: number;
  /** The session's newest step at that time. */
  readonly upToStep: number;
  readonly rows: readonly PolicyRow[];
  /** Content that was needed again in the session, oldest first, as in the panel. */
  readonly kept: readonly KeptView[];
  /** The result of the displayed session or replay, if no row has it. */
  readonly asShown?: {
    readonly isReplay: boolean;
    readonly passes: number;
    readonly neededAgain: number;
  };
  /** Explanations of the numbers; one sentence each. */
  readonly notes: readonly string[];
}

/** Progress of a comparison; counted in replies over all replays. */
export interface ComparisonProgressView {
  /** Absent while the API counts of a recording are being learned. */
  readonly policy?: string;
  readonly done: number;
  readonly of: number;
}
