import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  link,
  mkdir,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'it exists already, or a part of its path is a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENAMETOOLONG: 'its name is too long',
};

/** Says in a few words why the file system refused something. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}

/** Replaces an existing file in one rename, so that nobody ever sees half of it; keeps its mode. */
export async function replaceText(file: string, text: string): Promise<void> {
  await access(file, constants.W_OK);
  const { mode } = await stat(file);
  await throughTemporary(file, text, async (temporary) => {
    await chmod(temporary, mode & 0o7777);
    await rename(temporary, file);
  });
}

/** Who may read what is made: anybody, as the system has it, or the user alone. */
const MODES = {
  asUsual: { file: 0o666, folder: 0o777 },
  forUserAlone: { file: 0o600, folder: 0o700 },
} as const;

/** Makes a file that is not there yet, with its folders; throws EEXIST when it is. */
export async function createText(
  file: string,
  text: string,
  readable: keyof typeof MODES = 'asUsual',
): Promise<void> {
  const modes = MODES[readable];
  await mkdir(dirname(file), { recursive: true, mode: modes.folder });
  const make = (temporary: string): Promise<void> =>
    link(temporary, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Not every file system knows hard links.
      return copyFile(temporary, file, constants.COPYFILE_EXCL);
    });
  await throughTemporary(file, text, make, modes.file);
}

/** Gives a file another path, with its folders; throws EEXIST when something is there already. */
export async function moveWhole(file: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await link(file, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    // Not every file system knows hard links, and another one may be mounted there.
    return copyFile(file, to, constants.COPYFILE_EXCL);
  });
  await rm(file);
}

async function throughTemporary(
  file: string,
  text: string,
  finish: (temporary: string) => Promise<void>,
  mode: number = MODES.asUsual.file,
): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file).slice(0, 100)}.${randomUUID()}.tmp`);
  try {
    await writeFile(temporary, text, { flag: 'wx', mode });
    await finish(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}
