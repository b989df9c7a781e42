import { promptTokens } from '../contextWindow/account/spending';
import type { Transcript } from '../sessions/transcript';
import type { RecordedCounts } from './recordedCounts';
import { replay } from './replay';
import type { Replayed } from './replayed';
import type { ReplayPorts, ReplaySettings } from './replaySettings';

/**
 * Works out what the counts of a recorded API say of every block, from the window its agent had:
 * undefined where the recording has none.
 */
export async function recordedCountsOf(
  transcript: Transcript,
  settings: ReplaySettings,
  ports: ReplayPorts,
  signal?: AbortSignal,
): Promise<RecordedCounts | 'stopped' | undefined> {
  if (!isCounted(transcript)) return undefined;
  const { estimate, warm, now, onReply } = ports;
  const told = onReply === undefined ? {} : { onReply };
  const own = { estimate, warm, now, validate: () => undefined, ...told };
  const learning = { ...settings, policy: 'recorded', counts: 'learnOnly' } as const;
  const replayed = await replay(transcript, learning, own, signal);
  return replayed === 'stopped' ? replayed : replayed.counts;
}

/** Says whether the file has counts of its API. */
export function isCounted({ entries }: Transcript): boolean {
  return entries.some(
    (entry) => entry.type === 'reply' && entry.usage !== undefined && promptTokens(entry.usage) > 0,
  );
}

/**
 * The settings under which a replay weighs what the API counted: with no pass of either agent, and
 * nothing cut, it holds exactly that at every step.
 */
export function countedSettings(
  settings: ReplaySettings,
  counts: RecordedCounts | undefined,
): ReplaySettings {
  if (counts === undefined) return settings;
  return settings.policy === 'recorded'
    ? // It is the window the counts are of.
      { ...settings, counts: 'learn' }
    : { ...settings, counts };
}

/** Replays a recording by what its API counted, as far as that is known. */
export async function replayCounted(
  transcript: Transcript,
  settings: ReplaySettings,
  ports: ReplayPorts,
  signal?: AbortSignal,
): Promise<Replayed | 'stopped'> {
  const counts = await recordedCountsOf(transcript, settings, ports, signal);
  if (counts === 'stopped') return counts;
  return replay(transcript, countedSettings(settings, counts), ports, signal);
}
