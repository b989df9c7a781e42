import { isUtf8 } from 'node:buffer';
import type { FileResult } from '../agent/workspace';

/** Files larger than this are not read whole; bytes. */
export const LARGEST_FILE = 10_000_000;

/** Takes bytes for UTF-8 text, or says why they are not; a byte order mark stays. */
export function decodeText(bytes: Buffer, path: string): FileResult<{ readonly text: string }> {
  if (bytes.includes(0)) return { ok: false, message: `${path} is a binary file, not text.` };
  if (!isUtf8(bytes)) return { ok: false, message: `${path} is not UTF-8 text.` };
  return { ok: true, text: bytes.toString('utf8') };
}
