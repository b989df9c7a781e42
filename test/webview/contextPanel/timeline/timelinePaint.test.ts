import type uPlot from 'uplot';
import { describe, expect, it } from 'vitest';
import {
  paintOver,
  type TimelineColours,
} from '../../../../webview/contextPanel/timeline/timelinePaint';
import { paintTicks } from '../../../../webview/contextPanel/timeline/timelineLevels';
import { sampleTimeline } from '../contextViews';

/** Width of a character of the stand-in font; pixels. */
const CHARACTER = 6;

const COLOURS = { text: 'grey', canvas: 'black' } as TimelineColours;

/**
 * The texts and their backgrounds, painted on a plot of 500 x 100 pixels up to 12,000 tokens, a
 * step every 25.
 */
function paintedBy(paint: (plot: uPlot) => void) {
  const painted: { what: string; left: number; right: number; colour: string }[] = [];
  const note = (what: string, left: number, width: number) =>
    painted.push({ what, left, right: left + width, colour: ctx.fillStyle });
  const ctx = {
    fillStyle: '',
    textAlign: 'left',
    measureText: (words: string) => ({ width: CHARACTER * words.length }),
    fillText: (words: string, x: number) => {
      const width = CHARACTER * words.length;
      note(words, ctx.textAlign === 'right' ? x - width : x, width);
    },
    fillRect: (x: number, _y: number, width: number) => note('ground', x, width),
    beginPath: () => undefined,
    setLineDash: () => undefined,
    lineTo: () => undefined,
    stroke: () => undefined,
    strokeText: () => undefined,
    save: () => undefined,
    restore: () => undefined,
    fill: () => undefined,
    rect: () => undefined,
    clip: () => undefined,
    moveTo: () => undefined,
  };
  const plot = {
    ctx,
    bbox: { left: 20, top: 0, width: 500, height: 100 },
    scales: { y: { max: 12_000 } },
    valToPos: (tokens: number) => 100 - tokens / 120,
  };
  paint(plot as unknown as uPlot);
  return painted;
}

const paintedTicks = () => paintedBy((plot) => paintTicks(plot, COLOURS));

describe('the labels of passes', () => {
  const { points } = sampleTimeline(21);
  const labels = (isStrip: boolean) =>
    paintedBy((plot) => paintOver(plot, { points, isStrip }, COLOURS))
      .map(({ what }) => what)
      .filter((what) => what.startsWith('pass'));

  it('are there in a folded timeline, too', () => {
    expect([labels(false), labels(true)]).toEqual([
      ['pass 1', 'pass 2'],
      ['pass 1', 'pass 2'],
    ]);
  });
});

describe('the numbers of the axis', () => {
  it('keep clear of the end of the plot', () => {
    const numbers = paintedTicks().filter(({ what }) => what !== 'ground');
    expect(numbers.map(({ what }) => what)).toEqual(['5k', '10k']);
    expect(numbers.map(({ right }) => right)).toEqual([510, 510]);
  });

  it('have an opaque background, which hides the areas', () => {
    const painted = paintedTicks();
    expect(painted.map(({ what, colour }) => `${what} ${colour}`)).toEqual([
      'ground black',
      '5k grey',
      'ground black',
      '10k grey',
    ]);
    expect(painted[2]!.left).toBe(painted[3]!.left - 3);
    expect(painted[2]!.right).toBe(painted[3]!.right + 3);
  });
});
