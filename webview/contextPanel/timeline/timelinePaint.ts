import type uPlot from 'uplot';
import type { MarkKind, TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';
import { paintLevels, paintTicks, pixels, stroke } from './timelineLevels';
import {
  estimatedRuns,
  isLine,
  type PlacedMark,
  placedMarks,
  recordedRuns,
  withoutOverlaps,
} from './timelineMarks';
import { MARKS } from './words';

/** What the timeline shows. */
export interface TimelineScene {
  readonly points: readonly TimelinePoint[];
}

/** Paints everything over the areas; a strip has no room for the levels' names and the axis. */
interface PaintedScene extends TimelineScene {
  readonly isStrip: boolean;
}

/** Room above and below the plot, for signs and labels; CSS pixels. */
export const SIGN_ROOM = 15;
export const LABEL_ROOM = 17;

/** Marks of one kind closer together than this are painted as one; CSS pixels. */
const LEAST_APART = 9;

/** Lines with less room than this on average are painted faintly; CSS pixels. */
const ROOM_FOR_LINE = 12;

const DASHES: Readonly<Partial<Record<MarkKind, readonly number[]>>> = {
  undo: [2, 3],
  compacted: [7, 3],
};

/** Paints over the tiers everything that is not an area: estimates, watermarks and marks. */
export function paintOver(plot: uPlot, scene: PaintedScene, colours: TimelineColours): void {
  const { ctx } = plot;
  ctx.save();
  ctx.font = `${10 * pixels()}px ${colours.font}`;
  paintEstimates(plot, scene.points, colours);
  const { points, isStrip } = scene;
  paintRecorded(plot, points, colours);
  const marks = withoutOverlaps(placedMarks(points), plot.bbox.width / pixels(), LEAST_APART);
  // Many passes may be so close that their lines would hide the areas.
  const lines = marks.filter(({ kind }) => isLine(kind)).length;
  const isCrowded = lines * ROOM_FOR_LINE > plot.bbox.width / pixels();
  let labelled = Number.NEGATIVE_INFINITY;
  let signed = Number.NEGATIVE_INFINITY;
  for (const mark of marks) {
    if (isLine(mark.kind)) paintLine(plot, mark, colours, isCrowded);
    signed = paintSign(plot, mark, signed, colours);
    labelled = paintLabel(plot, mark, labelled, colours);
  }
  paintLevels(plot, points, isStrip, colours);
  if (!isStrip) paintTicks(plot, colours);
  ctx.restore();
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
  // In the background colour, so that the hatching shows only on the areas.
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

/** Paints the recorded agent's own requests as a line over Plimsoll's. */
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
    // With a rim in the background colour, so that it is visible on an area as well.
    for (const [colour, width] of [[canvas, 4] as const, [mark, 1.5] as const]) {
      [ctx.strokeStyle, ctx.lineWidth] = [colour, width * pixels()];
      ctx.stroke(line);
    }
  }
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

/**
 * Paints a mark's sign over the plot, next to the one before; returns the position of the last one.
 */
function paintSign(
  plot: uPlot,
  { kind, place }: PlacedMark,
  before: number,
  colours: TimelineColours,
): number {
  // A pass already has a line: there may be many, and the areas drop there.
  if (kind === 'pass') return before;
  const { ctx, bbox } = plot;
  const width = LEAST_APART * pixels();
  const own = inside(plot, bbox.left + place * bbox.width, width);
  const x = Math.max(own, before + width);
  // No sign is better than one at another step.
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

/**
 * Writes a mark's label unless it would touch the one before or be cut off; returns the end of the
 * last one.
 */
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

/** Moves a centre so that a label of this width stays within the plot. */
function inside({ bbox }: uPlot, x: number, width: number): number {
  return Math.max(bbox.left + width / 2, Math.min(bbox.left + bbox.width - width / 2, x));
}

/** The colours and patterns of the timeline in the current theme. */
export interface TimelineColours {
  readonly system: AreaFill;
  readonly archive: AreaFill;
  readonly working: string;
  readonly cacheRead: AreaFill;
  readonly cacheWrite: AreaFill;
  readonly fresh: string;
  readonly low: string;
  readonly high: string;
  readonly budget: string;
  readonly text: string;
  readonly mark: string;
  readonly canvas: string;
  readonly font: string;
}

/** Reads the colours at `element`, since a canvas knows no CSS variables. */
export function timelineColours(element: HTMLElement): TimelineColours {
  const probe = document.createElement('span');
  element.append(probe);
  const style = getComputedStyle(probe);
  const colour = (variable: string): string => {
    probe.style.color = `var(${variable})`;
    return style.color;
  };
  // High contrast themes distinguish areas by pattern, as in the bar.
  const isPlain = document.body.closest('[class*="vscode-high-contrast"]') === null;
  const canvas = colour('--canvas');
  const colours = {
    system: isPlain ? colour('--system') : dotted(colour('--system'), canvas),
    archive: isPlain ? colour('--archive') : striped(colour('--archive'), canvas),
    working: colour('--working'),
    cacheRead: isPlain ? colour('--cache-read') : striped(colour('--cache-read'), canvas),
    cacheWrite: isPlain ? colour('--cache-write') : dotted(colour('--cache-write'), canvas),
    fresh: colour('--fresh'),
    low: colour('--low'),
    high: colour('--high'),
    budget: colour('--limit'),
    text: colour('--quiet'),
    mark: colour('--vscode-foreground'),
    canvas,
    font: style.fontFamily,
  };
  probe.remove();
  return colours;
}

/** The fill of an area of the plot. */
type AreaFill = string | CanvasPattern;

/** Side of the tile a pattern repeats; CSS pixels. */
const TILE = 7;

/** Fills with diagonal lines, as high contrast themes mark the archive in the bar. */
function striped(colour: string, behind: string): AreaFill {
  return tiled(colour, behind, (ctx) => {
    ctx.lineWidth = 3;
    for (const shift of [-TILE, 0, TILE]) {
      ctx.moveTo(shift - 1, TILE + 1);
      ctx.lineTo(shift + TILE + 1, -1);
    }
    ctx.stroke();
  });
}

/** Fills with dots, as high contrast themes mark the system prompt in the bar. */
function dotted(colour: string, behind: string): AreaFill {
  return tiled(colour, behind, (ctx) => {
    ctx.arc(TILE / 2, TILE / 2, 1.6, 0, 2 * Math.PI);
    ctx.fill();
  });
}

/** Areas overlap, so a tile covers the one below it. */
function tiled(
  colour: string,
  behind: string,
  draw: (ctx: CanvasRenderingContext2D) => void,
): AreaFill {
  const tile = document.createElement('canvas');
  const ratio = window.devicePixelRatio;
  tile.width = Math.round(TILE * ratio);
  tile.height = tile.width;
  const ctx = tile.getContext('2d');
  if (ctx === null) return colour;
  ctx.scale(tile.width / TILE, tile.width / TILE);
  ctx.fillStyle = behind;
  ctx.fillRect(0, 0, TILE, TILE);
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.beginPath();
  draw(ctx);
  return ctx.createPattern(tile, 'repeat') ?? colour;
}
