import type { Estimator } from '../../agent/model';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { unrecordedTokens } from '../../contextWindow/account/recordedSize';
import { tokenText } from '../../contextWindow/amount';
import { refused, type Refused, type Result } from '../../contextWindow/result';
import { documentTokens, imageTokens } from '../../model/mediaTokens';
import { importTranscript } from '../../recordings/importTranscript';
import { type OwnSession, readOwnSession } from '../../recordings/plimsoll';
import { transcriptOfSession } from '../../recordings/plimsoll';
import { replayCounted, type Replayed } from '../../replay/replay';
import type { Transcript, TranscriptResult } from '../../sessions/transcript';
import { replaySettings, type RecordingSettings } from './recordingSettings';

/**
 * Reads the text of a recording, or of a Plimsoll session; skips an incomplete last line of a
 * growing file.
 */
export function recordingIn(
  text: string,
  file: string,
  growing: boolean,
): Result<{ readonly read: RecordingRead }> {
  const name = basename(file);
  const digest = digestOf(text);
  const own = readOwnSession(text, name, { growing });
  if (own?.ok === true) {
    const { own: session } = own;
    const transcript = transcriptOfSession(session);
    return { ok: true, read: { transcript, digest, own: session } };
  }
  const imported = own ?? transcriptOf(text, name, growing);
  return imported.ok
    ? { ok: true, read: { transcript: imported.transcript, digest } }
    : refused(imported.message);
}

function transcriptOf(text: string, name: string, growing: boolean): TranscriptResult {
  return importTranscript(
    text,
    'auto',
    name,
    (attachment) =>
      attachment.type === 'document'
        ? documentTokens(attachment.data)
        : imageTokens(attachment.data, attachment.mediaType),
    { growing },
  );
}

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

/** A recording that is not shown. */
export interface NotShown extends Refused {
  /**
   * The user stopped it; its file was deleted or is no recording; or it may be shown another time.
   */
  readonly cause: 'stopped' | 'lost' | 'other';
}

/** A recording as read from its file; `digest` identifies the text. */
export interface RecordingRead {
  readonly transcript: Transcript;
  readonly digest: string;
  /** Present for a Plimsoll session: then `transcript` is its conversation. */
  readonly own?: OwnSession;
}

/** Reads the whole file of a recording. */
export async function readRecording(
  file: string,
): Promise<({ readonly ok: true } & RecordingRead) | NotShown> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `${file} cannot be read (${code}). Choose another file.`;
    return { ok: false, message, cause: code === 'ENOENT' ? 'lost' : 'other' };
  }
  const found = recordingIn(text, file, false);
  return found.ok ? { ok: true, ...found.read } : { ...found, cause: 'lost' };
}

/**
 * Names a replay. The panel stores the user's work under this name across a reload, while numbers
 * start again: so another file must have another name, and the name must not contain the file's
 * path.
 */
export function sessionIdOf(file: string, number: number): string {
  return `recording-${number}-${digestOf(file).slice(0, 12)}`;
}

/** A short hash of a text, to compare it with another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
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
