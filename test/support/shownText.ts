import { expect } from 'vitest';
import type { ShownLines } from '../../src/contextWindow/block';

/** Holds that lines which are shown are what a file has at their numbers. */
export function expectLinesOf(
  file: readonly string[],
  { first, text }: Pick<ShownLines, 'first' | 'text'>,
): void {
  const shown = text.split('\n');
  expect(shown).toEqual(file.slice(first! - 1, first! - 1 + shown.length));
}
