import { describe, expect, it } from 'vitest';
import { numberedLines } from '../../../src/contextWindow/files/knownFile';

describe('the numbered lines of a result', () => {
  it.each([
    ['an arrow', '     7→const a = 1;\n     8→  b();'],
    ['a tab', '7\tconst a = 1;\n8\t  b();'],
    ['a colon', '7: const a = 1;\n8:   b();'],
    ['a bar', '7 | const a = 1;\n8 |   b();'],
  ])('are recognised with %s after the number', (_, text) => {
    expect(numberedLines(text)).toEqual([{ first: 7, lines: ['const a = 1;', '  b();'] }]);
  });

  it('begin after a heading, and end where the numbers are no longer consecutive', () => {
    const text = 'src/a.ts\n\n3→x\n4→\n5→y\n9→z\n\n(3 more lines)';
    expect(numberedLines(text)).toEqual([{ first: 3, lines: ['x', '', 'y'] }]);
  });

  it('are recognised with Windows line ends', () => {
    expect(numberedLines('1→a\r\n2→b\r\n')).toEqual([{ first: 1, lines: ['a', 'b'] }]);
  });

  it.each([
    ['without numbers', 'const a = 1;\nb();'],
    ['with numbers only further down', 'a\nb\nc\n1→d'],
    ['that is empty', ''],
  ])('are not found in a text %s', (_, text) => {
    expect(numberedLines(text)).toEqual([]);
  });
});
