import { readFile } from 'node:fs/promises';
import type { Transcript } from '../../sessions/transcript';
import { digestOf, transcriptOf } from './recordingReplay';

/** Why a recording is not shown. */
export interface NotShown {
  readonly message: string;
  /** The user stopped it; its file is gone or is no recording; or another time it may be shown. */
  readonly why: 'stopped' | 'lost' | 'other';
}

/** A recording as its file holds it; `digest` stands for the text it was read from. */
export interface RecordingRead {
  readonly transcript: Transcript;
  readonly digest: string;
}

/** Reads the file of a recording whole. */
export async function readRecording(
  file: string,
): Promise<
  ({ readonly ok: true } & RecordingRead) | { readonly ok: false; readonly notShown: NotShown }
> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const message = `${file} cannot be read (${code}). Choose another file.`;
    return { ok: false, notShown: { message, why: code === 'ENOENT' ? 'lost' : 'other' } };
  }
  const read = transcriptOf(text, file, false);
  if (!read.ok) return { ok: false, notShown: { message: read.message, why: 'lost' } };
  return { ok: true, transcript: read.transcript, digest: digestOf(text) };
}
