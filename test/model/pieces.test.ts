import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_PIECE, LONGEST_RUN_BYTES, piecesOf } from '../../src/model/rawTokens';

/** Words that the tokenizer's pattern does not limit: letters, white space, the rest. */
const WORDS = /[\p{L}\p{M}]+|\s+|[^\s\p{L}\p{N}]+[\r\n/]*/gu;

/** Bytes of the longest run that the tokenizer may merge in quadratic time. */
function longestRun(pieces: readonly string[]): number {
  const runs = pieces.flatMap((piece) => [...piece.matchAll(WORDS)].map(([run]) => run));
  return Math.max(0, ...runs.map((run) => Buffer.byteLength(run)));
}

/** Texts like those that made js-tiktoken hang (B7). */
const RUNS = [
  'a',
  ' ',
  '\n',
  '\t ',
  '=',
  '-',
  '─',
  '─-',
  '漢',
  '字仮',
  '😀',
  'é',
  'e\u0301',
  '/\n',
  '\u00a0 ',
  '\ud83d',
  '\ude00',
  '\ude00\ud83d',
];

describe('the pieces of a text', () => {
  it.each(RUNS)('contain no long run of %j', (unit) => {
    const pieces = piecesOf(unit.repeat(20_000));
    // The last character of a run may exceed the limit, by at most four bytes.
    expect(longestRun(pieces)).toBeLessThanOrEqual(LONGEST_RUN_BYTES + 4);
    expect(pieces.length).toBeGreaterThan(100);
  });

  it('add up to the text, are bounded, and split no surrogate pair', () => {
    const unit = fc.oneof(fc.constantFrom(...RUNS), fc.string({ unit: 'grapheme' }));
    const text = fc
      .array(fc.tuple(unit, fc.integer({ min: 1, max: 400 })), { maxLength: 12 })
      .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''));
    fc.assert(
      fc.property(text, (written) => {
        const pieces = piecesOf(written);
        expect(pieces.join('')).toBe(written);
        expect(longestRun(pieces)).toBeLessThanOrEqual(LONGEST_RUN_BYTES + 4);
        expect(pieces.every(({ length }) => length > 0 && length <= LONGEST_PIECE)).toBe(true);
        expect(pieces.every((piece) => piece.isWellFormed() || !written.isWellFormed())).toBe(true);
      }),
    );
  });

  it('are few for common code', () => {
    const code =
      'export const budgetOf = (window: ContextWindow) => window.budget; // the budget\n';
    const text = code.repeat(500);
    expect(piecesOf(text)).toHaveLength(Math.ceil(text.length / (LONGEST_PIECE - 1)));
  });
});
