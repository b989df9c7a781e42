import { setImmediate as nextTurn } from 'node:timers/promises';
import { recordedChargesOf, type Transcript } from '../sessions/transcript';
import { isCompacted, lossesOf } from './losses/findLosses';
import type { RecordedLoss } from './losses/recordedLoss';
import { type Counting, reportOfSession, type SessionReport } from './inspectSession';
import { requestsInRecording } from './measures/cacheRewrites';
import { replayAsRecorded, type Replayed } from './replay';
import type { ReplaySettings } from './replaySettings';

/** A recording to inspect. */
export interface InspectedRecording {
  readonly transcript: Transcript;
  /** Only their budget matters: the recorded agent's own compactions are repeated. */
  readonly settings: ReplaySettings;
  /** The step whose request is shown; undefined for the window after the last one. */
  readonly step: number | undefined;
}

/**
 * Reports on another agent's recording as that agent ran it: its own compactions, and its server's
 * counts; undefined if it has no such step. `onReply` is called for each of its replies.
 */
export async function reportOfRecording(
  { transcript, settings, step }: InspectedRecording,
  counting: Counting,
  { signal, onReply }: { readonly signal?: AbortSignal; onReply?(): void } = {},
): Promise<SessionReport | 'stopped' | undefined> {
  const replayed = await asItRan(transcript, settings, counting, signal, onReply);
  if (replayed === 'stopped') return replayed;
  const log = {
    events: replayed.events,
    charges: transcript.entries.flatMap((entry) =>
      entry.type === 'reply' ? recordedChargesOf(entry) : [],
    ),
    served: requestsInRecording(transcript),
    losses: await lossesOf(transcript, replayed, portsOf(counting)),
    budget: settings.budget,
    step,
  };
  return reportOfSession(log, counting);
}

/** What the compactions of a recording lost; nothing is replayed for one without any. */
export async function lossesOfRecording(
  { transcript, settings }: Omit<InspectedRecording, 'step'>,
  counting: Counting,
  signal?: AbortSignal,
): Promise<readonly RecordedLoss[] | 'stopped'> {
  if (!isCompacted(transcript)) return [];
  const replayed = await asItRan(transcript, settings, counting, signal);
  return replayed === 'stopped' ? replayed : lossesOf(transcript, replayed, portsOf(counting));
}

function asItRan(
  transcript: Transcript,
  settings: ReplaySettings,
  counting: Counting,
  signal?: AbortSignal,
  onReply?: () => void,
): Promise<Replayed | 'stopped'> {
  const own = { ...settings, pinTaskAnchor: false, usageOnly: true } as const;
  const ports = {
    ...portsOf(counting),
    validate: () => undefined,
    now: () => performance.now(),
    ...(onReply === undefined ? {} : { onReply }),
  };
  return replayAsRecorded(transcript, own, ports, signal);
}

function portsOf(counting: Counting): Counting {
  return {
    estimate: counting.estimate,
    warm: async (texts) => {
      await counting.warm(texts);
      // Without this, a replay would notice no abort.
      await nextTurn();
    },
  };
}
