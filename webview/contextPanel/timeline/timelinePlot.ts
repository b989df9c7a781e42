import './soundLanguage';
import uPlot from 'uplot';
import {
  LABEL_ROOM,
  paintOver,
  SIGN_ROOM,
  timelineColours,
  type TimelineColours,
  type TimelineScene,
} from './timelinePaint';
import { axisTop } from './timelineLevels';
import type { TimelinePoint } from '../../../src/editor/contextPanel/timeline/state';

/** Heights of the two plots, with room for signs and labels; CSS pixels. */
const TIERS_HEIGHT = 118;
const BILLED_HEIGHT = 30;

/** Height of the one plot of a folded timeline; CSS pixels. */
const STRIP_HEIGHT = 64;

type Colour = Exclude<keyof TimelineColours, 'font'>;

/** The two plots of the timeline. */
export interface TimelinePlot {
  draw(scene: TimelineScene): void;
  /** Removes the plots and stops watching size and theme. */
  close(): void;
}

/**
 * Plots tiers over billed tokens into `host`, or a strip of the tiers alone; redraws at most once a
 * frame when the scene, the size or the theme has changed. Returns undefined if the page has no
 * canvas.
 */
export function makeTimelinePlot(host: HTMLElement, isStrip: boolean): TimelinePlot | undefined {
  if (document.createElement('canvas').getContext('2d') === null) return undefined;
  let colours = timelineColours(host);
  let scene: TimelineScene | undefined;
  let isDue = false;
  let isClosed = false;

  const fill = (colour: Colour): uPlot.Series => ({
    fill: () => colours[colour],
    stroke: () => colours[colour],
    width: 0,
    points: { show: false },
  });
  const tiers = new uPlot(
    {
      ...optionsOf(isStrip ? STRIP_HEIGHT : TIERS_HEIGHT, [SIGN_ROOM, 0, LABEL_ROOM, 0], (most) =>
        axisTop(scene?.points ?? [], most),
      ),
      series: [{}, fill('working'), fill('archive'), fill('system')],
      hooks: { draw: [(plot) => scene && paintOver(plot, { ...scene, isStrip }, colours)] },
    },
    [[], [], [], []],
    host,
  );
  const billed = isStrip
    ? undefined
    : new uPlot(
        {
          ...optionsOf(BILLED_HEIGHT, [0, 0, 0, 0], (most) => most),
          series: [{}, fill('fresh'), fill('cacheWrite'), fill('cacheRead')],
        },
        [[], [], [], []],
        host,
      );

  const drawNow = (): void => {
    isDue = false;
    const width = host.clientWidth;
    if (isClosed || scene === undefined || width === 0) return;
    for (const [plot, columns] of [
      [tiers, tierColumns(scene.points)],
      [billed, billedColumns(scene.points)],
    ] as const) {
      if (plot === undefined) continue;
      if (plot.width !== width) plot.setSize({ width, height: plot.height });
      plot.setData(columns);
    }
  };
  const schedule = (): void => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(drawNow);
  };

  const size = new ResizeObserver(schedule);
  size.observe(host);
  // VS Code names the theme in the body's class and writes its colours into the page's style.
  const theme = new MutationObserver(() => {
    colours = timelineColours(host);
    schedule();
  });
  theme.observe(document.body, { attributeFilter: ['class'] });
  theme.observe(document.documentElement, { attributeFilter: ['style'] });
  return {
    draw: (next) => {
      scene = next;
      schedule();
    },
    close: () => {
      isClosed = true;
      size.disconnect();
      theme.disconnect();
      tiers.destroy();
      billed?.destroy();
    },
  };
}

/**
 * Plots without axes, legend and cursor, which the panel draws itself. `top` returns the scale's
 * end for the largest number.
 */
function optionsOf(
  height: number,
  padding: uPlot.Padding,
  top: (most: number) => number,
): Omit<uPlot.Options, 'series'> {
  return {
    width: 1,
    height,
    padding,
    legend: { show: false },
    cursor: { show: false },
    axes: [{ show: false }, { show: false }],
    scales: {
      x: { time: false, range: (plot) => edgesOf(plot.data[0]) },
      y: { range: (_plot, _least, most) => [0, Math.max(1, top(most))] },
    },
  };
}

function edgesOf(steps: ArrayLike<number>): [number, number] {
  return [steps[0] ?? 0, steps[steps.length - 1] ?? 1];
}

/** Columns of numbers, as uPlot takes them; the first is the steps. */
type Columns = [number[], ...(number | null)[][]];

/**
 * Stacks the tiers: all tokens, system and archive, system. Painted in this order, each covers the
 * lower part of the one before.
 */
export function tierColumns(points: readonly TimelinePoint[]): Columns {
  return columns(points, [
    ({ system, archive, working }) => system + archive + working,
    ({ system, archive }) => system + archive,
    ({ system }) => system,
  ]);
}

/**
 * Stacks the billed input tokens: all of them, those read or written, those read from the cache.
 */
export function billedColumns(points: readonly TimelinePoint[]): Columns {
  return columns(points, [
    ({ billed }) => billed && billed.fresh + billed.cacheWrite + billed.cacheRead,
    ({ billed }) => billed && billed.cacheWrite + billed.cacheRead,
    ({ billed }) => billed && billed.cacheRead,
  ]);
}

function columns(
  points: readonly TimelinePoint[],
  values: readonly ((point: TimelinePoint) => number | null)[],
): Columns {
  const [only] = points;
  if (points.length === 1 && only !== undefined) {
    // One point makes no area, so it is drawn as wide as the plot.
    const { step } = only;
    return [[step - 0.5, step + 0.5], ...values.map((value) => [value(only), value(only)])];
  }
  return [points.map(({ step }) => step), ...values.map((value) => points.map(value))];
}
