import { describe, expect, it } from 'vitest';
import { mediaIn } from '../../src/tools/files/media';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of it', 'latin1');

describe('a file given by the user', () => {
  it.each([
    ['a PNG', PNG, { type: 'image', mediaType: 'image/png' }],
    [
      'a JPEG',
      Buffer.from('\xff\xd8\xff\xe0', 'latin1'),
      { type: 'image', mediaType: 'image/jpeg' },
    ],
    ['a GIF', Buffer.from('GIF89a'), { type: 'image', mediaType: 'image/gif' }],
    ['a WebP', Buffer.from('RIFF0000WEBP'), { type: 'image', mediaType: 'image/webp' }],
    ['a PDF', Buffer.from('%PDF-1.7'), { type: 'document', mediaType: 'application/pdf' }],
  ])('is %s by its first bytes, whatever the name', (_, bytes, kind) => {
    expect(mediaIn(bytes, 'a.txt')).toEqual({
      ok: true,
      media: { ...kind, data: bytes.toString('base64') },
    });
  });

  it('is not media otherwise, whatever the name', () => {
    expect(mediaIn(Buffer.from('<svg>'), 'a.png')).toBeUndefined();
    expect(mediaIn(Buffer.alloc(0), 'a.png')).toBeUndefined();
  });

  it('is refused if the API accepts no image of that size', () => {
    expect(mediaIn(Buffer.concat([PNG, Buffer.alloc(4_000_000)]), 'mast.png')).toEqual({
      ok: false,
      message: 'mast.png is 4.0 MB; images and PDFs over 3.9 MB are not read.',
    });
  });
});
