import { isInWindow, type BlockId } from '../contextWindow/block';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import type { Transcript } from '../sessions/transcript';
import { countedSettings, recordedCountsOf } from './countedReplay';
import type { Measured } from './measured';
import { replay } from './replay';
import type { Replayed } from './replayed';
import type { ReplayPolicy, ReplayPorts, ReplaySettings } from './replaySettings';
import { measuredOf, simulatedIn, unmarkedIn } from './report';

/** Something that a step needed, by its names in a replay. */
export interface Need {
  /** The step whose request needed it; one more than there are for what is needed after the last. */
  readonly step: number;
  readonly blockId: BlockId;
}

/** A session to be replayed under several policies; plain data, so that a worker can take it. */
export interface ComparisonTask {
  readonly transcript: Transcript;
  /** The model whose tokens are estimated. */
  readonly model: string;
  /** The same but for the policy and what is set for it. */
  readonly settings: readonly ReplaySettings[];
  readonly needs: readonly Need[];
}

/** How far a comparison is; counted in requests of all policies together. */
export interface ComparisonProgress {
  readonly policy: ReplayPolicy;
  readonly done: number;
  readonly of: number;
}

/** What one policy came to. */
export interface PolicyResult {
  readonly policy: ReplayPolicy;
  readonly measured: Measured;
  /** Summaries of its passes; without a model each is a work note. */
  readonly summaries: number;
  /** Whether each need was met: what it names was in the request in full. Undefined where no request tells. */
  readonly kept: readonly (boolean | undefined)[];
  /**
   * Requests of which the API's own clearing is simulated: what it took and was needed again is not
   * among the refaults.
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
  const own = { ...ports, validate: () => undefined };
  const counts = await recordedCountsOf(transcript, first, own, signal);
  if (counts === 'stopped') return counts;
  const steps = transcript.entries.filter(({ type }) => type === 'reply').length;
  const of = steps * settings.length;
  const results: PolicyResult[] = [];
  let told = 0;
  for (const [index, one] of settings.entries()) {
    const { policy } = one;
    const kept: (boolean | undefined)[] = needs.map(() => undefined);
    const look = (window: ContextWindow, step: number): void => {
      for (const [at, need] of needs.entries()) {
        if (need.step === step) kept[at] = isInFull(window, need.blockId);
      }
    };
    const onRequest: NonNullable<ReplayPorts['onRequest']> = (_request, _model, step, window) => {
      look(window, step);
      const done = index * steps + step;
      if (Math.floor((done / of) * 100) === told) return;
      told = Math.floor((done / of) * 100);
      progressed({ policy, done, of });
    };
    const counted = countedSettings(one, counts);
    const replayed = await replay(transcript, counted, { ...own, onRequest }, signal);
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
  return {
    policy,
    measured: measuredOf(replayed),
    summaries: replayed.passes.flatMap(({ summaries }) => summaries).length,
    kept,
    cleared: replayed.serverEdits?.requests ?? 0,
    notes: [...unmarkedIn(replayed, policy), ...simulatedIn(replayed)],
  };
}
