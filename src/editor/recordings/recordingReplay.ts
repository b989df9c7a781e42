import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimator } from '../../agent/model';
import { unrecordedTokens } from '../../contextWindow/account/recordedSize';
import { tokenText } from '../../contextWindow/amount';
import type { SessionEvent } from '../../contextWindow/event';
import { isCompacted, lossesOf } from '../../replay/losses/findLosses';
import {
  countedSettings,
  isCounted,
  replay,
  replayAsRecorded,
  type Replayed,
} from '../../replay/replay';
import { missingParts } from '../../recordings/windowOrigin';
import type { Transcript } from '../../sessions/transcript';
import type { Progressed, ReplayResult, ReplayTask, ReplayWatch } from './recordingThread';

/**
 * Replays a recording as Plimsoll would have managed it, in a window of the size that its API
 * counted, including tokens missing from the file. `newEstimator` gives each replay estimates of
 * its own.
 */
export async function replayRecording(
  { transcript, settings }: ReplayTask,
  newEstimator: () => Pick<Estimator, 'estimate' | 'warm'>,
  { progressed, replayed: hand }: ReplayWatch,
  signal?: AbortSignal,
): Promise<ReplayResult | 'stopped'> {
  // The first of two replays learns the counts, and what the agent's own compactions lost.
  const isOfAgent = isCounted(transcript) || isCompacted(transcript);
  const onReply = progressOf(transcript, isOfAgent ? 2 : 1, progressed);
  const newPorts = () => {
    const own = newEstimator();
    return {
      estimate: own.estimate,
      warm: async (texts: readonly string[]) => {
        await own.warm(texts);
        // Without this, a replay would notice no abort. A thread of its own is ended instead.
        if (signal !== undefined) await nextTurn();
      },
      validate: () => undefined,
      now: () => performance.now(),
      onReply,
    };
  };
  const ports = newPorts();
  const only = { ...settings, usageOnly: true } as const;
  const ofAgent = isOfAgent ? await replayAsRecorded(transcript, only, ports, signal) : undefined;
  if (ofAgent === 'stopped') return ofAgent;
  const counts = isCounted(transcript) ? ofAgent?.counts : undefined;
  const batch = new Batch(hand);
  const watched = { ...newPorts(), onEvent: (event: SessionEvent) => batch.take(event) };
  const replayed = await replay(transcript, countedSettings(only, counts), watched, signal);
  if (replayed === 'stopped') return replayed;
  batch.end();
  const losses = ofAgent === undefined ? [] : await lossesOf(transcript, ofAgent, ports);
  const { marks, recordedUsage, recordedCharges, simulatedUsage } = replayed;
  const lacks = recordingLacks(transcript, replayed);
  return { marks, recordedUsage, recordedCharges, simulatedUsage, losses, lacks };
}

/** Each message to the editor has a price, and a long one blocks it. */
const EVENTS_AT_ONCE = 100;

/** Hands events over many at a time. */
class Batch {
  #events: SessionEvent[] = [];

  constructor(private readonly hand: ReplayWatch['replayed']) {}

  take(event: SessionEvent): void {
    if (this.#events.push(event) === EVENTS_AT_ONCE) this.end();
  }

  /** Hands over the rest. */
  end(): void {
    this.hand(this.#events);
    this.#events = [];
  }
}

/** Reports each hundredth of several replays, when called for each of their replies. */
export function progressOf(
  { entries }: Pick<Transcript, 'entries'>,
  replays: number,
  progressed: Progressed,
): () => void {
  const all = entries.filter(({ type }) => type === 'reply').length * replays;
  let done = 0;
  return () => {
    done += 1;
    const isPercent = Math.floor((done / all) * 100) > Math.floor(((done - 1) / all) * 100);
    if (isPercent) progressed(done / all);
  };
}

/**
 * Estimates of another API's tokens may be this far off: a smaller share does not count as missing.
 */
const DOUBT_SHARE = 0.1;

/** Says what a recording lacks of its agent's requests; undefined if it seems complete. */
function recordingLacks(
  held: Pick<Transcript, 'system' | 'tools'>,
  { events, window }: Pick<Replayed, 'events' | 'window'>,
): string | undefined {
  const first = events.find((event) => event.type === 'recordedCounted');
  if (first === undefined) {
    if (missingParts(held).length === 0) return undefined;
    return 'The window of its agent was fuller than this one, and the file does not say by how much.';
  }
  const { tokens: counted, sizes } = first;
  const beyond = sizes.find(({ part }) => part === 'unrecorded')?.unrecorded ?? 0;
  const own = 'not in the file; the bar shows them hatched.';
  if (beyond > counted * DOUBT_SHARE) {
    return `≈ ${tokenText(beyond)} tokens of the first request, and later thinking, are ${own}`;
  }
  const { recorded } = window;
  const all = unrecordedTokens(window);
  if (all <= (recorded?.tokens ?? 0) * DOUBT_SHARE) return undefined;
  return `≈ ${tokenText(all)} tokens of the window, such as thinking, are ${own}`;
}
