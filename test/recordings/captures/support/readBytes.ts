import { type FileHandle, open } from 'node:fs/promises';
import { onTestFinished, vi } from 'vitest';

/** Counts the bytes that are read of opened files until the test ends. */
export async function readBytes() {
  const handle = await open(import.meta.filename);
  const shared = Object.getPrototypeOf(handle) as FileHandle;
  const { read, readFile } = shared;
  await handle.close();
  let bytes = 0;
  const spies = [
    vi.spyOn(shared, 'readFile').mockImplementation(async function (this: FileHandle) {
      const all = await readFile.call(this);
      bytes += all.length;
      return all;
    } as FileHandle['readFile']),
    vi.spyOn(shared, 'read').mockImplementation(async function (
      this: FileHandle,
      ...how: Parameters<FileHandle['read']>
    ) {
      const done = await read.apply(this, how);
      bytes += done.bytesRead;
      return done;
    } as FileHandle['read']),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return {
    /** The bytes since the last call. */
    taken: () => {
      const taken = bytes;
      bytes = 0;
      return taken;
    },
  };
}
