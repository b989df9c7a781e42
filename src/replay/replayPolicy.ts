import { ladderNoExcerpts, POLICIES } from '../contextWindow/passes/policies/policies';
import type { Policy, PolicySettings } from '../contextWindow/passes/rungs/policyInput';
import { POLICY_NAMES } from '../contextWindow/plan';
import type { Transcript } from '../sessions/transcript';
import { clairvoyant } from './clairvoyant';
import { clairvoyantExcerpts } from './clairvoyantExcerpts';
import type { ReplayPolicy, ReplaySettings } from './replaySettings';

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
