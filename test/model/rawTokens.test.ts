import fc from 'fast-check';
import { getEncoding, type Tiktoken } from 'js-tiktoken';
import { beforeAll, describe, expect, it } from 'vitest';
import { guessRawTokens } from '../../src/model/heuristic';
import { loadRawTokens, piecesOf, type RawTokens } from '../../src/model/rawTokens';

const CODE = `import { piecesOf } from './pieces';\n\nfor (const [index, value] of entries(map)) {\n  total += value * 3.14;\n}\n`;

let rawTokens: RawTokens;
let official: Tiktoken;
beforeAll(async () => {
  rawTokens = await loadRawTokens();
  official = getEncoding('o200k_base');
});

describe('the tokenizer', () => {
  it('counts as js-tiktoken does if there are no long runs', () => {
    for (const text of ['Hello world', CODE, 'Grüße aus Köln, für 3,50 €.', '漢字かな', '😀 ok']) {
      expect(rawTokens(text)).toBe(official.encode(text).length);
    }
  });

  it('counts in each of its pieces what js-tiktoken counts there', () => {
    const words = fc.constantFrom(
      'const',
      'useKeel',
      'ÜBER',
      "they'LL",
      '  ',
      '\r\n\n',
      '),',
      '1234',
    );
    // Also halves of surrogate pairs, which the API counts as U+FFFD.
    const anyUnit = fc.integer({ max: 0xffff, min: 0 }).map((code) => String.fromCharCode(code));
    const run = fc.tuple(anyUnit, fc.nat(60)).map(([unit, times]) => unit.repeat(times));
    const text = fc
      .array(fc.oneof(words, run, fc.string({ unit: anyUnit }), fc.string({ unit: 'grapheme' })))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (written) => {
        const pieces = piecesOf(written).map((piece) => official.encode(piece, [], []).length);
        expect(rawTokens(written)).toBe(pieces.reduce((sum, tokens) => sum + tokens, 0));
      }),
    );
  });

  it('reads special tokens as plain text', () => {
    expect(rawTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('is loaded once', async () => {
    expect(await loadRawTokens()).toBe(rawTokens);
  });
});

describe.each([
  ['the tokenizer', (text: string) => rawTokens(text)],
  ['the guess by character classes', guessRawTokens],
])('a count by %s', (_, count) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 400 });

  it('is 0 for no text, else a whole number of at least 0, and the same each time', () => {
    expect(count('')).toBe(0);
    fc.assert(
      fc.property(text, (written) => {
        const tokens = count(written);
        expect(Number.isInteger(tokens) && tokens >= 0).toBe(true);
        expect(count(written)).toBe(tokens);
      }),
    );
  });

  it('of two joined texts is about the sum of both, and hardly less than either', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b, joined] = [count(left), count(right), count(left + right)];
        expect(joined).toBeLessThanOrEqual(a + b + 6);
        expect(joined).toBeGreaterThanOrEqual(Math.max(a, b) - 6);
      }),
    );
  });
});

it('is close to the tokenizer on code and prose if guessed', () => {
  const prose =
    'The gap is deliberate: each pass breaks the prompt cache from the first change on.\n';
  for (const text of [CODE.repeat(50), prose.repeat(50)]) {
    const ratio = guessRawTokens(text) / rawTokens(text);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.3);
  }
});

it.each([
  ['alternating tabs and blanks', '\t '],
  ['lines of one blank', '\n '],
  ['line ends', '\n'],
  ['tabs', '\t'],
  ['blanks', ' '],
])('never takes %s for next to nothing if guessed', (_, unit) => {
  const text = `x${unit.repeat(3_000)}x`;
  expect(guessRawTokens(text)).toBeGreaterThan(rawTokens(text) * 0.8);
});
