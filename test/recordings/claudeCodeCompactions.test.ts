import { describe, expect, it } from 'vitest';
import { drawn, jsonl } from './support/drawnTranscript';
import { user, assistant, call, result, text } from './support/claudeCodeLines';

describe('the compactions of a Claude Code session', () => {
  it('have their summary, or what they cleared', () => {
    const recording = jsonl(
      user('Go'),
      assistant('m1', call('t1')),
      user([result('t1')]),
      {
        type: 'system',
        subtype: 'microcompact_boundary',
        microcompactMetadata: { compactedToolIds: ['t1', 'unknown'] },
      },
      assistant('m2', text('On.')),
      { type: 'system', subtype: 'compact_boundary' },
      user('What was done so far', { isCompactSummary: true }),
      assistant('m3', text('Further.')),
      { type: 'system', subtype: 'compact_boundary' },
      assistant('m4', text('End.')),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply read(t1)=ok',
      'compacted clears t1',
      'reply On.',
      'compacted What was done so far',
      'reply Further.',
      'compacted ',
      'reply End.',
    ]);
  });

  it('have a late summary where the compaction happened', () => {
    const boundary = (uuid: string) => ({ type: 'system', subtype: 'compact_boundary', uuid });
    const summary = (words: string, parentUuid: string | null) =>
      user(words, { isCompactSummary: true, parentUuid });
    const recording = jsonl(
      user('Go'),
      assistant('m1', text('On.')),
      boundary('b1'),
      { type: 'attachment', attachment: { type: 'queued_command', prompt: 'Also b' } },
      user('And hurry'),
      summary('After a prompt', null),
      assistant('m2', text('Further.')),
      boundary('b2'),
      assistant('m3', text('Still.')),
      summary('After a reply', 'b2'),
      assistant('m4', text('More.')),
      boundary('b3'),
      assistant('m5', text('End.')),
      summary('Of nothing before it', null),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply On.',
      'compacted After a prompt',
      'prompt Also b',
      'prompt And hurry',
      'reply Further.',
      'compacted After a reply',
      'reply Still.',
      'reply More.',
      'compacted ',
      'reply End.',
      'compacted Of nothing before it',
    ]);
  });

  it('keep the messages that a boundary names, or all messages of a range', () => {
    const boundary = (compactMetadata: object) => ({
      type: 'system',
      subtype: 'compact_boundary',
      compactMetadata,
    });
    const segment = { headUuid: 'u2', anchorUuid: 'x', tailUuid: 'r2' };
    const recording = jsonl(
      user('Go'),
      assistant('m1', text('On.')),
      user('More', { uuid: 'u2' }),
      assistant('m2', text('I look.')),
      assistant('m2', call('t1'), { uuid: 'a2' }),
      user([result('t1')], { uuid: 'r2' }),
      boundary({ preservedSegment: segment }),
      user('So far', { isCompactSummary: true }),
      assistant('m3', text('End.'), { uuid: 'a3' }),
      boundary({
        preservedMessages: { uuids: ['a2', 'a3'], allUuids: ['a2', 'r2', 'a3'] },
        preservedSegment: segment,
      }),
      user('Again', { isCompactSummary: true }),
      boundary({ preservedSegment: { headUuid: 'gone', tailUuid: 'a3' } }),
    );
    expect(drawn(recording)).toEqual([
      'prompt Go',
      'reply On.',
      'prompt More',
      'reply I look. read(t1)=ok',
      'compacted So far keeping 2 3',
      'reply End.',
      'compacted Again keeping 3 5',
      'compacted ',
    ]);
  });

  it('are read in thousands, each with the messages that it keeps', () => {
    const rounds = Array.from({ length: 20_000 }, (_, n) => [
      user(`Prompt ${n}`, { uuid: `p${n}` }),
      assistant(`m${n}`, text('On.'), { uuid: `a${n}` }),
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid: `b${n}`,
        compactMetadata:
          n % 2 === 0
            ? { preservedSegment: { headUuid: `p${n}`, tailUuid: `a${n}` } }
            : { preservedMessages: { uuids: [`a${n}`] } },
      },
      user('So far', { isCompactSummary: true, parentUuid: `b${n}` }),
    ]);
    const before = process.cpuUsage();
    const lines = drawn(jsonl(...rounds.flat()));
    // Searching all lines for each would take minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(8_000_000);
    expect(lines.slice(0, 6)).toEqual([
      'prompt Prompt 0',
      'reply On.',
      'compacted So far keeping 0 1',
      'prompt Prompt 1',
      'reply On.',
      'compacted So far keeping 4',
    ]);
    expect(lines.at(-1)).toBe('compacted So far keeping 59998');
  });

  it('keep nothing where the lines that they name are missing', () => {
    const kept = (compactMetadata: unknown) =>
      drawn(
        jsonl(
          { ...user('Go'), uuid: undefined },
          assistant('m1', text('On.'), { uuid: 'a' }),
          { type: 'system', subtype: 'compact_boundary', compactMetadata },
          assistant('m2', text('End.')),
        ),
      )[2];
    for (const odd of [
      { preservedSegment: {} },
      { preservedSegment: { headUuid: 'x', tailUuid: 'a' } },
      { preservedMessages: { uuids: ['x', 7] } },
      { preservedMessages: 7, preservedSegment: 'a' },
    ]) {
      expect(kept(odd)).toBe('compacted ');
    }
    expect(kept({ preservedSegment: { headUuid: 'a', tailUuid: 'a' } })).toBe(
      'compacted  keeping 1',
    );
  });
});
