import type { Estimator } from '../../agent/model';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { unrecordedTokens } from '../../contextWindow/account/recordedSize';
import { tokenText } from '../../contextWindow/amount';
import { replayCounted, type Replayed } from '../../replay/replay';
import type { Transcript } from '../../sessions/transcript';
import { digestOf } from './readInWorker';
import { replaySettings, type RecordingSettings } from './recordingSettings';

/**
 * Replays a recording as Plimsoll would have managed it, in a window of the size that its API
 * counted, including tokens missing from the file.
 */
export async function replayRecording(
  transcript: Transcript,
  sessionId: string,
  { inForce, policy }: RecordingSettings,
  estimator: Pick<Estimator, 'estimate' | 'warm'>,
  signal: AbortSignal,
): Promise<{ readonly replayed: Replayed } | 'stopped'> {
  const settings = { ...replaySettings(transcript, inForce, policy), sessionId };
  const ports = {
    estimate: estimator.estimate,
    warm: async (texts: readonly string[]) => {
      await estimator.warm(texts);
      // A replay must not block the editor.
      await nextTurn();
    },
    validate: () => undefined,
    now: () => performance.now(),
  };
  const replayed = await replayCounted(transcript, settings, ports, signal);
  return replayed === 'stopped' ? replayed : { replayed };
}

/**
 * Names a replay. The panel stores the user's work under this name across a reload, while numbers
 * start again: so another file must have another name, and the name must not contain the file's
 * path.
 */
export function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${digestOf(file).slice(0, 12)}`;
}

/**
 * Estimates of another API's tokens may be this far off: a smaller share does not count as missing.
 */
const DOUBT_SHARE = 0.1;

/** Says what a recording lacks of its agent's requests; undefined if it seems complete. */
export function recordingLacks(
  { system, tools }: Pick<Transcript, 'system' | 'tools'>,
  { events, window }: Pick<Replayed, 'events' | 'window'>,
): string | undefined {
  const missing = [
    ...(system === '' ? ['system prompt'] : []),
    ...(tools.length === 0 ? ['tools'] : []),
  ];
  const first = events.find((event) => event.type === 'recordedCounted');
  if (first === undefined) {
    if (missing.length === 0) return undefined;
    return `The file has no ${missing.join(' and no ')}: the window of its agent was fuller than this one, and the file does not say by how much.`;
  }
  const { tokens: counted, sizes } = first;
  const beyond = sizes.find(({ part }) => part === 'unrecorded')?.unrecorded ?? 0;
  const own = 'not in the file; the bar shows them hatched.';
  if (beyond > counted * DOUBT_SHARE) {
    const such = missing.length === 0 ? '' : ` (${missing.join(', ')})`;
    return `≈ ${tokenText(beyond)} tokens of the first request${such}, and later thinking, are ${own}`;
  }
  const { recorded } = window;
  const all = unrecordedTokens(window);
  if (all <= (recorded?.tokens ?? 0) * DOUBT_SHARE) return undefined;
  return `≈ ${tokenText(all)} tokens of the window, such as thinking, are ${own}`;
}
