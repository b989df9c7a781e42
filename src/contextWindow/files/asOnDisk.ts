import { linesOfFile, UNSEEN, type KnownFile, type KnownLine, type KnownRun } from './knownFile';
import { pieces, type Piece } from './regions';

/** Occurrences of a frequent line that are tried, nearest first. */
const MOST_PLACES = 16;

/** Lines that replace missing ones may be at most this many more. */
const MOST_LONGER = 12;

/**
 * What is known about a file, matched to its current text: known lines with their current numbers,
 * and in place of missing ones the unseen lines that are there now. No text means that the file was
 * deleted. Takes time linear in the length of the file and of what is known about it.
 */
export function asOnDisk(file: KnownFile, text: string | undefined): KnownFile {
  if (text === undefined) return { ...file, runs: [], onDisk: 'deleted' };
  const disk = diskOf(text);
  const now: (KnownLine | undefined)[] = Array.from({ length: disk.lines.length });
  let changed = false;
  for (const run of file.runs) {
    const placed = placesIn(run, disk);
    for (const [index, { piece, at }] of placed.entries()) {
      if (at !== undefined) {
        for (const [offset, line] of piece.lines.entries()) put(now, at + offset, line);
        continue;
      }
      // A text written into unread lines may begin and end within a line.
      if (run.first === undefined) continue;
      changed = true;
      standIn(now, disk, piece, gapAt(placed, index, run));
    }
  }
  const { onDisk: _before, ...rest } = file;
  return { ...rest, runs: runsOf(now), ...(changed ? { onDisk: 'changedOutside' as const } : {}) };
}

interface Disk {
  readonly lines: readonly string[];
  /** The indexes of each line's text, ascending from 0. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

function diskOf(text: string): Disk {
  const lines = linesOfFile(text.replace(/^\uFEFF/, ''));
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [at]);
    else known.push(at);
  }
  return { lines, places };
}

interface PlacedPiece {
  readonly piece: Piece;
  /** Index of its first line; absent if it is not found. */
  readonly at: number | undefined;
}

/** Finds the pieces of a run, each where the previous one suggests, else nearest to that. */
function placesIn(run: KnownRun, disk: Disk): readonly PlacedPiece[] {
  // The number of lines by which the run moved; unknown until the first piece of a run without
  // numbers is found.
  let shift = run.first === undefined ? undefined : run.first - 1;
  return pieces(run).map((piece): PlacedPiece => {
    const at = placeOf(piece, shift === undefined ? undefined : piece.start + shift, disk);
    if (at !== undefined) shift = at - piece.start;
    return { piece, at };
  });
}

function placeOf({ lines }: Piece, expected: number | undefined, disk: Disk): number | undefined {
  if (expected !== undefined && standsAt(lines, expected, disk)) return expected;
  let rarest: readonly number[] | undefined;
  let offset = 0;
  for (const [index, { text }] of lines.entries()) {
    const places = disk.places.get(text);
    if (places === undefined) return undefined;
    if (rarest !== undefined && places.length >= rarest.length) continue;
    rarest = places;
    offset = index;
  }
  const near = nearest(rarest ?? [], (expected ?? 0) + offset);
  const place = near.find((each) => standsAt(lines, each - offset, disk));
  return place === undefined ? undefined : place - offset;
}

function standsAt(lines: Piece['lines'], at: number, disk: Disk): boolean {
  return at >= 0 && lines.every(({ text }, index) => disk.lines[at + index] === text);
}

/** The places nearest to one, nearest first; `places` ascends. */
function nearest(places: readonly number[], to: number): readonly number[] {
  let after = 0;
  for (let above = places.length; after < above;) {
    const middle = (after + above) >> 1;
    if ((places[middle] as number) < to) after = middle + 1;
    else above = middle;
  }
  const found: number[] = [];
  let before = after - 1;
  while (found.length < MOST_PLACES && (before >= 0 || after < places.length)) {
    const [low, high] = [places[before], places[after]];
    const isLow = high === undefined || (low !== undefined && to - low <= high - to);
    found.push((isLow ? low : high) as number);
    if (isLow) before -= 1;
    else after += 1;
  }
  return found;
}

/** Indexes of the first line and after the last one, counted from 0. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/** The place of a missing piece: between its neighbours, or at its number. */
function gapAt(
  placed: readonly PlacedPiece[],
  index: number,
  { first }: KnownRun,
): Gap | undefined {
  const { piece } = placed[index] as PlacedPiece;
  const before = placed[index - 1];
  const behind = placed[index + 1];
  const length = piece.lines.length;
  const shift = placed.slice(0, index).findLast(({ at }) => at !== undefined);
  const from =
    shift?.at !== undefined
      ? shift.at + piece.start - shift.piece.start
      : behind?.at !== undefined
        ? behind.at - length
        : first === undefined
          ? undefined
          : first - 1 + piece.start;
  if (from === undefined) return undefined;
  const isBetween = before?.at !== undefined || index === 0;
  if (behind?.at === undefined || !isBetween) return { from, to: from + length };
  const isNear = behind.at >= from && behind.at - from <= length + MOST_LONGER;
  return isNear ? { from, to: behind.at } : { from, to: from + length };
}

/**
 * Puts the current lines in place of a missing piece: unchanged ones at both ends are known, the
 * others are new.
 */
function standIn(
  now: (KnownLine | undefined)[],
  disk: Disk,
  { lines }: Piece,
  gap: Gap | undefined,
): void {
  if (gap === undefined) return;
  const from = Math.max(0, gap.from);
  const to = Math.min(disk.lines.length, gap.to);
  let head = 0;
  const most = Math.min(lines.length, to - from);
  while (head < most && lines[head]?.text === disk.lines[from + head]) head += 1;
  let tail = 0;
  while (tail < most - head && lines.at(-1 - tail)?.text === disk.lines[to - 1 - tail]) tail += 1;
  for (let at = from; at < to; at += 1) {
    const known =
      at < from + head ? lines[at - from] : at >= to - tail ? lines.at(at - to) : undefined;
    put(now, at, known ?? { text: disk.lines[at] as string, seen: UNSEEN, edited: 0 });
  }
}

/** If two pieces know a line, the later sighting wins. */
function put(now: (KnownLine | undefined)[], at: number, line: KnownLine): void {
  const known = now[at];
  if (known === undefined || known.seen.step < line.seen.step) now[at] = line;
}

function runsOf(now: readonly (KnownLine | undefined)[]): readonly KnownRun[] {
  const runs: { readonly first: number; readonly lines: KnownLine[] }[] = [];
  for (const [at, line] of now.entries()) {
    if (line === undefined) continue;
    const last = runs.at(-1);
    if (last !== undefined && last.first + last.lines.length === at + 1) last.lines.push(line);
    else runs.push({ first: at + 1, lines: [line] });
  }
  return runs;
}
