/** Tokens of an image whose size cannot be read, and the most that any image costs. */
export const flatImageTokens = 1_600;

interface Size {
  readonly width: number;
  readonly height: number;
}

function jpegSize(bytes: Buffer): Size | undefined {
  let at = 2;
  while (at + 9 < bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function sizeOf(bytes: Buffer): Size | undefined {
  const starts = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;
  if (starts('\x89PNG') && bytes.length >= 24) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (starts('GIF8') && bytes.length >= 10) {
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  return starts('\xff\xd8') ? jpegSize(bytes) : undefined;
}

/** Counts an image by its pixels, width x height / 750, not by its bytes (rule of the vendor's vision page). */
export function imageTokens(base64: string): number {
  const size = sizeOf(Buffer.from(base64.slice(0, 65_536), 'base64'));
  if (size === undefined) return flatImageTokens;
  return Math.min(flatImageTokens, Math.max(1, Math.ceil((size.width * size.height) / 750)));
}
