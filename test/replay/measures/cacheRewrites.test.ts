import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTranscript } from '../../../src/recordings/importTranscript';
import {
  cacheWrites,
  requestsInRecording,
  writesByCause,
} from '../../../src/replay/measures/cacheRewrites';
import { causeText, rewritesText } from '../../../src/replay/measures/cacheText';
import { asked, said } from '../support/recordedLines';
import { jsonl, transcriptOf, tokensByLength } from '../../recordings/support/drawnTranscript';

const FOLDER = resolve(__dirname, '../../../../shared/transcripts/claude-code');
const FILES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.jsonl'),
    )
  : [];
if (FILES.length === 0) console.log(`No recordings in ${FOLDER}: these tests are skipped.`);

/** The cache writes in a file, each response once, without the importer. */
function writtenIn(text: string): number {
  const lines = text.split('\n').flatMap((one) => (one === '' ? [] : [JSON.parse(one)]));
  const said = lines.filter(({ type }) => type === 'assistant');
  const isSubagent = said.every(({ isSidechain }) => isSidechain === true);
  const own = said.filter(({ isSidechain }) => isSubagent || isSidechain !== true);
  const byId = new Map(own.map(({ message }) => [message.id, message]));
  return [...byId.values()]
    .filter(({ model }) => model !== '<synthetic>')
    .reduce((sum, { usage }) => sum + (usage?.cache_creation_input_tokens ?? 0), 0);
}

const usage = (written: number, read: number, hour = 0) => ({
  inputTokens: 0,
  cacheCreationTokens: written,
  cacheReadTokens: read,
  outputTokens: 1,
  ...(hour === 0 ? {} : { cacheCreation1hTokens: hour }),
});
const MINUTE = 60_000;

describe('a request that wrote most of its window to the cache', () => {
  const first = { step: 1, model: 'a', usage: usage(100, 0), at: 0 };
  const after = (second: object) =>
    cacheWrites([first, { step: 2, model: 'a', usage: usage(100, 0), at: MINUTE, ...second }])
      .rewrites[1];

  it('has the cause that is known', () => {
    expect(cacheWrites([first]).rewrites).toMatchObject([{ cause: 'first', tokens: 100 }]);
    expect(after({ changed: 'compacted' })).toMatchObject({ cause: 'compacted' });
    expect(after({ changed: 'cleared' })).toMatchObject({ cause: 'cleared' });
    expect(after({ model: 'b' })).toMatchObject({ cause: 'model' });
    expect(after({ at: 6 * MINUTE })).toMatchObject({ cause: 'expired', idleMs: 6 * MINUTE });
    expect(after({})).toMatchObject({ cause: 'unknown' });
  });

  it('has not expired within the hour that its cache was written for', () => {
    const hour = { ...first, usage: usage(100, 0, 100) };
    const later = (at: number) => ({ step: 2, model: 'a', usage: usage(100, 0), at });
    expect(cacheWrites([hour, later(6 * MINUTE)]).rewrites[1]).toMatchObject({ cause: 'unknown' });
    expect(cacheWrites([hour, later(61 * MINUTE)]).rewrites[1]).toMatchObject({ cause: 'expired' });
  });

  it('is that the session was resumed, unless the cache had expired anyway', () => {
    expect(after({ resumed: true })).toMatchObject({ cause: 'resumed' });
    expect(after({ resumed: true, at: 6 * MINUTE })).toMatchObject({ cause: 'expired' });
    const hook = { type: 'progress', data: { hookName: 'SessionStart:resume' } };
    const lines = jsonl(asked('Go'), said('Yes.', 'm1'), asked('On'), hook, said('Yes.', 'm2'));
    const { entries } = transcriptOf(lines, 'claude-code');
    expect(entries.map((entry) => entry.type === 'reply' && entry.resumed === true)).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('adds up by cause, and says for how long no request had used an expired cache', () => {
    const idle = (step: number, minutes: number) => ({
      step,
      model: 'claude-sonnet-4-5',
      usage: usage(100, 0),
      at: minutes * MINUTE,
    });
    const writes = writesByCause([cacheWrites([idle(1, 0), idle(2, 6), idle(3, 100)])]);
    expect(rewritesText(writes)).toBe('3 of 3 requests made 100 % of all cache writes');
    expect(writes.rewrites.map(causeText)).toEqual([
      'cache expired after 6 minutes to 1 hour: 2 requests, 200 tokens, $0.0008',
      'first request: 1 request, 100 tokens, $0.0004',
    ]);
    expect(rewritesText(writesByCause([]))).toBeUndefined();
  });

  it('is none if it wrote at most half', () => {
    const half = { step: 2, model: 'a', usage: usage(50, 50) };
    expect(cacheWrites([first, half])).toMatchObject({ requests: 2, otherTokens: 50 });
    expect(cacheWrites([first, half]).rewrites).toHaveLength(1);
  });
});

describe.skipIf(FILES.length === 0)('the cache writes of a recording', () => {
  it.each(FILES)('add up to the usage in %s', (file) => {
    const text = readFileSync(join(FOLDER, file), 'utf8');
    const imported = importTranscript(text, 'auto', file, tokensByLength);
    if (!imported.ok) throw new Error(imported.message);
    const { rewrites, otherTokens } = cacheWrites(requestsInRecording(imported.transcript));
    const rewritten = rewrites.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(rewritten + otherTokens).toBe(writtenIn(text));
    // Without a compaction in the file none is a cause.
    const isCompacted = imported.transcript.entries.some(({ type }) => type === 'compacted');
    const named = rewrites.some(({ cause }) => cause === 'compacted' || cause === 'cleared');
    if (!isCompacted) expect(named).toBe(false);
  });
});
