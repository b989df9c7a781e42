import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** The bytes of a log, in memory or on disk. */
export type LogBytes = Pick<Buffer, 'length' | 'subarray'>;

/**
 * Opens a log for a function that reads it piece by piece, so that a long one is never in memory as a whole.
 * Throws if it cannot be read.
 */
export function withLogFile<T>(file: string, read: (bytes: LogBytes) => T): T {
  const descriptor = openSync(file, 'r');
  try {
    const { size: length } = fstatSync(descriptor);
    const subarray = (start = 0, end = length): Buffer => {
      const piece = Buffer.allocUnsafe(Math.max(0, Math.min(end, length) - start));
      for (let at = 0; at < piece.length;) {
        const count = readSync(descriptor, piece, at, piece.length - at, start + at);
        if (count === 0) throw new Error(`${file} became shorter while it was read.`);
        at += count;
      }
      return piece;
    };
    return read({ length, subarray });
  } finally {
    closeSync(descriptor);
  }
}
