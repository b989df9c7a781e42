import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentTokens, imageTokens } from '../../src/model/mediaTokens';

const OLDER = 'claude-haiku-4-5';

const base64 = (bytes: Buffer | string) => Buffer.from(bytes).toString('base64');
const u16be = (value: number) => Buffer.from([value >> 8, value & 255]);
const u16le = (value: number) => Buffer.from([value & 255, value >> 8]);
const u24le = (value: number) => Buffer.from([value & 255, (value >> 8) & 255, value >> 16]);
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** The first bytes of an image of each format, and of the variants of each. */
const HEADERS: Readonly<
  Record<string, { readonly type: string; head(width: number, height: number): Buffer }>
> = {
  PNG: {
    type: 'image/png',
    head: (width, height) => {
      const bytes = Buffer.concat([latin1('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'), Buffer.alloc(8)]);
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      return bytes;
    },
  },
  GIF: {
    type: 'image/gif',
    head: (width, height) => Buffer.concat([latin1('GIF89a'), u16le(width), u16le(height)]),
  },
  JPEG: {
    type: 'image/jpeg',
    head: (width, height) => jpeg(0xc0, width, height),
  },
  'progressive JPEG': {
    type: 'image/jpeg',
    head: (width, height) => jpeg(0xc2, width, height),
  },
  'WebP with loss': {
    type: 'image/webp',
    head: (width, height) =>
      webp('VP8 ', Buffer.concat([latin1('\0\0\0\x9d\x01\x2a'), u16le(width), u16le(height)])),
  },
  'WebP without loss': {
    type: 'image/webp',
    head: (width, height) => {
      const bits = Buffer.alloc(4);
      bits.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0);
      return webp('VP8L', Buffer.concat([latin1('\x2f'), bits, Buffer.alloc(5)]));
    },
  },
  'extended WebP': {
    type: 'image/webp',
    head: (width, height) =>
      webp('VP8X', Buffer.concat([Buffer.alloc(4), u24le(width - 1), u24le(height - 1)])),
  },
};

/** A frame header after camera data that holds similar bytes. */
function jpeg(marker: number, width: number, height: number): Buffer {
  const camera = Buffer.concat([latin1('\xff\xe1'), u16be(9), latin1('\xff\xc0\0\x09\x08\0\x01')]);
  const frame = Buffer.concat([u16be(17), latin1('\x08'), u16be(height), u16be(width)]);
  return Buffer.concat([latin1('\xff\xd8'), camera, Buffer.from([0xff, marker]), frame]);
}

function webp(chunk: string, body: Buffer): Buffer {
  return Buffer.concat([latin1(`RIFF\0\0\0\0WEBP${chunk}\0\0\0\0`), body]);
}

const png = (width: number, height: number) => base64(HEADERS['PNG']!.head(width, height));

describe('the tokens of an image', () => {
  it.each(Object.keys(HEADERS))('are read from the header of a %s', (kind) => {
    const { type, head } = HEADERS[kind]!;
    expect(imageTokens(base64(head(1_000, 280)), type)).toBe(36 * 10);
    expect(imageTokens(base64(head(29, 28)), type)).toBe(2);
  });

  it.each([
    // [width, height, tokens on 4.7 and later, tokens on earlier models]: the vendor's examples.
    [200, 200, 64, 64],
    [1_000, 1_000, 1_296, 1_296],
    [1_092, 1_092, 1_521, 1_521],
    [1_075, 1_520, 2_145, 33 * 47],
    [1_920, 1_080, 2_691, 1_560],
    [3_840, 2_160, 4_784, 1_560],
  ])('are, for %i x %i pixels, %i, and %i on older models', (width, height, newer, older) => {
    expect(imageTokens(png(width, height), 'image/png')).toBe(newer);
    expect(imageTokens(png(width, height), 'image/png', 'claude-opus-5-5')).toBe(newer);
    expect(imageTokens(png(width, height), 'image/png', OLDER)).toBe(older);
  });

  it.each([
    ['empty', ''],
    ['not an image', base64('just text')],
    ['cut off', base64(HEADERS['PNG']!.head(10, 10).subarray(0, 20))],
    ['of an empty image', png(0, 10)],
    ['of another type than it says', base64(HEADERS['GIF']!.head(10, 10))],
  ])('are the maximum if the data is %s', (_, data) => {
    expect(imageTokens(data, 'image/png')).toBe(4_784);
    expect(imageTokens(data, 'image/png', OLDER)).toBe(1_568);
  });

  it('are at least 1 and within the limit for any size, and ignore the data after the header', () => {
    const edge = fc.integer({ min: 1, max: 16_000 });
    fc.assert(
      fc.property(edge, edge, (width, height) => {
        const tokens = imageTokens(png(width, height), 'image/png');
        expect(tokens).toBeGreaterThanOrEqual(1);
        expect(tokens).toBeLessThanOrEqual(4_784);
        expect(imageTokens(png(width, height), 'image/png', OLDER)).toBeLessThanOrEqual(1_568);
        expect(imageTokens(png(height, width), 'image/png')).toBe(tokens);
      }),
    );
    const large = Buffer.concat([HEADERS['PNG']!.head(280, 280), Buffer.alloc(3_000_000)]);
    expect(imageTokens(base64(large), 'image/png')).toBe(100);
  });

  it('are computed without an error for any bytes', () => {
    const type = fc.constantFrom('image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/x');
    const start = fc.constantFrom(
      '',
      '\xff\xd8\xff',
      'GIF89a',
      'RIFF1234WEBPVP8X',
      '\x89PNG\r\n\x1a\n',
    );
    fc.assert(
      fc.property(type, start, fc.uint8Array({ maxLength: 64 }), (mediaType, head, rest) => {
        const tokens = imageTokens(base64(Buffer.concat([latin1(head), rest])), mediaType);
        expect(Number.isInteger(tokens) && tokens >= 1 && tokens <= 4_784).toBe(true);
      }),
    );
  });
});

