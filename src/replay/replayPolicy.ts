import { ladderNoViews } from '../contextWindow/passes/policies/ladder';
import { POLICIES } from '../contextWindow/passes/policies/policies';
import type { Policy } from '../contextWindow/passes/rungs/policyInput';
import type { Transcript } from '../sessions/transcript';
import { clairvoyant } from './clairvoyant';
import { clairvoyantViews } from './clairvoyantViews';
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

/** Says whether files are shown at passes, and lines of them come with the answers to edits. */
export function showsFiles({
  policy,
  settings,
}: Pick<ReplaySettings, 'policy' | 'settings'>): boolean {
  if (policy === 'clairvoyantViews') return true;
  return policy === 'ladder' && settings.fileViewShare !== undefined;
}
