import { basename } from 'node:path';
import { errorText, refused, type Result } from '../../contextWindow/result';
import { documentTokens, imageTokens } from '../../model/mediaTokens';
import { joinCaptures } from '../../recordings/captures/joinCaptures';
import { importTranscript } from '../../recordings/importTranscript';
import { sessionBytes } from '../../recordings/lens/sessionBytes';
import { readOwnSession, transcriptOfSession } from '../../recordings/plimsoll';
import type { TranscriptResult } from '../../sessions/transcript';
import {
  digestOf,
  type NotShown,
  type ReadResult,
  type ReadTask,
  type RecordingRead,
} from './recordingThread';

/** Reads a recording in this thread. */
export async function readHere(task: ReadTask): Promise<ReadResult> {
  const { file, grown, captures = {}, capturesRead } = task;
  const text = grown ?? (await textOf(file));
  if (typeof text !== 'string') return text;
  const found = recordingIn(text, file, grown !== undefined);
  if (!found.ok) return { ...found, cause: 'lost' };
  const { read } = found;
  if (read.own !== undefined) return { ok: true, ...read };
  const joined = await joinCaptures(text, read.transcript, captures, file, capturesRead);
  return { ok: true, ...read, ...joined };
}

/** Reads the whole file of a recording. */
async function textOf(file: string): Promise<string | NotShown> {
  try {
    return (await sessionBytes(file)).toString('utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : errorText(error);
    const message = `${file} cannot be read (${code}). Choose another file.`;
    return { ok: false, message, cause: code === 'ENOENT' ? 'lost' : 'other' };
  }
}

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
