import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { getEncoding } from 'js-tiktoken';
import { bench, describe } from 'vitest';
import { guessRawTokens } from '../../src/model/heuristic';
import { loadRawTokens, piecesOf } from '../../src/model/rawTokens';

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

const RECORDINGS = resolve(__dirname, '../../../shared/transcripts/claude-code-2');

describe.skipIf(!existsSync(RECORDINGS))('300,000 characters of recordings', () => {
  const pieces = existsSync(RECORDINGS) ? piecesOf(recordings().slice(0, 300_000)) : [];
  bench('by the table', () => void pieces.forEach(countRawTokens), FEW);
  bench('js-tiktoken alone', () => pieces.forEach((piece) => encoder.encode(piece, [], [])), FEW);
});

function recordings(): string {
  return readdirSync(RECORDINGS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted()
    .map((file) => readFileSync(join(RECORDINGS, file), 'utf8'))
    .join('\n');
}
