import { expect } from 'vitest';
import type { ShownLines } from '../../src/contextWindow/block';

/** Checks that shown lines are those of the file at their numbers. */
export function expectLinesOf(
  file: readonly string[],
  { first, text }: Pick<ShownLines, 'first' | 'text'>,
): void {
  const shown = text.split('\n');
  expect(shown).toEqual(file.slice(first! - 1, first! - 1 + shown.length));
}
