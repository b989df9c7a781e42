import { open } from 'node:fs/promises';
import type { Media } from '../agent/tool';
import type { FileResult } from '../agent/workspace';

/**
 * The API takes 5 MiB an image, measured in base64 ("image exceeds 5 MB maximum"); a PDF may be
 * larger, but a request of 32 MB must hold it along with everything else. Bytes.
 */
const LARGEST_MEDIA = 3_932_160;

const EXTENSION = /\.(png|jpe?g|gif|webp|pdf)$/i;

/** Says of a path whether it is named like an image or PDF the model can look at. */
export function isNamedLikeMedia(path: string): boolean {
  return EXTENSION.test(path);
}

/** Reads an image or PDF; undefined where the bytes are not what the name says. */
export async function readMedia(
  realPath: string,
  path: string,
): Promise<FileResult<{ readonly media: Media; readonly bytes: number }> | undefined> {
  const file = await open(realPath, 'r');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(16);
    await file.read(head, 0, head.length, 0);
    const kind = kindOf(head);
    if (kind === undefined) return undefined;
    if (size > LARGEST_MEDIA) {
      const megabytes = (n: number) => (n / 1_000_000).toFixed(1);
      return {
        ok: false,
        message:
          `${path} is ${megabytes(size)} MB; images and PDFs over ${megabytes(LARGEST_MEDIA)} MB ` +
          'are not read. Make a smaller one of it with run_command, if there is a tool for that.',
      };
    }
    const bytes = await file.readFile();
    return { ok: true, media: { ...kind, data: bytes.toString('base64') }, bytes: bytes.length };
  } finally {
    await file.close();
  }
}

/** Told by the first bytes: the API refuses a request whose media type is another one. */
function kindOf(head: Buffer): Pick<Media, 'type' | 'mediaType'> | undefined {
  const begins = (bytes: string, at = 0) =>
    head.toString('latin1', at, at + bytes.length) === bytes;
  const image = (mediaType: string) => ({ type: 'image', mediaType }) as const;
  if (begins('\x89PNG\r\n\x1a\n')) return image('image/png');
  if (begins('\xff\xd8\xff')) return image('image/jpeg');
  if (begins('GIF87a') || begins('GIF89a')) return image('image/gif');
  if (begins('RIFF') && begins('WEBP', 8)) return image('image/webp');
  return begins('%PDF-') ? { type: 'document', mediaType: 'application/pdf' } : undefined;
}
