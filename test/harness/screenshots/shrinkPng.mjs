import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** A colour this close to one of the palette (squared distance) gets no entry of its own. */
const NEAR = 12;

/**
 * Rewrites a screenshot with a palette of at most 256 colours, a third of its size: an interface
 * has few colours, and the shades at the edges of letters hardly differ.
 *
 * Accepts Chromium's format: 8 bits a channel, RGB or RGBA without transparency, not interlaced.
 */
export function shrinkPng(png) {
  const { width, height, channels, data } = decode(png);
  const colours = new Map();
  for (let at = 0; at < data.length; at += channels) {
    const colour = colourAt(data, at);
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  const palette = paletteOf(colours);
  const indices = new Map([...colours.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0, from = 0; y < height; y++) {
    for (let x = 0; x < width; x++, from += channels) {
      rows[y * (width + 1) + 1 + x] = indices.get(colourAt(data, from));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most frequent distinct colours, at most 256. */
function paletteOf(colours) {
  const palette = [];
  for (const [colour] of [...colours].sort(([a, often], [b, more]) => more - often || a - b)) {
    if (palette.length === 256) break;
    if (palette.every((other) => distance(other, colour) > NEAR)) palette.push(colour);
  }
  return palette;
}

function nearest(palette, colour) {
  let best = 0;
  palette.forEach((other, index) => {
    if (distance(other, colour) < distance(palette[best], colour)) best = index;
  });
  return best;
}

function distance(a, b) {
  const other = channelsOf(b);
  return channelsOf(a).reduce((sum, value, at) => sum + (value - other[at]) ** 2, 0);
}

function channelsOf(colour) {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function colourAt(data, at) {
  return (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
}

function decode(png) {
  const parts = [];
  let header;
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = body;
    if (type === 'IDAT') parts.push(body);
    at += length + 12;
  }
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const channels = { 2: 3, 6: 4 }[header[9]];
  if (header[8] !== 8 || channels === undefined || header[12] !== 0)
    throw new Error('Only PNGs as Chromium writes them can be made smaller.');
  return {
    width,
    height,
    channels,
    data: unfilter(inflateSync(Buffer.concat(parts)), width * channels, channels),
  };
}

/** Reverses the filter of each row; PNG specification, section 9. */
function unfilter(filtered, stride, channels) {
  const rows = filtered.length / (stride + 1);
  const data = Buffer.alloc(rows * stride);
  for (let y = 0; y < rows; y++) {
    const filter = filtered[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : data[at - channels];
      const up = y === 0 ? 0 : data[at - stride];
      const corner = x < channels || y === 0 ? 0 : data[at - stride - channels];
      const value = filtered[y * (stride + 1) + 1 + x];
      data[at] = value + predicted(filter, left, up, corner);
    }
  }
  return data;
}

function predicted(filter, left, up, corner) {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(
    Math.abs,
  );
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function chunk(type, body) {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** The checksum of a chunk; written by hand, since Node has it only from 20.15 on. */
function crc32(bytes) {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
