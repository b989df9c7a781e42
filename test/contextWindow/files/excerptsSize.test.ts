import { expect, it } from 'vitest';
import {
  lineCount,
  excerptsSize,
  excerptsSizeText,
} from '../../../src/contextWindow/files/regions';

it('excerptsSize counts all lines, and each file once', () => {
  const shown = [
    { path: 'a.ts', first: 1, text: 'one\ntwo' },
    { path: 'a.ts', first: 9, text: 'nine' },
    { path: 'b.ts', text: '' },
  ];
  expect(shown.map(lineCount)).toEqual([2, 1, 1]);
  expect(excerptsSize(shown)).toEqual({ lines: 4, files: 2 });
  expect(excerptsSize([])).toEqual({ lines: 0, files: 0 });
});

it('excerptsSizeText formats it', () => {
  expect(excerptsSizeText({ lines: 47, files: 2 })).toBe('47 lines of 2 files');
  expect(excerptsSizeText({ lines: 1, files: 1 })).toBe('1 line of 1 file');
});
