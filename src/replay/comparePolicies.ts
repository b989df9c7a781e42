import { isInWindow, type BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/window';
import type { Transcript } from '../sessions/transcript';
import { countedSettings, isCounted, recordedCountsOf, replay, type Replayed } from './replay';
import { type Measured, measuredOf, simulatedIn, unmarkedIn } from './replayReport';
import type { ReplayPolicy, ReplayPorts, ReplaySettings } from './replaySettings';

/** Something that a step needed, by its names in a replay. */
export interface Need {
  /** The step whose request needed it; one past the last step for a later need. */
  readonly step: number;
  readonly blockId: BlockId;
}

/** A session to be replayed under several policies; plain data, so that a worker can take it. */
export interface ComparisonTask {
  readonly transcript: Transcript;
  /** The model whose tokens are estimated. */
  readonly model: string;
  /** The settings differ only in the policy and its parameters. */
  readonly settings: readonly ReplaySettings[];
  readonly needs: readonly Need[];
}

/** How far a comparison is; counted in replies, of all replays together. */
export interface ComparisonProgress {
  /** Absent while it is learned what the API of a recording counted. */
  readonly policy?: ReplayPolicy;
  readonly done: number;
  readonly of: number;
}

/** What one policy came to, by the numbers of its report. */
export interface PolicyResult extends Pick<
  Measured,
  'refaults' | 'cost' | 'maxTokens' | 'overBudget'
> {
  readonly policy: ReplayPolicy;
  readonly passes: number;
  /** Summaries of its passes; without a model each is a work note. */
  readonly summaries: number;
  /** Whether each need was met: what it names was in the request in full. Undefined where no request tells. */
  readonly kept: readonly (boolean | undefined)[];
  /**
   * Requests in which the API's clearing is simulated. Refaults do not include results that it
   * cleared.
   */
  readonly cleared: number;
  /** What to know of the numbers; one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Replays a session under one policy after the other, as `plimsoll replay` does. `progressed` is
 * called whenever another hundredth is done.
 */
export async function comparePolicies(
  { transcript, settings, needs }: ComparisonTask,
  ports: Pick<ReplayPorts, 'estimate' | 'warm' | 'now'>,
  progressed: (progress: ComparisonProgress) => void,
  signal?: AbortSignal,
): Promise<readonly PolicyResult[] | 'stopped'> {
  const [first] = settings;
  if (first === undefined) return [];
  const steps = transcript.entries.filter(({ type }) => type === 'reply').length;
  const of = steps * (settings.length + (isCounted(transcript) ? 1 : 0));
  let [done, told] = [0, 0];
  const portsFor = (policy?: ReplayPolicy) => ({
    ...ports,
    validate: () => undefined,
    onReply: () => {
      done += 1;
      const percent = Math.floor((done / of) * 100);
      if (percent === told) return;
      told = percent;
      progressed({ ...(policy === undefined ? {} : { policy }), done, of });
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
    // What the API would clear of the next request is not known before it is sent.
    if (policy !== 'server') look(replayed.window, steps + 1);
    results.push(resultOf(policy, replayed, kept));
  }
  return results;
}

/** Says whether a window holds a block with nothing of it cleared, cut, summarised or taken out. */
export function isInFull(window: ContextWindow, id: BlockId): boolean {
  const block = findBlock(window, id);
  if (block === undefined || !isInWindow(block)) return false;
  // No recording has the thinking of its steps: without it a step is as it was.
  if (block.state !== 'whole' && block.state !== 'trimmed') return false;
  return block.kind !== 'step' || block.pairs.every(({ cleared }) => !cleared);
}

function resultOf(
  policy: ReplayPolicy,
  replayed: Replayed,
  kept: PolicyResult['kept'],
): PolicyResult {
  const { refaults, cost, maxTokens, overBudget, passes } = measuredOf(replayed);
  return {
    policy,
    refaults,
    cost,
    maxTokens,
    overBudget,
    passes: passes.length,
    summaries: replayed.passes.flatMap(({ summaries }) => summaries).length,
    kept,
    cleared: replayed.contextEdits?.requests ?? 0,
    notes: [...unmarkedIn(replayed, policy), ...simulatedIn(replayed)],
  };
}
