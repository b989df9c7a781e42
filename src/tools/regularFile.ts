import { constants } from 'node:fs';
import { lstat, open, realpath, type FileHandle } from 'node:fs/promises';

/** Why a file was not read: it is a folder, pipe, socket or device, has moved, or is too large. */
export type NotRead = 'notRegular' | 'moved' | 'tooLarge';

/** Windows has neither flag, and no pipes or devices among its files. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file of which every link was followed already, for `use` alone. What is no regular file is
 * never opened where that could be seen before; where it was put there meanwhile, opening neither
 * waits for the other end of a pipe nor follows a link, and what was opened is looked at again.
 */
export async function withRegularFile<T>(
  realPath: string,
  use: (file: FileHandle, bytes: number) => Promise<T>,
): Promise<T | NotRead> {
  if (!(await lstat(realPath)).isFile()) return 'notRegular';
  const file = await open(realPath, FLAGS).catch((error: NodeJS.ErrnoException) => {
    // What a link and a socket answer.
    if (error.code === 'ELOOP' || error.code === 'ENXIO') return undefined;
    throw error;
  });
  if (file === undefined) return 'notRegular';
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return 'notRegular';
    // A folder above it may have become a link that leads elsewhere.
    if ((await realpath(realPath)) !== realPath) return 'moved';
    return await use(file, stats.size);
  } finally {
    await file.close();
  }
}

/** Reads a regular file whole, of at most `most` bytes; throws what the file system says. */
export async function readRegularFile(realPath: string, most: number): Promise<Buffer | NotRead> {
  return withRegularFile(realPath, (file, bytes) => readAll(file, bytes, most));
}

/** Reads an open file to its end; it may have grown, or say it is empty, as files of /proc do. */
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
