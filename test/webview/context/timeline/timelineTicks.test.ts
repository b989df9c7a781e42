import type uPlot from 'uplot';
import { describe, expect, it } from 'vitest';
import type { TimelineColours } from '../../../../webview/context/timeline/timelineColours';
import { paintTicks } from '../../../../webview/context/timeline/timelineLevels';

/** Width of a character of the stand-in font; pixels. */
const CHARACTER = 6;

const COLOURS = { text: 'grey', canvas: 'black' } as TimelineColours;

/** A plot of 500 x 100 pixels up to 12,000 tokens, and what is painted of texts and their grounds. */
function paintedTicks() {
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
  };
  const plot = {
    ctx,
    bbox: { left: 20, top: 0, width: 500, height: 100 },
    scales: { y: { max: 12_000 } },
    valToPos: (tokens: number) => 100 - tokens / 120,
  };
  paintTicks(plot as unknown as uPlot, COLOURS);
  return painted;
}

describe('the numbers of the axis', () => {
  it('stand clear of the end of the plot', () => {
    const numbers = paintedTicks().filter(({ what }) => what !== 'ground');
    expect(numbers.map(({ what }) => what)).toEqual(['5k', '10k']);
    expect(numbers.map(({ right }) => right)).toEqual([510, 510]);
  });

  it('have a ground of their own, which no area shows through', () => {
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
