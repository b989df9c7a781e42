import type uPlot from 'uplot';
import type { BudgetLevels, TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';
import { placeOf } from './timelineMarks';
import type { TimelineColours } from './timelinePaint';

/** Distance between the axis numbers and the end of the plot; CSS pixels. */
const TICK_FROM_END = 10;

/** The background of an axis number: its height, and its padding; CSS pixels. */
const TICK_HEIGHT = 12;
const TICK_BESIDE = 3;

/** Canvas pixels of one CSS pixel. */
export function pixels(): number {
  return window.devicePixelRatio;
}

/**
 * Paints watermarks and budget as lines that step where the budget changed; a strip has no room for
 * their names.
 */
export function paintLevels(
  plot: uPlot,
  points: readonly TimelinePoint[],
  isStrip: boolean,
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
    // Levels far above the areas are off the axis; the bar shows them.
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

/**
 * Writes the numbers of the axis near its right end, each on a faint line.
 *
 * They may be over an area, so each has a background; text with a rim cannot be read there.
 */
export function paintTicks(plot: uPlot, colours: TimelineColours): void {
  const { ctx, bbox } = plot;
  const right = bbox.left + bbox.width;
  const [high, beside] = [TICK_HEIGHT * pixels(), TICK_BESIDE * pixels()];
  ctx.textAlign = 'right';
  ctx.textBaseline = 'middle';
  for (const tokens of axisTicks(plot.scales['y']?.max ?? 0)) {
    const y = Math.round(plot.valToPos(tokens, 'y', true));
    ctx.globalAlpha = 0.25;
    stroke(ctx, colours.text, [1, 3], [bbox.left, y, right, y]);
    ctx.globalAlpha = 1;
    const words = tickText(tokens);
    const end = right - TICK_FROM_END * pixels();
    const wide = ctx.measureText(words).width + 2 * beside;
    ctx.fillStyle = colours.canvas;
    ctx.fillRect(end + beside - wide, y - high / 2, wide, high);
    ctx.fillStyle = colours.text;
    ctx.fillText(words, end, y);
  }
}

/** A label under a line. */
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

/** Strokes a line of one CSS pixel. */
export function stroke(
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
interface LevelRun {
  readonly from: number;
  readonly to: number;
  readonly tokens: number;
}

/** Traces a watermark or the budget: it steps half-way to the first request under a new one. */
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

/** A level further above the largest request than this factor would press the areas flat. */
const NEAR = 1.7;

type Level = Exclude<keyof BudgetLevels, 'ofToday'>;

const LEVELS: readonly Level[] = ['lowTokens', 'highTokens', 'inputBudget'];

/**
 * The end of the axis, in tokens: a little above the largest request (`mostOwn`, or a recorded
 * agent's own), and above each watermark and budget that is not far beyond it.
 */
export function axisTop(
  points: readonly Pick<TimelinePoint, 'budget' | 'recordedTokens'>[],
  mostOwn: number,
): number {
  const most = points.reduce(
    (all, { recordedTokens = 0 }) => Math.max(all, recordedTokens),
    mostOwn,
  );
  let top = most;
  for (const { budget } of points) {
    for (const level of LEVELS) {
      const tokens = budget[level];
      if (tokens > top && tokens <= NEAR * most) top = tokens;
    }
  }
  return 1.06 * top;
}

/** Most numbers on the axis, not counting its beginning. */
const TICKS = 3;

/** Round numbers along the axis, in tokens, ascending; none at 0. */
function axisTicks(top: number): readonly number[] {
  const least = top / (TICKS + 1);
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const apart = power * ([1, 2, 5, 10].find((each) => each * power >= least) ?? 10);
  const ticks: number[] = [];
  for (let tick = apart; tick < top * 0.97; tick += apart) ticks.push(tick);
  return ticks;
}

/** A number at the axis: "500", "2.5k", "40k", "1.2M". */
function tickText(tokens: number): string {
  const short = (size: number): string => `${Math.round((tokens / size) * 10) / 10}`;
  if (tokens >= 1_000_000) return `${short(1_000_000)}M`;
  return tokens >= 1_000 ? `${short(1_000)}k` : `${tokens}`;
}
