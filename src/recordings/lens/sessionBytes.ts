import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Only newer versions of Node have it. */
interface Zstd {
  readonly zstdDecompress?: (
    bytes: Buffer,
    done: (error: Error | null, bytes: Buffer) => void,
  ) => void;
}

/** Whether a session's file is compressed. */
export function isCompressed(file: string): boolean {
  return file.endsWith('.zst');
}

/** Reads the bytes of a session's file, compressed or not. */
export async function sessionBytes(file: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (!isCompressed(file)) return bytes;
  const { zstdDecompress } = zlib as Zstd;
  if (zstdDecompress === undefined) {
    throw new Error(
      `it is compressed with zstd, which Node 22.15 or later can read. This is Node ${process.versions.node}: update the editor, or decompress the file.`,
    );
  }
  return promisify(zstdDecompress)(bytes);
}
