/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/**
 * Reads the size of a PNG, JPEG, GIF or WebP image from its first bytes; undefined where they are not
 * those of the media type named.
 */
export function imageSize(bytes: Buffer, mediaType: string): PixelSize | undefined {
  const size = READERS.get(mediaType)?.(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

type Reader = (bytes: Buffer) => PixelSize | undefined;

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['image/png', pngSize],
  ['image/jpeg', jpegSize],
  ['image/gif', gifSize],
  ['image/webp', webpSize],
]);

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';

/** PNG: the signature, then IHDR, always the first chunk (w3.org/TR/png, 11.2.1). */
function pngSize(bytes: Buffer): PixelSize | undefined {
  if (!has(bytes, 0, PNG_SIGNATURE) || !has(bytes, 12, 'IHDR') || bytes.length < 24)
    return undefined;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** GIF: the logical screen (w3.org/Graphics/GIF/spec-gif89a.txt, 18). */
function gifSize(bytes: Buffer): PixelSize | undefined {
  if (!(has(bytes, 0, 'GIF87a') || has(bytes, 0, 'GIF89a')) || bytes.length < 10) return undefined;
  return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** WebP: one of three first chunks (developers.google.com/speed/webp/docs/riff_container). */
function webpSize(bytes: Buffer): PixelSize | undefined {
  if (!has(bytes, 0, 'RIFF') || !has(bytes, 8, 'WEBP') || bytes.length < 30) return undefined;
  if (has(bytes, 12, 'VP8X')) {
    return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  }
  if (has(bytes, 12, 'VP8L')) {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (!has(bytes, 12, 'VP8 ')) return undefined;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
}

/** JPEG: the first frame header, found by walking the segments (w3.org/Graphics/JPEG/itu-t81.pdf, B.2.2). */
function jpegSize(bytes: Buffer): PixelSize | undefined {
  if (!has(bytes, 0, '\xff\xd8')) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    // Any number of fill bytes may stand before a marker.
    if (marker === 0xff) at += 1;
    else if (isFrameHeader(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15; three numbers among them are tables. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function has(bytes: Buffer, at: number, text: string): boolean {
  return bytes.subarray(at, at + text.length).equals(Buffer.from(text, 'latin1'));
}
