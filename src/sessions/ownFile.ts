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

/** Windows has no such flag, so check the path before opening it. */
const NO_FOLLOW = constants.O_NOFOLLOW as number | undefined;

/** Opening a pipe must not wait for a reader; a plain file ignores this flag. */
const NO_WAIT = (constants.O_NONBLOCK as number | undefined) ?? 0;

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Opens one of Plimsoll's files, such as a log or an export, for writing: `append` keeps its
 * content, `replace` empties it. Only the owner may read it: new files are created so, and wider
 * rights of an old file are narrowed. Follows no link and opens only plain files. Throws the
 * system's error, with the code `ELOOP` for a link and `EINVAL` for anything else.
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

/** Opens an existing file for reading and appending; throws like `openOwnFile`. */
export function reopenOwnFile(file: string): number {
  refuseLink(file);
  return openSync(file, constants.O_RDWR | constants.O_APPEND | NO_WAIT | (NO_FOLLOW ?? 0));
}

/** Writes one of Plimsoll's files; throws like `openOwnFile`. */
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
  const what = code === 'ELOOP' ? 'it is a link' : 'it is not a plain file';
  return Object.assign(new Error(`${file} was not written: ${what}.`), { code });
}
