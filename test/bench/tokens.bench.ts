import { getEncoding } from 'js-tiktoken';
import { bench, describe } from 'vitest';
import { guessRawTokens } from '../../src/model/heuristic';
import { loadRawTokens } from '../../src/model/rawTokens';

const UNBROKEN = 'a'.repeat(3_000);
const CODE = 'export const sum = (a, b) => a + b; // adds\n'.repeat(500);
const encoder = getEncoding('o200k_base');
const countRawTokens = await loadRawTokens();

/** For measurements that take seconds. */
const FEW = { time: 0, iterations: 3, warmupIterations: 0, warmupTime: 0 };

describe('a run of 3,000 letters without a break', () => {
  bench('in bounded pieces', () => void countRawTokens(UNBROKEN));
  bench('js-tiktoken alone', () => void encoder.encode(UNBROKEN), FEW);
  bench('by character classes', () => void guessRawTokens(UNBROKEN));
});

describe('22,000 characters of code', () => {
  bench('in bounded pieces', () => void countRawTokens(CODE));
  bench('js-tiktoken alone', () => void encoder.encode(CODE));
  bench('by character classes', () => void guessRawTokens(CODE));
});
