import { ladderNoViews } from '../contextWindow/passes/policies/ladder';
import { POLICIES } from '../contextWindow/passes/policies/policies';
import type { Policy } from '../contextWindow/passes/rungs/policyInput';
import type { Transcript } from '../sessions/transcript';
import { clairvoyant } from './clairvoyant';
import { clairvoyantViews } from './clairvoyantViews';
import type { ReplayPolicy } from './replaySettings';

/** Says whether a policy shows the files in work. */
export function showsFiles(policy: ReplayPolicy): boolean {
  return policy === 'ladder' || policy === 'clairvoyantViews';
}

/**
 * The policy that makes room when a pass is due; undefined where nothing is evicted then. `now` is the
 * index of the entry that the next request is for.
 */
export function policyOf(
  policy: ReplayPolicy,
  transcript: Transcript,
  now: () => number,
): Policy | undefined {
  switch (policy) {
    case 'none':
      return undefined;
    // The recorded agent makes room where it did, not when a pass is due.
    case 'recorded':
      return undefined;
    case 'ladderNoViews':
      return ladderNoViews;
    case 'clairvoyant':
      return clairvoyant(transcript, now);
    case 'clairvoyantViews':
      return clairvoyantViews(transcript, now);
    default:
      return POLICIES[policy];
  }
}
