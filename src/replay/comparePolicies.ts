import { isInWindow, type BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/window';
import type { Transcript } from '../sessions/transcript';
import type { Share } from './measures/grounding';
import { countedSettings, isCounted, recordedCountsOf, replay, type Replayed } from './replay';
import { type Measured, measuredOf, simulatedIn, unmarkedIn } from './replayReport';
import type { ReplayPolicy, ReplayPorts, ReplaySettings } from './replaySettings';

/** Something that a step needed, by its names in a replay. */
export interface Need {
  /** The step whose request needed it; one past the last step for a later need. */
  readonly step: number;
  readonly blockId: BlockId;
}

/** A session to replay under several policies; plain data, so that a worker can receive it. */
export interface ComparisonTask {
  readonly transcript: Transcript;
  /** The model for the token estimates. */
  readonly model: string;
  /** The settings differ only in the policy and its parameters. */
  readonly settings: readonly ReplaySettings[];
  readonly needs: readonly Need[];
}

/** The progress of a comparison, counted in replies of all replays together. */
export interface ComparisonProgress {
  /** Absent while the replay learns the counts of the recorded API. */
  readonly policy?: ReplayPolicy;
  readonly done: number;
  readonly of: number;
}

/** The result of one policy, with the numbers of its report. */
export interface PolicyResult extends Pick<
  Measured,
  'refaults' | 'cost' | 'maxTokens' | 'overBudget'
> {
  readonly policy: ReplayPolicy;
  readonly passes: number;
  /** Exact replacements of the recording whose old text was in their request. */
  readonly edits: Share;
  /** Summaries of its passes; without a model each is a work note. */
  readonly summaries: number;
  /**
   * Whether each need was met: the request had the named content in full. Undefined if no request
   * shows it.
   */
  readonly kept: readonly (boolean | undefined)[];
  /**
   * Requests in which the API's clearing is simulated. Refaults do not include results that it
   * cleared.
   */
  readonly cleared: number;
  /** Notes on the numbers, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Replays a session under one policy after the other, as `plimsoll replay` does. `newPorts` gives
 * each replay estimates of its own. Calls `progressed` after every hundredth.
 */
export async function comparePolicies(
  { transcript, settings, needs }: ComparisonTask,
  newPorts: () => Pick<ReplayPorts, 'estimate' | 'warm' | 'now'>,
  progressed: (progress: ComparisonProgress) => void,
  signal?: AbortSignal,
): Promise<readonly PolicyResult[] | 'stopped'> {
  const [first] = settings;
  if (first === undefined) return [];
  const steps = transcript.entries.filter(({ type }) => type === 'reply').length;
  const of = steps * (settings.length + (isCounted(transcript) ? 1 : 0));
  let [done, reported] = [0, 0];
  const portsFor = (policy?: ReplayPolicy) => ({
    ...newPorts(),
    validate: () => undefined,
    onReply: () => {
      done += 1;
      const percent = Math.floor((done / of) * 100);
      if (percent === reported) return;
      reported = percent;
      progressed({ policy, done, of });
    },
  });
  const counts = await recordedCountsOf(transcript, first, portsFor(), signal);
  if (counts === 'stopped') return counts;
  const results: PolicyResult[] = [];
  for (const one of settings) {
    const { policy } = one;
    const kept: (boolean | undefined)[] = needs.map(() => undefined);
    const look = (window: ContextWindow, step: number): void => {
      for (const [at, need] of needs.entries()) {
        if (need.step === step) kept[at] = isInFull(window, need.blockId);
      }
    };
    const looking: ReplayPorts = {
      ...portsFor(policy),
      onRequest: (_request, _model, step, window) => look(window, step),
    };
    const replayed = await replay(transcript, countedSettings(one, counts), looking, signal);
    if (replayed === 'stopped') return replayed;
    // Only the API's answer says what it would clear of the next request.
    if (policy !== 'server') look(replayed.window, steps + 1);
    results.push(resultOf(policy, replayed, kept));
  }
  return results;
}

/**
 * Returns whether a window has a whole block: nothing of it cleared, cut, summarised or removed.
 */
function isInFull(window: ContextWindow, id: BlockId): boolean {
  const block = findBlock(window, id);
  if (block === undefined || !isInWindow(block)) return false;
  // Recordings lack the thinking of their steps; a step without it counts as whole.
  if (block.state !== 'whole' && block.state !== 'trimmed') return false;
  return block.kind !== 'step' || block.pairs.every(({ cleared }) => !cleared);
}

function resultOf(
  policy: ReplayPolicy,
  replayed: Replayed,
  kept: PolicyResult['kept'],
): PolicyResult {
  const { refaults, cost, maxTokens, overBudget, passes, groundedEdits } = measuredOf(replayed);
  return {
    policy,
    refaults,
    cost,
    maxTokens,
    overBudget,
    passes: passes.length,
    edits: groundedEdits,
    summaries: replayed.passes.flatMap(({ summaries }) => summaries).length,
    kept,
    cleared: replayed.contextEdits?.requests ?? 0,
    notes: [...unmarkedIn(replayed, policy), ...simulatedIn(replayed)],
  };
}
