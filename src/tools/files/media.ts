import type { Media } from '../../agent/tool';
import { refused, type Result } from '../../contextWindow/result';
import { withRegularFile } from './fileOnDisk';

/**
 * The API accepts 5 MiB an image, measured in base64 ("image exceeds 5 MB maximum"). A PDF may be
 * larger, but must fit a 32 MB request with everything else. Bytes.
 */
const LARGEST_MEDIA = 3_932_160;

const EXTENSION = /\.(png|jpe?g|gif|webp|pdf)$/i;

/** Whether a path is named like an image or PDF that the model can see. */
export function isNamedLikeMedia(path: string): boolean {
  return EXTENSION.test(path);
}

/** Reads an image or PDF; undefined when the bytes do not match the name. */
export async function readMedia(
  realPath: string,
  path: string,
): Promise<Result<{ readonly media: Media; readonly bytes: number }> | undefined> {
  const read = await withRegularFile(realPath, async (file, size) => {
    const head = Buffer.alloc(16);
    await file.read(head, 0, head.length, 0);
    const kind = kindOf(head);
    if (kind === undefined) return undefined;
    if (size > LARGEST_MEDIA) {
      const hint = 'Make it smaller with run_command, if a tool for that is installed.';
      return refused(`${tooLarge(path, size)} ${hint}`);
    }
    const bytes = await file.readFile();
    const media = { ...kind, data: bytes.toString('base64') };
    return { ok: true, media, bytes: bytes.length } as const;
  });
  return typeof read === 'string' ? refused(`${path} is not a regular file.`) : read;
}

/** An image or PDF from the user; undefined when it is neither. */
export function mediaIn(
  bytes: Uint8Array,
  name: string,
): Result<{ readonly media: Media }> | undefined {
  const kind = kindOf(Buffer.from(bytes.subarray(0, 16)));
  if (kind === undefined) return undefined;
  if (bytes.length > LARGEST_MEDIA) return refused(tooLarge(name, bytes.length));
  return { ok: true, media: { ...kind, data: Buffer.from(bytes).toString('base64') } };
}

function tooLarge(name: string, bytes: number): string {
  const megabytes = (n: number) => (n / 1_000_000).toFixed(1);
  return `${name} is ${megabytes(bytes)} MB; images and PDFs over ${megabytes(LARGEST_MEDIA)} MB are not read.`;
}

/** Recognised by the first bytes: the API refuses a wrong media type. */
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
