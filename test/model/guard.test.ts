import { getEncoding, type Tiktoken } from 'js-tiktoken';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  LONGEST_PIECE,
  LONGEST_RUN_BYTES,
  piecesOf,
  loadRawTokens,
  type RawTokens,
} from '../../src/model/rawTokens';
import { runs } from '../support/runs';

const MEGABYTE = 1_048_576;

/**
 * Text that js-tiktoken also counts. Its time grows with the square of a run; the soak has longer
 * runs.
 */
const SAMPLE = runs(600, 1_500);

/** A pseudo-random sequence, the same on every run; 0 to 2^32. */
function* numbers(): Generator<number> {
  let state = 42;
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
}

/** A text of `length` UTF-16 units; a number picks each character. */
function written(length: number, character: (number: number) => string): string {
  let text = '';
  for (const number of numbers()) {
    if (text.length >= length) break;
    text += character(number >>> 8);
  }
  return text;
}

const MIXED = [
  'a',
  'Z',
  ' ',
  '7',
  '{',
  'ß',
  'é',
  'e\u0301',
  '漢',
  'か',
  '─',
  '😀',
  '👩‍🚀',
  '\u00a0',
  '\n',
];

/** Texts that reach the tokenizer by mistake: bundles, data, rulers, dumps (B7). */
const TEXTS: Readonly<Record<string, (length: number) => string>> = {
  'letters without a space': (length) =>
    written(length, (number) => String.fromCharCode(97 + (number % 26))),
  'a minified bundle': (length) =>
    'function(a,b){return a.length>b?c[a.x]:d(e,f+1)};'.repeat(length / 49),
  base64: (length) =>
    Buffer.from(written((length * 3) / 4, (number) => String.fromCharCode(number % 128))).toString(
      'base64',
    ),
  'one letter': (length) => 'a'.repeat(length),
  blanks: (length) => ' '.repeat(length),
  'line ends': (length) => '\n'.repeat(length),
  'a ruler': (length) => '='.repeat(length),
  'a ruler of box characters': (length) => '─'.repeat(length),
  zeros: (length) => '0'.repeat(length),
  'Chinese without a mark': (length) =>
    written(length, (number) => String.fromCharCode(0x4e00 + (number % 20_000))),
  'mixed Unicode': (length) => written(length, (number) => MIXED[number % MIXED.length]!),
};

let rawTokens: RawTokens;
let official: Tiktoken;
beforeAll(async () => {
  rawTokens = await loadRawTokens();
  official = getEncoding('o200k_base');
});

describe.each(Object.keys(TEXTS))('%s', (name) => {
  const text = TEXTS[name]!;

  it('is cut, above a megabyte, into a limited number of bounded pieces', () => {
    const megabyte = text(MEGABYTE);
    const pieces = piecesOf(megabyte);
    expect(pieces.join('') === megabyte).toBe(true);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_PIECE);
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
    const most = Buffer.byteLength(megabyte) / LONGEST_RUN_BYTES + 1;
    expect(pieces.length).toBeLessThanOrEqual(most);
  });

  it('has the tokens that js-tiktoken counts, and at most one more for each cut', () => {
    const sample = text(SAMPLE);
    const counted = official.encode(sample, [], []).length;
    expect(rawTokens(sample)).toBeGreaterThanOrEqual(counted);
    expect(rawTokens(sample)).toBeLessThanOrEqual(counted + piecesOf(sample).length - 1);
  });

  it('has tokens in proportion to its length', () => {
    const ratio = rawTokens(text(65_536)) / rawTokens(text(16_384));
    expect(ratio).toBeGreaterThan(3.9);
    expect(ratio).toBeLessThan(4.1);
  });
});

it.each(['base64', 'one letter', 'a minified bundle'])('counts all of a megabyte of %s', (name) => {
  const text = TEXTS[name]!;
  const ratio = rawTokens(text(MEGABYTE)) / rawTokens(text(65_536));
  expect(ratio).toBeGreaterThan(15.6);
  expect(ratio).toBeLessThan(16.4);
});
