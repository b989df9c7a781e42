import type uPlot from 'uplot';
import type { MarkKind, TimelinePoint, BudgetLevels } from '../../../src/protocol/timeline';
import { axisTicks, tickText } from './timelineAxis';
import type { TimelineColours } from './timelineColours';
import {
  estimatedRuns,
  recordedRuns,
  isLine,
  placedMarks,
  withoutOverlaps,
  type PlacedMark,
  placeOf,
} from './timelineMarks';
import { MARKS } from './timelineWords';

/** What the timeline shows: the steps, with the lines across them. */
export interface TimelineScene {
  readonly points: readonly TimelinePoint[];
}

/** What is painted over the areas; a strip has no room for words. */
interface PaintedScene extends TimelineScene {
  readonly isStrip: boolean;
}

/** Room over and under the plot, for signs and labels; CSS pixels. */
export const SIGN_ROOM = 15;
export const LABEL_ROOM = 17;

/** Marks of one kind nearer to each other than this are painted as one; CSS pixels. */
const LEAST_APART = 9;

/** If lines have less room than this on average, they are painted faintly; CSS pixels. */
const ROOM_FOR_LINE = 12;

const DASHES: Readonly<Partial<Record<MarkKind, readonly number[]>>> = {
  undo: [2, 3],
  compacted: [7, 3],
};

/** Paints over the tiers whatever is not an area: estimates, watermarks, and what happened. */
export function paintOver(plot: uPlot, scene: PaintedScene, colours: TimelineColours): void {
  const { ctx } = plot;
  ctx.save();
  ctx.font = `${10 * pixels()}px ${colours.font}`;
  paintEstimates(plot, scene.points, colours);
  const { points, isStrip } = scene;
  paintRecorded(plot, points, colours);
  const marks = withoutOverlaps(placedMarks(points), plot.bbox.width / pixels(), LEAST_APART);
  // Many passes may be so close that their lines would hide what they cross.
  const lines = marks.filter(({ kind }) => isLine(kind)).length;
  const isCrowded = lines * ROOM_FOR_LINE > plot.bbox.width / pixels();
  let labelled = Number.NEGATIVE_INFINITY;
  let signed = Number.NEGATIVE_INFINITY;
  for (const mark of marks) {
    if (isLine(mark.kind)) paintLine(plot, mark, colours, isCrowded);
    signed = paintSign(plot, mark, signed, colours);
    if (!isStrip) labelled = paintLabel(plot, mark, labelled, colours);
  }
  paintLevels(plot, scene, colours);
  if (!isStrip) paintTicks(plot, colours);
  ctx.restore();
}

/** Canvas pixels of one CSS pixel. */
function pixels(): number {
  return window.devicePixelRatio;
}

