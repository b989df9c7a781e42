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
import { user } from '../../recordings/support/claudeCodeLines';
import { jsonl, transcriptOf, tokensByLength } from '../../recordings/support/drawnTranscript';

const FOLDER = resolve(__dirname, '../../../../shared/transcripts');
const FILES = existsSync(FOLDER)
  ? readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.startsWith('claude-code') && file.endsWith('.jsonl'),
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
    expect(after({ usage: usage(100, 20) })).toMatchObject({ cause: 'unknown' });
  });

  it('is unknown, and says so, if not even tools and system prompt were read', () => {
    expect(after({})).toMatchObject({ cause: 'nothingRead' });
    expect(
      causeText(writesByCause([cacheWrites([first, { ...first, step: 2 }])]).rewrites[1]!),
    ).toBe('unknown, and not even tools or system prompt were read: 1 request, 100 tokens');
    // Nothing was cached that could be read.
    const none = { ...first, usage: { ...usage(0, 0), inputTokens: 50 } };
    expect(cacheWrites([none, { ...first, step: 2 }]).rewrites[0]).toMatchObject({
      cause: 'unknown',
    });
  });

  it('has not expired within the hour that its cache was written for', () => {
    const hour = { ...first, usage: usage(100, 0, 100) };
    const later = (at: number) => ({ step: 2, model: 'a', usage: usage(100, 10), at });
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

  it('is what the usage itself shows: new content, a smaller window, or many blocks at once', () => {
    // All of the 100 tokens that the first request cached were read.
    expect(after({ usage: usage(300, 100), at: 9 * MINUTE })).toMatchObject({ cause: 'grown' });
    expect(after({ usage: usage(300, 99) })).toMatchObject({ cause: 'unknown' });
    expect(after({ usage: usage(99, 0), blocks: 30 })).toMatchObject({ cause: 'shrunk' });
    expect(after({ usage: usage(200, 20), blocks: 20 })).toMatchObject({ cause: 'blocks' });
    expect(after({ usage: usage(200, 20), blocks: 19 })).toMatchObject({ cause: 'unknown' });
    expect(after({ usage: usage(99, 0), changed: 'compacted' })).toMatchObject({
      cause: 'compacted',
    });
    const calls = Array.from({ length: 11 }, (_, n) => ({
      type: 'tool_use',
      id: `t${n}`,
      name: 'Read',
    }));
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'a' }));
    const reply = (id: string, content: object) => ({
      type: 'assistant',
      message: { id, role: 'assistant', model: 'm', content, usage: { input_tokens: 1 } },
    });
    const { entries } = transcriptOf(
      jsonl(
        asked('Go'),
        reply('m1', calls),
        user(results),
        said('Yes.', 'm2'),
        asked('On'),
        reply('m3', [{ type: 'text', text: 'Done.' }]),
      ),
      'claude-code',
    );
    const requests = requestsInRecording({ entries });
    expect(requests.map(({ step, blocks }) => [step, blocks])).toEqual([
      [1, 1],
      [3, 2],
    ]);
    const at = entries.findIndex((entry) => entry.type === 'reply' && entry.responseId === 'm2');
    const counted = entries.map((entry, index) =>
      index === at ? { ...entry, usage: usage(1, 1) } : entry,
    );
    expect(requestsInRecording({ entries: counted })[1]).toMatchObject({ step: 2, blocks: 22 });
  });

  it('is that a server of tools is gone, or that the thinking level is another one', () => {
    const delta = (removedNames: readonly string[]) => ({
      type: 'attachment',
      attachment: { type: 'deferred_tools_delta', addedNames: ['other'], removedNames },
    });
    const changesIn = (lines: string, format: 'claude-code' | 'pi') =>
      transcriptOf(lines, format).entries.flatMap((entry) =>
        entry.type === 'reply' ? [entry.changed] : [],
      );
    expect(
      changesIn(
        jsonl(
          asked('Go'),
          said('Yes.', 'm1'),
          asked('On'),
          delta(['query']),
          said('Yes.', 'm2'),
          asked('On'),
          delta([]),
          said('Yes.', 'm3'),
        ),
        'claude-code',
      ),
    ).toEqual([undefined, 'preamble', undefined]);
    const message = (role: string) => ({
      type: 'message',
      message: { role, content: [{ type: 'text', text: 'a' }], model: 'm' },
    });
    const level = (thinkingLevel: string) => ({ type: 'thinking_level_change', thinkingLevel });
    const turn = [message('user'), message('assistant')];
    const session = { type: 'session', id: 'p', thinkingLevel: 'off' };
    expect(
      changesIn(
        jsonl(
          session,
          ...turn,
          level('low'),
          level('off'),
          ...turn,
          level('high'),
          ...turn,
          ...turn,
        ),
        'pi',
      ),
    ).toEqual([undefined, undefined, 'thinking', undefined]);
    expect(after({ changed: 'thinking' })).toMatchObject({ cause: 'thinking' });
    expect(after({ changed: 'thinking', usage: usage(300, 100) })).toMatchObject({
      cause: 'grown',
    });
    expect(after({ changed: 'preamble', at: 9 * MINUTE })).toMatchObject({ cause: 'preamble' });
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