const PAGE = 3_850;
const page = (number: number) => `${number} 0 obj << /Type /Page /Parent 2 0 R >> endobj\n`;
const TREE = '2 0 obj << /Type /Pages /Kids [3 0 R] /Count 3 >> endobj\n';

describe('the tokens of a document', () => {
  it('are counted from its pages, not from the page tree', () => {
    expect(documentTokens(base64(`%PDF-1.4\n${TREE}${[3, 4, 5].map(page).join('')}`))).toBe(
      3 * PAGE,
    );
    expect(documentTokens(base64('%PDF-1.4\n<</Type/Page/MediaBox[0 0 1 1]>>'))).toBe(PAGE);
  });

  it('are found in compressed object lists', () => {
    const list = (numbers: readonly number[]) =>
      Buffer.concat([
        latin1('9 0 obj << /Type /ObjStm /N 2 /Filter /FlateDecode >>\nstream\r\n'),
        deflateSync(numbers.map(page).join('')),
        latin1('\nendstream endobj\n'),
      ]);
    const bytes = Buffer.concat([latin1('%PDF-1.7\n'), list([3, 4]), list([5]), latin1(page(6))]);
    expect(documentTokens(base64(bytes))).toBe(4 * PAGE);
  });

  it('are not searched for in lists that grow without end', () => {
    const bomb = deflateSync(Buffer.alloc(8_000_000, '/Type /Page '));
    const list = Buffer.concat([
      latin1('<< /Type /ObjStm >>\nstream\n'),
      bomb,
      latin1('endstream'),
    ]);
    const lists = Array.from({ length: 40 }, () => list);
    const bytes = Buffer.concat([latin1('%PDF-1.7\n'), ...lists, latin1(page(3))]);
    expect(documentTokens(base64(bytes))).toBe(PAGE);
  });

  it('follow the page count at the start of a linearized PDF', () => {
    const head =
      '%PDF-1.5\n1 0 obj << /Linearized 1 /L 9000 /H [ 1 2 ] /O 3 /N 12 /T 8 >> endobj\n';
    expect(documentTokens(base64(head + page(3)))).toBe(12 * PAGE);
  });

  it('depend on the size of an unreadable PDF, up to the limit of the API', () => {
    const closed = (bytes: number) => base64(`%PDF-1.7\n`.padEnd(bytes, 'x'));
    expect(documentTokens(closed(10))).toBe(PAGE);
    expect(documentTokens(closed(25_000))).toBe(3 * PAGE);
    expect(documentTokens(closed(20_000_000))).toBe(600 * PAGE);
    const broken = '%PDF-1.7\n<< /Type /ObjStm >>\nstream\nnot deflated\nendstream';
    expect(documentTokens(base64(broken))).toBe(PAGE);
    expect(documentTokens(base64('%PDF-1.7\n<< /Type /ObjStm >>\nstream'))).toBe(PAGE);
  });

  it('are those of the text of a plain-text document', () => {
    expect(documentTokens('')).toBe(0);
    const text = 'The gap is deliberate, so that passes are rare.\n'.repeat(100);
    const tokens = documentTokens(base64(text));
    expect(tokens).toBeGreaterThan(text.length / 5);
    expect(tokens).toBeLessThan(text.length / 2);
  });
});
