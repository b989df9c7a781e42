import { deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);

/** A rare colour this close to one of the palette (squared distance) gets no entry of its own. */
const NEAR = 800;

/** A colour with a larger share of the pixels is that of an area: it stays as it is. */
const RARE = 0.001;

/**
 * Rewrites a screenshot with a palette of at most 256 colours, a third of its size: an interface
 * has few colours, and the shades at the edges of letters hardly differ.
 *
 * Accepts Chromium's format: 8 bits a channel, RGB or RGBA without transparency, not interlaced.
 */
export function shrinkPng(png) {
  const picture = decode(png);
  const { palette, indexed } = indexedBy([picture]);
  const [indices] = indexed;
  const { width, height } = picture;
  return Buffer.concat([
    ...beginning(picture, palette),
    chunk('IDAT', deflated(indices, { x: 0, y: 0, width, height }, width)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/**
 * Joins screenshots of one size to an animated PNG that repeats; each is shown for `ms`. All share
 * a palette, and a frame holds only the rectangle that differs from the one before.
 */
export function animatedPng(frames) {
  const pictures = frames.map(({ png }) => decode(png));
  const [first] = pictures;
  const { width, height } = first;
  if (pictures.some((picture) => picture.width !== width || picture.height !== height))
    throw new Error('The frames of an animation must have one size.');
  const { palette, indexed } = indexedBy(pictures);
  let sequence = 0;
  const parts = frames.flatMap(({ ms }, at) => {
    const area =
      at === 0 ? { x: 0, y: 0, width, height } : differenceOf(indexed[at - 1], indexed[at], width);
    const control = frameControl(sequence++, area, ms);
    const data = deflated(indexed[at], area, width);
    if (at === 0) return [chunk('fcTL', control), chunk('IDAT', data)];
    return [chunk('fcTL', control), chunk('fdAT', Buffer.concat([number(sequence++), data]))];
  });
  return Buffer.concat([
    ...beginning(first, palette, [
      chunk('acTL', Buffer.concat([number(frames.length), number(0)])),
    ]),
    ...parts,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The pixels of some pictures as indices into one palette. */
function indexedBy(pictures) {
  const colours = new Map();
  for (const { data, channels } of pictures) {
    for (let at = 0; at < data.length; at += channels) {
      const colour = colourAt(data, at);
      colours.set(colour, (colours.get(colour) ?? 0) + 1);
    }
  }
  const palette = paletteOf(colours);
  const indices = new Map([...colours.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const indexed = pictures.map(({ data, channels }) => {
    const pixels = Buffer.alloc(data.length / channels);
    for (let at = 0, from = 0; at < pixels.length; at++, from += channels)
      pixels[at] = indices.get(colourAt(data, from));
    return pixels;
  });
  return { palette, indexed };
}

/** Everything before the pixels. */
function beginning({ width, height }, palette, more = []) {
  const header = Buffer.concat([number(width), number(height), Buffer.from([8, 3, 0, 0, 0])]);
  return [
    SIGNATURE,
    chunk('IHDR', header),
    ...more,
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
  ];
}

/** A rectangle of the pixels, compressed. */
function deflated(indices, { x, y, width, height }, whole) {
  const rows = Buffer.alloc(height * (width + 1));
  for (let row = 0; row < height; row++) {
    const from = (y + row) * whole + x;
    indices.copy(rows, row * (width + 1) + 1, from, from + width);
  }
  return deflateSync(rows, { level: 9, memLevel: 9 });
}

/** The smallest rectangle outside which two pictures are equal; one pixel if they are equal. */
function differenceOf(before, after, width) {
  let [left, top, right, bottom] = [width, Infinity, -1, -1];
  for (let at = 0; at < after.length; at++) {
    if (before[at] === after[at]) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

/** Where a frame goes and how long it is shown; APNG specification, fcTL. */
function frameControl(sequence, { x, y, width, height }, ms) {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(ms, 0);
  delay.writeUInt16BE(1_000, 2);
  return Buffer.concat([...[sequence, width, height, x, y].map(number), delay]);
}

function number(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The most frequent distinct colours, at most 256. */
function paletteOf(colours) {
  const palette = [];
  const pixels = [...colours.values()].reduce((sum, often) => sum + often, 0);
  for (const [colour, often] of [...colours].sort(
    ([a, often], [b, more]) => more - often || a - b,
  )) {
    if (palette.length === 256) break;
    const isOwn = often > pixels * RARE || palette.every((other) => distance(other, colour) > NEAR);
    if (isOwn) palette.push(colour);
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
