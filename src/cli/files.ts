import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { writeOwnFile } from '../sessions/ownFile';
import { errorText } from '../contextWindow/result';
import { visiblePath } from '../contextWindow/visibleText';

/** Says why a command must not write to a file: it already has content. */
export function occupied(option: string, file: string | undefined): string | undefined {
  return file !== undefined && existsSync(file) && statSync(file).size > 0
    ? `${option} ${visiblePath(file)} exists already and is not overwritten.`
    : undefined;
}

/** Resolves a path and its links. Neither the file nor the target of a link has to exist. */
export function realFile(path: string): string {
  const full = resolve(path);
  const there = quietly(() => realpathSync(full));
  if (there !== undefined) return there;
  const target = resolve(dirname(full), quietly(() => readlinkSync(full)) ?? full);
  const folder = dirname(target);
  return join(quietly(() => realpathSync(folder)) ?? folder, basename(target));
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}

/** Creates an output file that only its owner can read; says why if that fails. */
export function unwritable(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    writeOwnFile(file, '', 'append');
    return undefined;
  } catch (error) {
    return `${option} ${visiblePath(file)} cannot be written: ${whyNotWritten(error)}`;
  }
}

const NOT_READ: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check its path.',
  ENOTDIR: 'there is no such file. Check its path.',
  EISDIR: 'it is a folder. Name the files in it.',
  EACCES: 'you have no permission to read it. Change its permissions, or copy it.',
  EPERM: 'you have no permission to read it. Change its permissions, or copy it.',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read in one piece. Give a shorter recording.',
  ERR_STRING_TOO_LONG: 'it is too large to be read in one piece. Give a shorter recording.',
};

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist. Create it, or name another.',
  ENOTDIR: 'its folder does not exist. Create it, or name another.',
  EISDIR: 'it is a folder. Name a file.',
  ELOOP: 'it is a link, and links are not followed. Name the file itself.',
  EINVAL: 'it is not a regular file. Name a file.',
  ENXIO: 'it is not a regular file. Name a file.',
  EACCES: 'you have no permission to write there. Name another place.',
  EPERM: 'you have no permission to write there. Name another place.',
  EROFS: 'the file system is read-only. Name another place.',
};

/** Says why a file could not be read and what to do. Rare reasons are in the system's words. */
export function whyNotRead(error: unknown): string {
  return NOT_READ[codeOf(error)] ?? errorText(error);
}

/** Says why a file could not be written and what to do. Rare reasons are in the system's words. */
export function whyNotWritten(error: unknown): string {
  return NOT_WRITTEN[codeOf(error)] ?? errorText(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
