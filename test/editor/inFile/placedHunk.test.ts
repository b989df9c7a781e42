import { structuredPatch } from 'diff';
import { describe, expect, it } from 'vitest';
import { linesOf, placedHunks } from '../../../src/editor/inFile/placedHunk';

const LINES = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

/** The places, counted from 0, of what a turn changed from one text to another, in a third one. */
function places(before: readonly string[], after: readonly string[], now: readonly string[]) {
  const texts = [before, after].map((lines) => `${lines.join('\n')}\n`);
  const { hunks } = structuredPatch('a', 'a', texts[0]!, texts[1]!, '', '', { context: 3 });
  const shown = hunks.map(({ newStart: line, lines }) => ({ line, lines }));
  return placedHunks(shown, linesOf(texts[1]!), linesOf(`${now.join('\n')}\n`)).map((place) =>
    place === undefined ? 'gone' : `${place.start}-${place.end} +${place.added} -${place.removed}`,
  );
}

const changed = LINES.with(2, 'x').with(19, 'y');

describe('the place of a hunk', () => {
  it('is where the agent wrote it', () => {
    expect(places(LINES, changed, changed)).toEqual(['2-3 +2 -line 3', '19-20 +19 -line 20']);
  });

  it('moves with the lines around it', () => {
    expect(places(LINES, changed, ['new', ...changed.toSpliced(9, 2)])).toEqual([
      '3-4 +3 -line 3',
      '18-19 +18 -line 20',
    ]);
  });

  it('is gone if one of its lines was changed, and the other hunk stays', () => {
    expect(places(LINES, changed, changed.with(2, 'mine'))).toEqual(['gone', '19-20 +19 -line 20']);
    expect(places(LINES, changed, LINES)).toEqual(['gone', 'gone']);
  });

  it('is gone if a line was inserted into it', () => {
    const two = LINES.toSpliced(2, 1, 'x', 'z');
    expect(places(LINES, two, two)).toEqual(['2-4 +2,3 -line 3']);
    expect(places(LINES, two, two.toSpliced(3, 0, 'mine'))).toEqual(['gone']);
  });

  it('is between two lines if the agent only removed lines', () => {
    const less = LINES.toSpliced(4, 2);
    expect(places(LINES, less, less)).toEqual(['4-4 + -line 5,line 6']);
    expect(places(LINES, less, ['new', ...less])).toEqual(['5-5 + -line 5,line 6']);
    expect(places(LINES, less, less.toSpliced(4, 0, 'mine'))).toEqual(['gone']);
    expect(places(LINES, less, LINES)).toEqual(['gone']);
  });

  it('is at the edges of a file', () => {
    const [cut, short] = [LINES.slice(1), LINES.slice(0, -1)];
    expect(places(LINES, cut, cut)).toEqual(['0-0 + -line 1']);
    expect(places(LINES, short, short)).toEqual(['29-29 + -line 30']);
    expect(places([], ['a', 'b'], ['a', 'b'])).toEqual(['0-2 +0,1 -']);
  });

  it('is unknown after an edit that is too large to compare', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `other ${index}`);
    expect(places(LINES, changed, [...changed.slice(0, 10), ...many, 'end'])).toEqual([
      '2-3 +2 -line 3',
      'gone',
    ]);
  });
});

it('reads lines as an editor shows them', () => {
  expect(linesOf('\uFEFFa\r\nb\rc\n')).toEqual(['a', 'b', 'c', '']);
});
