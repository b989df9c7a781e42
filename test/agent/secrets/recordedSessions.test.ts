import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../src/agent/secrets/secretShapes';
import { importTranscript } from '../../../src/recordings/importTranscript';
import { tokensByLength } from '../../recordings/support/drawnTranscript';

const FOLDER = resolve(__dirname, '../../../../shared/transcripts');
const FILES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.jsonl?$/.test(file))
      .toSorted()
  : [];
if (FILES.length === 0) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

/** The results of a recording that Plimsoll can read. */
function resultsIn(file: string): readonly string[] {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  const read = importTranscript(text, 'auto', file, tokensByLength);
  return read.ok
    ? read.transcript.entries.flatMap((entry) =>
        entry.type === 'reply' ? entry.results.map((result) => result.text) : [],
      )
    : [];
}

/** The rules that mask something in these results, with the number of results. */
function maskedBy(results: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of results) {
    for (const kind of new Set(findSecrets(text).map((found) => found.kind)))
      counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Those who published these recordings removed the keys, so each masked result is a false alarm. */
describe.skipIf(FILES.length === 0)('recorded results', () => {
  const results = FILES.flatMap(resultsIn);

  it('are masked by no rule', () => {
    expect(results.length).toBeGreaterThan(3_500);
    expect(maskedBy(results)).toEqual({});
  });

  it('are masked where they hold a key', () => {
    const planted = results
      .filter((text) => text.length > 200)
      .map((text) => `${text.slice(0, 100)} AKIA${'Q7'.repeat(8)} ${text.slice(100)}`);
    expect(maskedBy(planted)).toEqual({ 'AWS key': planted.length });
  });
});
