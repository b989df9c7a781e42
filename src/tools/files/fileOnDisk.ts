import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  copyFile,
  type FileHandle,
  link,
  lstat,
  mkdir,
  open,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Why a file was not read: it is a folder, pipe, socket or device, has moved, or is too large. */
type NotRead = 'notRegular' | 'moved' | 'tooLarge';

/** Windows has neither flag, and its file system has no pipes or devices. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file whose links were all followed already, for `use` alone. Anything but a regular file
 * is not opened. If it was swapped meanwhile, opening neither waits for a pipe nor follows a link,
 * and the opened file is checked again.
 */
export async function withRegularFile<T>(
  realPath: string,
  use: (file: FileHandle, bytes: number) => Promise<T>,
): Promise<T | NotRead> {
  if (!(await lstat(realPath)).isFile()) return 'notRegular';
  const file = await open(realPath, FLAGS).catch((error: NodeJS.ErrnoException) => {
    // The errors for a link and a socket.
    if (error.code === 'ELOOP' || error.code === 'ENXIO') return undefined;
    throw error;
  });
  if (file === undefined) return 'notRegular';
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return 'notRegular';
    // A parent folder may have become a link that leads elsewhere.
    if ((await realpath(realPath)) !== realPath) return 'moved';
    return await use(file, stats.size);
  } finally {
    await file.close();
  }
}

/** Reads a whole regular file of at most `most` bytes; throws file system errors. */
export async function readRegularFile(realPath: string, most: number): Promise<Buffer | NotRead> {
  return withRegularFile(realPath, (file, bytes) => readAll(file, bytes, most));
}

/** Reads an open file to its end; it may have grown, or report size 0 like files in /proc. */
async function readAll(file: FileHandle, size: number, most: number): Promise<Buffer | NotRead> {
  if (size > most) return 'tooLarge';
  const chunks: Buffer[] = [];
  let total = 0;
  for (let room = size + 1; ; room = 65_536) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(room), 0, room, total);
    if (bytesRead === 0) return Buffer.concat(chunks);
    total += bytesRead;
    if (total > most) return 'tooLarge';
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EEXIST: 'it already exists, or part of its path is a file',
  ENOTDIR: 'part of its path is a file, not a folder',
  ENAMETOOLONG: 'its name is too long',
};

/** Why the file system refused something, in a few words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === undefined ? undefined : REASONS[code]) ?? message;
}

/** Replaces an existing file in one rename, so that no reader sees half of it; keeps its mode. */
export async function replaceText(file: string, text: string | Uint8Array): Promise<void> {
  await access(file, constants.W_OK);
  const { mode } = await stat(file);
  await throughTemporary(file, text, async (temporary) => {
    await chmod(temporary, mode & 0o7777);
    await rename(temporary, file);
  });
}

/** Who may read the new file: everyone the system allows, or the user alone. */
const MODES = {
  asUsual: { file: 0o666, folder: 0o777 },
  forUserAlone: { file: 0o600, folder: 0o700 },
} as const;

/** Creates a file and its folders; throws EEXIST when it already exists. */
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
      // Not every file system supports hard links.
      return copyFile(temporary, file, constants.COPYFILE_EXCL);
    });
  await throughTemporary(file, text, make, modes.file);
}

/** Moves a file and creates its folders; throws EEXIST when the target exists. */
export async function moveWhole(file: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await link(file, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw error;
    // Not every file system supports hard links, and the target may be on another one.
    return copyFile(file, to, constants.COPYFILE_EXCL);
  });
  await rm(file);
}

async function throughTemporary(
  file: string,
  text: string | Uint8Array,
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
