import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Estimator } from '../../agent/estimator';
import { documentTokens, imageTokens } from '../../counting/mediaTokens';
import { cacheReadShare } from '../../counting/pricing';
import { modelOf } from '../../replay/modelOf';
import { replay, type Replayed } from '../../replay/replay';
import { unrecordedIn, type Unrecorded } from '../../replay/unrecorded';
import { importTranscript } from '../../sessions/importers/importTranscript';
import type { Transcript, TranscriptResult } from '../../sessions/transcript';
import { turnSettings } from '../turnSettings';
import type { RecordingSettings } from './recordingSettings';

/** A recording as Plimsoll would have managed it, in a window that also holds what the file does not. */
export interface ReplayedRecording {
  readonly replayed: Replayed;
  readonly unrecorded: Unrecorded | undefined;
}

/** Reads the text of a recording; of one that grows a torn last line is left out. */
export function transcriptOf(text: string, file: string, growing: boolean): TranscriptResult {
  return importTranscript(
    text,
    'auto',
    basename(file),
    (attachment) =>
      attachment.type === 'document'
        ? documentTokens(attachment.data)
        : imageTokens(attachment.data, attachment.mediaType),
    { growing },
  );
}

/** Replays a recording. What no request could do without is weighed at its first, and put in each. */
export async function replayRecording(
  transcript: Transcript,
  sessionId: string,
  { inForce, policy }: RecordingSettings,
  estimator: Pick<Estimator, 'estimate' | 'warm'>,
  signal: AbortSignal,
): Promise<ReplayedRecording | 'stopped'> {
  const { policy: policySettings, serverEdits, toolResultCapTokens } = turnSettings(inForce);
  const { policy: _named, ...rest } = policySettings;
  const settings = {
    sessionId,
    policy,
    settings: rest,
    serverEdits,
    budget: inForce.budget,
    toolResultCapTokens,
    pinTaskAnchor: inForce.settings.context.pinTaskAnchor,
    cacheRead: cacheReadShare(modelOf(transcript) ?? ''),
  };
  const ports = {
    estimate: (text: string) => estimator.estimate(text),
    warm: async (texts: readonly string[]) => {
      await estimator.warm(texts);
      // The editor is not to wait for a replay.
      await nextTurn();
    },
    validate: () => undefined,
    now: () => performance.now(),
  };
  const unrecorded = await unrecordedIn(transcript, settings, ports, signal);
  const fixed =
    unrecorded === undefined ? {} : { unrecordedTokens: unrecorded.counted - unrecorded.held };
  const replayed = await replay(transcript, { ...settings, ...fixed }, ports, signal);
  return replayed === 'stopped' ? replayed : { replayed, unrecorded };
}

/**
 * Names a replay. The panel keeps over a reload what the user began, by this name, while the numbers
 * begin again: another file must have another one, which does not say where the file lies.
 */
export function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${digestOf(file).slice(0, 12)}`;
}

/** Stands for a text, to be held against another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