function paintEstimates(
  plot: uPlot,
  points: readonly TimelinePoint[],
  colours: TimelineColours,
): void {
  const { ctx, bbox } = plot;
  const { left, top, width, height } = bbox;
  const runs = estimatedRuns(points);
  if (runs.length === 0) return;
  const apart = 5 * pixels();
  ctx.save();
  ctx.beginPath();
  for (const [from, to] of runs) {
    const begin = Math.max(left, plot.valToPos(from - 0.5, 'x', true));
    const end = Math.min(left + width, plot.valToPos(to + 0.5, 'x', true));
    ctx.rect(begin, top, end - begin, height);
  }
  ctx.clip();
  // In the colour behind the plot, so that the hatching shows only on the areas.
  ctx.strokeStyle = colours.canvas;
  ctx.lineWidth = pixels();
  ctx.globalAlpha = 0.6;
  ctx.beginPath();
  for (let x = left - height; x < left + width; x += apart) {
    ctx.moveTo(x, top + height);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}

/** Paints what the recorded agent's own requests held as a line over Plimsoll's. */
function paintRecorded(
  plot: uPlot,
  points: readonly TimelinePoint[],
  { mark, canvas }: TimelineColours,
): void {
  const { ctx } = plot;
  for (const run of recordedRuns(points)) {
    const line = new Path2D();
    for (const [step, tokens] of run) {
      line.lineTo(plot.valToPos(step, 'x', true), plot.valToPos(tokens, 'y', true));
    }
    // With a rim in the background colour, so that it can be seen on an area as well.
    for (const [colour, width] of [[canvas, 4] as const, [mark, 1.5] as const]) {
      [ctx.strokeStyle, ctx.lineWidth] = [colour, width * pixels()];
      ctx.stroke(line);
    }
  }
}

/** Paints watermarks and budget as lines that step where the budget changed. */
function paintLevels(
  plot: uPlot,
  { points, isStrip }: PaintedScene,
  colours: TimelineColours,
): void {
  const top = plot.scales['y']?.max ?? 0;
  const levels = [
    { name: 'low', key: 'lowTokens', colour: colours.low, dash: [5, 5] },
    { name: 'high', key: 'highTokens', colour: colours.high, dash: [5, 5] },
    { name: 'budget', key: 'inputBudget', colour: colours.budget, dash: [] },
  ] as const;
  const { ctx, bbox } = plot;
  for (const { name, key, colour, dash } of levels) {
    // What lies far above the areas is not on the axis; the map says where it is.
    const runs = levelRuns(points, key).filter(({ tokens }) => tokens <= top);
    const [first] = runs;
    if (first === undefined) continue;
    const heightOf = (tokens: number): number => Math.round(plot.valToPos(tokens, 'y', true));
    const path = runs.flatMap(({ from, to, tokens }) => {
      const y = heightOf(tokens);
      return [bbox.left + from * bbox.width, y, bbox.left + to * bbox.width, y];
    });
    stroke(ctx, colour, dash, path);
    if (isStrip) continue;
    const left = bbox.left + first.from * bbox.width;
    paintWords(plot, { words: name, x: left, y: heightOf(first.tokens), colour }, colours);
  }
}

/** Writes the numbers of the axis at its right end, each at a faint line. */
function paintTicks(plot: uPlot, colours: TimelineColours): void {
  const { ctx, bbox } = plot;
  const right = bbox.left + bbox.width;
  for (const tokens of axisTicks(plot.scales['y']?.max ?? 0)) {
    const y = Math.round(plot.valToPos(tokens, 'y', true));
    ctx.globalAlpha = 0.25;
    stroke(ctx, colours.text, [1, 3], [bbox.left, y, right, y]);
    ctx.globalAlpha = 1;
    const words = tickText(tokens);
    const x = right - ctx.measureText(words).width - 6 * pixels();
    paintWords(plot, { words, x, y: y - 6 * pixels(), colour: colours.text }, colours);
  }
}

/** Words under a line, and the place where they begin. */
interface PlacedWords {
  readonly words: string;
  readonly x: number;
  readonly y: number;
  readonly colour: string;
}

function paintWords(
  { ctx }: uPlot,
  { words, x, y, colour }: PlacedWords,
  colours: TimelineColours,
): void {
  ctx.fillStyle = colour;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const at = [x + 3 * pixels(), y + 2 * pixels()] as const;
  // A rim in the background colour, so that it can be read on an area as well.
  ctx.strokeStyle = colours.canvas;
  ctx.lineWidth = 3 * pixels();
  ctx.lineJoin = 'round';
  ctx.strokeText(words, ...at);
  ctx.fillText(words, ...at);
}

function paintLine(
  plot: uPlot,
  { kind, place }: PlacedMark,
  colours: TimelineColours,
  isCrowded: boolean,
): void {
  const { ctx, bbox } = plot;
  const x = Math.round(bbox.left + place * bbox.width);
  ctx.globalAlpha = isCrowded ? 0.25 : 0.7;
  const line = [x, bbox.top - 3, x, bbox.top + bbox.height] as const;
  stroke(ctx, colourOf(kind, colours), DASHES[kind] ?? [], line);
  ctx.globalAlpha = 1;
}

/** Paints a mark's sign over the plot, beside the one before; returns the place of the last one. */
function paintSign(
  plot: uPlot,
  { kind, place }: PlacedMark,
  before: number,
  colours: TimelineColours,
): number {
  // A pass is already a line: there may be many, and the areas drop there.
  if (kind === 'pass') return before;
  const { ctx, bbox } = plot;
  const width = LEAST_APART * pixels();
  const own = inside(plot, bbox.left + place * bbox.width, width);
  const x = Math.max(own, before + width);
  // Better none than one at another step.
  if (x - own > 1.5 * width || x > bbox.left + bbox.width) return before;
  ctx.fillStyle = colourOf(kind, colours);
  ctx.textAlign = 'center';
  ctx.textBaseline = 'bottom';
  ctx.fillText(MARKS[kind].sign, x, bbox.top - 2 * pixels());
  return x;
}

function colourOf(kind: MarkKind, { budget, mark }: TimelineColours): string {
  return kind === 'error' || kind === 'overflow' ? budget : mark;
}

/** Writes a mark's label unless it would touch the one before; returns where the last one ends. */
function paintLabel(
  plot: uPlot,
  { label, place }: PlacedMark,
  occupied: number,
  colours: TimelineColours,
): number {
  if (label === '') return occupied;
  const { ctx, bbox } = plot;
  const { width } = ctx.measureText(label);
  const x = inside(plot, bbox.left + place * bbox.width, width);
  if (x - width / 2 < occupied + 6 * pixels()) return occupied;
  ctx.fillStyle = colours.text;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'top';
  ctx.fillText(label, x, bbox.top + bbox.height + 4 * pixels());
  return x + width / 2;
}

/** Moves the centre of something of this width so that it lies within the plot. */
function inside({ bbox }: uPlot, x: number, width: number): number {
  return Math.max(bbox.left + width / 2, Math.min(bbox.left + bbox.width - width / 2, x));
}

function stroke(
  ctx: CanvasRenderingContext2D,
  colour: string,
  dash: readonly number[],
  /** Pairs of x and y. */
  path: readonly number[],
): void {
  ctx.beginPath();
  ctx.strokeStyle = colour;
  ctx.lineWidth = pixels();
  ctx.setLineDash(dash.map((length) => length * pixels()));
  for (let at = 0; at + 1 < path.length; at += 2) ctx.lineTo(path[at] ?? 0, path[at + 1] ?? 0);
  ctx.stroke();
  ctx.setLineDash([]);
}

/** A level for as long as it stayed the same; 0 is the timeline's beginning, 1 its end. */
export interface LevelRun {
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
}

/**
 * Says how a watermark or the budget developed: it steps half-way to the first request under a new
 * one.
 */
export function levelRuns(
  points: readonly TimelinePoint[],
  name: Exclude<keyof BudgetLevels, 'ofToday'>,
): readonly LevelRun[] {
  const runs: LevelRun[] = [];
  let before: TimelinePoint | undefined;
  for (const point of points) {
    const tokens = point.budget[name];
    const last = runs.at(-1);
    if (last === undefined || before === undefined) runs.push({ from: 0, to: 1, tokens });
    else if (last.tokens !== tokens) {
      const place = (placeOf(points, before.step) + placeOf(points, point.step)) / 2;
      runs[runs.length - 1] = { ...last, to: place };
      runs.push({ from: place, to: 1, tokens });
    }
    before = point;
  }
  return runs;
}
