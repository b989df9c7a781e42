import type { CacheLifeChoice, SessionPauses } from '../contextWindow/account/promptCache';
import type { Budget } from '../contextWindow/budget';
import type { SessionEvent } from '../contextWindow/event';
import { LADDER, POLICIES } from '../contextWindow/passes/policies/policies';
import type { ContextEditingSettings } from '../contextWindow/passes/policies/server';
import { climb } from '../contextWindow/passes/rungs/planOf';
import type { Policy, PolicySettings } from '../contextWindow/passes/rungs/policyInput';
import { keepRecentTurns } from '../contextWindow/passes/rungs/recentTurns';
import {
  POLICY_NAMES,
  type PolicyName,
  REPLAY_ONLY_NAMES,
  type Summary,
  type SummaryJob,
} from '../contextWindow/plan';
import type { WindowRequest } from '../contextWindow/request/blockMessages';
import type { Estimate } from '../contextWindow/truncate';
import type { ContextWindow } from '../contextWindow/window';
import type { Transcript } from '../sessions/transcript';
import { clairvoyant, clairvoyantExcerpts } from './clairvoyant';
import type { RecordedCounts } from './recordedCounts';

/**
 * Policies a recording can be replayed under; `none` evicts nothing, and the others are compared
 * with it.
 */
export type ReplayPolicy = PolicyName | 'none';

/** Every policy a recording can be replayed under; under `server` the API's own editing is simulated. */
export const REPLAY_POLICIES: readonly ReplayPolicy[] = [
  ...POLICY_NAMES,
  ...REPLAY_ONLY_NAMES,
  'none',
];

/** The settings of a replay. */
export interface ReplaySettings {
  /** The id of the replay's session; default 'replay'. */
  readonly sessionId?: string;
  readonly policy: ReplayPolicy;
  readonly settings: Omit<PolicySettings, 'policy'>;
  /** The edits requested from the API under the policy `server`. */
  readonly contextEditing: ContextEditingSettings;
  readonly budget: Budget;
  /** Most tokens of one tool result that enter the window. */
  readonly toolResultCapTokens: number;
  readonly pinTaskAnchor: boolean;
  /**
   * The recorded API's counts, see `recordedCountsOf`; absent to measure only the file's content.
   * `learn`: the recorded agent's window is fitted to the counts during the replay; `learnOnly`:
   * only the counts are wanted.
   */
  readonly counts?: RecordedCounts | 'learn' | 'learnOnly';
  /** Only the events and the usage of each step are wanted: the other totals stay 0. */
  readonly usageOnly?: true;
  /** No pass at an expired prompt cache, and a cache of five minutes whatever the pauses. */
  readonly ignorePauses?: boolean;
  /** For how long requests are cached; default auto. */
  readonly cacheLife?: CacheLifeChoice;
  /** The pauses of the sessions before this one; absent for none. */
  readonly earlierPauses?: SessionPauses;
}

/** The effects that a replay needs. */
export interface ReplayPorts {
  readonly estimate: Estimate;
  /** Prepares texts for `estimate` and yields to other work, so that the replay can be stopped. */
  warm(texts: readonly string[]): Promise<void>;
  /** Says why the API would reject a request; undefined if it would accept it. */
  validate(request: WindowRequest): string | undefined;
  /** Writes a summary; without it the deterministic work note is used. */
  summarise?(window: ContextWindow, job: SummaryJob): Promise<Summary>;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Called for each replayed reply, also when a replay only learns the counts of a recording. */
  onReply?(): void;
  /** Receives each event of the replay's log. */
  onEvent?(event: SessionEvent): void;
  /**
   * Receives each request as it would have been sent, with the model that answered in the
   * recording, the step it asks for, counted from 1, and its window.
   */
  onRequest?(request: WindowRequest, model: string, step: number, window: ContextWindow): void;
}

/**
 * Plans the passes of a replay; undefined if none is ever due. `now` is the index of the next
 * request's entry.
 */
export function policyOf(
  policy: ReplayPolicy,
  transcript: Transcript,
  now: () => number,
): Policy | undefined {
  switch (policy) {
    // The recorded agent compacts where it did, not when a pass is due.
    case 'none':
    case 'recorded':
      return undefined;
    case 'ladderNoExcerpts':
      return ladderNoExcerpts;
    case 'clairvoyant':
      return clairvoyant(transcript, now);
    case 'clairvoyantExcerpts':
      return clairvoyantExcerpts(transcript, now);
    default:
      return POLICIES[policy];
  }
}

/** The ladder without excerpts, for comparison. */
const ladderNoExcerpts: Policy = (input) =>
  climb(input, 'ladderNoExcerpts', [keepRecentTurns(LADDER)]);

/** Returns whether passes show excerpts, and edit results include lines of the file. */
export function showsFiles({
  policy,
  settings,
}: Pick<ReplaySettings, 'policy' | 'settings'>): boolean {
  if (policy === 'clairvoyantExcerpts') return true;
  return policy === 'ladder' && settings.excerptShare !== undefined;
}

/** Returns whether everything enters whole: if nothing is evicted, and for `recorded`. */
export function isUncut(policy: ReplayPolicy): boolean {
  return policy === 'none' || policy === 'recorded';
}

/** The settings for planning passes; a policy that the product does not have uses the ladder's. */
export function planSettings({
  policy,
  settings,
}: Pick<ReplaySettings, 'policy' | 'settings'>): PolicySettings {
  return { ...settings, policy: POLICY_NAMES.find((name) => name === policy) ?? 'ladder' };
}
