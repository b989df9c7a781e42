import type { Budget } from '../contextWindow/budget';
import { ladderNoExcerpts, POLICIES } from '../contextWindow/passes/policies/policies';
import type { ContextEditingSettings } from '../contextWindow/passes/policies/server';
import type { Policy, PolicySettings } from '../contextWindow/passes/rungs/policyInput';
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

/** What a replay runs under. */
export interface ReplaySettings {
  /** Names the session that the replay makes; 'replay' where it is absent. */
  readonly sessionId?: string;
  readonly policy: ReplayPolicy;
  readonly settings: Omit<PolicySettings, 'policy'>;
  /** What the API is asked to edit under the policy `server`. */
  readonly contextEditing: ContextEditingSettings;
  readonly budget: Budget;
  /** Most tokens of one tool result that enter the window. */
  readonly toolResultCapTokens: number;
  readonly pinTaskAnchor: boolean;
  /**
   * What the recorded API counted, see `recordedCountsOf`; absent to measure only what the file holds.
   * `learn`: the window of the recorded agent is fitted to the counts while it is replayed; `learnOnly`:
   * nothing else of that replay is wanted.
   */
  readonly counts?: RecordedCounts | 'learn' | 'learnOnly';
  /** Price of a cached token as a share of an uncached one. */
  readonly cacheRead: number;
}

/** What a replay needs from outside. */
export interface ReplayPorts {
  readonly estimate: Estimate;
  /**
   * Gets texts ready for `estimate`, and gives other work a turn, so that the replay can be
   * stopped.
   */
  warm(texts: readonly string[]): Promise<void>;
  /** Says why the API would refuse a request; undefined when it would take it. */
  validate(request: WindowRequest): string | undefined;
  /** Writes a summary; where this is absent, the deterministic work note is used. */
  summarise?(window: ContextWindow, job: SummaryJob): Promise<Summary>;
  /** Milliseconds of a clock that only goes forward. */
  now(): number;
  /** Called for each replayed reply, also when a replay only learns the counts of a recording. */
  onReply?(): void;
  /**
   * Takes each request as it would have been sent, with the model that answered in the recording, the
   * step it asks for, counted from 1, and the window it was made of.
   */
  onRequest?(request: WindowRequest, model: string, step: number, window: ContextWindow): void;
}

/**
 * What plans the passes of a replay; undefined where none is ever due. `now` is the index of the entry
 * that the next request is for.
 */
export function policyOf(
  policy: ReplayPolicy,
  transcript: Transcript,
  now: () => number,
): Policy | undefined {
  switch (policy) {
    // The recorded agent makes room where it did, not when a pass is due.
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

/** Says whether files are shown at passes, and lines of them come with the answers to edits. */
export function showsFiles({
  policy,
  settings,
}: Pick<ReplaySettings, 'policy' | 'settings'>): boolean {
  if (policy === 'clairvoyantExcerpts') return true;
  return policy === 'ladder' && settings.excerptShare !== undefined;
}

/** Says whether everything enters whole: where nothing is evicted, and for `recorded`. */
export function isUncut(policy: ReplayPolicy): boolean {
  return policy === 'none' || policy === 'recorded';
}

/** The settings that passes are planned by; a policy that the product does not have uses the ladder's. */
export function planSettings({
  policy,
  settings,
}: Pick<ReplaySettings, 'policy' | 'settings'>): PolicySettings {
  return { ...settings, policy: POLICY_NAMES.find((name) => name === policy) ?? 'ladder' };
}
