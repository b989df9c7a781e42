import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  writeSync,
} from 'node:fs';

/** Windows has no such flag; there the path is looked at before it is opened. */
const NO_FOLLOW = constants.O_NOFOLLOW as number | undefined;

/** Opening a pipe must not wait for somebody who reads it; for a plain file this does nothing. */
const NO_WAIT = (constants.O_NONBLOCK as number | undefined) ?? 0;

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Opens a file of Plimsoll's own, such as a log or an export, to be written: `append` leaves what it
 * holds, `replace` empties it. Only its owner may read it: a new file is made so, and wider rights
 * of an old one are narrowed. A link is not followed, and nothing but a plain file is opened. Throws
 * the system's error, or one with the code `ELOOP` for a link and `EINVAL` for what is no file.
 */
export function openOwnFile(file: string, how: 'append' | 'replace'): number {
  const { O_WRONLY, O_CREAT, O_APPEND } = constants;
  refuseLink(file);
  const flags = O_WRONLY | O_CREAT | NO_WAIT | (NO_FOLLOW ?? 0);
  const fd = openSync(file, how === 'append' ? flags | O_APPEND : flags, OWNER_ALONE);
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) throw failed('EINVAL', file);
    if ((stats.mode & OTHERS) !== 0 && process.platform !== 'win32') fchmodSync(fd, OWNER_ALONE);
    if (how === 'replace') ftruncateSync(fd, 0);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opens a file that is there, to be read and appended to; it throws like `openOwnFile`. */
export function reopenOwnFile(file: string): number {
  refuseLink(file);
  return openSync(file, constants.O_RDWR | constants.O_APPEND | NO_WAIT | (NO_FOLLOW ?? 0));
}

/** Writes to a file of Plimsoll's own; it throws like `openOwnFile`. */
export function writeOwnFile(
  file: string,
  content: string | Uint8Array,
  how: 'append' | 'replace',
): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const fd = openOwnFile(file, how);
  try {
    for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}

function refuseLink(file: string): void {
  if (NO_FOLLOW !== undefined) return;
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw failed('ELOOP', file);
  }
}

function failed(code: 'ELOOP' | 'EINVAL', file: string): Error {
  const what = code === 'ELOOP' ? 'it is a link' : 'it is no plain file';
  return Object.assign(new Error(`${file} is not written: ${what}.`), { code });
}
