import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { writeOwnFile } from '../sessions/ownFile';
import { errorText } from '../contextWindow/result';

/**
 * Says why a file that a command is to write would lose what it holds; undefined when it would not.
 */
export function occupied(option: string, file: string | undefined): string | undefined {
  return file !== undefined && existsSync(file) && statSync(file).size > 0
    ? `${option} ${file} exists already and is not overwritten.`
    : undefined;
}

/**
 * Where a path leads, however it is written; neither the file nor the target of a link need exist
 * yet.
 */
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

/**
 * Creates a file that a command is to write, readable by its owner alone; says why if that fails.
 */
export function unwritable(option: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    writeOwnFile(file, '', 'append');
    return undefined;
  } catch (error) {
    return `${option} ${file} cannot be written: ${whyNotWritten(error)}`;
  }
}

const NOT_READ: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file. Check its path.',
  ENOTDIR: 'there is no such file. Check its path.',
  EISDIR: 'it is a folder. Name the files in it.',
  EACCES: 'you have no permission to read it. Change its permissions, or copy it.',
  EPERM: 'you have no permission to read it. Change its permissions, or copy it.',
  ERR_FS_FILE_TOO_LARGE: 'it is too large to be read at once. Give a shorter recording.',
  ERR_STRING_TOO_LONG: 'it is too large to be read at once. Give a shorter recording.',
};

const NOT_WRITTEN: Readonly<Record<string, string>> = {
  ENOENT: 'its folder is not there. Make it, or name another.',
  ENOTDIR: 'its folder is not there. Make it, or name another.',
  EISDIR: 'it is a folder. Name a file.',
  ELOOP: 'it is a link, and links are not followed. Name the file itself.',
  EINVAL: 'it is no plain file. Name a file.',
  ENXIO: 'it is no plain file. Name a file.',
  EACCES: 'you have no permission to write there. Name another place.',
  EPERM: 'you have no permission to write there. Name another place.',
  EROFS: 'nothing can be written there. Name another place.',
};

/** Says why a file could not be read and what to do; for a rare reason, in the system's words. */
export function whyNotRead(error: unknown): string {
  return NOT_READ[codeOf(error)] ?? errorText(error);
}

/**
 * Says why a file could not be written and what to do; for a rare reason, in the system's words.
 */
export function whyNotWritten(error: unknown): string {
  return NOT_WRITTEN[codeOf(error)] ?? errorText(error);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
