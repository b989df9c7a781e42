import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  lossCostText,
  lossDidText,
  lossesText,
  lossInstructionsText,
  lossLimits,
  lossName,
  lossSizeText,
  lossSummaryText,
  neededSumText,
  needText,
} from '../../../src/replay/losses/lossText';
import { lossesOf } from '../../../src/replay/losses/findLosses';
import { lossesUntil, type RecordedLoss } from '../../../src/replay/losses/recordedLoss';
import { replayAsRecorded } from '../../../src/replay/replay';
import { jsonl, transcriptOf } from '../../recordings/support/drawnTranscript';
import { RECORDINGS, RECORDINGS_FOLDER } from '../support/realRecordings';
import { asked, bare, call, cleared, said, summed, usage } from '../support/recordedLines';
import { estimate, settingsOf } from '../support/replayed';

const counting = { estimate, warm: () => Promise.resolve() };

async function lossesIn(text: string): Promise<readonly RecordedLoss[]> {
  const transcript = transcriptOf(text, 'claude-code');
  const ports = { ...counting, validate: () => undefined, now: () => 0 };
  const replayed = await replayAsRecorded(transcript, settingsOf('recorded', 100_000), ports);
  if (replayed === 'stopped') throw new Error('No one stopped it.');
  return lossesOf(transcript, replayed, counting);
}

const lost = (...lines: readonly unknown[]) => lossesIn(jsonl(...lines.flat()));

const parser = ['export function parse(text) {', '  return text.split(",");', '}'].join('\n');
const readParser = ['Read', { file_path: '/app/src/parser.ts' }, parser] as const;
const readLexer = ['Read', { file_path: '/app/src/lexer.ts' }, 'export const lex = 1;'] as const;
const runTests = ['Bash', { command: 'npm test' }, '3 tests failed in 1.2s'] as const;
const editParser = [
  'Edit',
  { file_path: '/app/src/parser.ts', old_string: 'text.split(",")', new_string: 'text.split(";")' },
  'done',
] as const;

/** A session that reads two files and runs the tests, and is compacted. */
const compacted = [
  asked('Split at semicolons. Never touch src/lexer.ts.'),
  ...call('t1', readParser, { usage: usage(0, 20_000) }),
  ...call('t2', readLexer),
  ...call('t3', runTests, { usage: usage(20_000, 1_000) }),
  said('Three tests fail.', 'm4'),
  ...summed('We looked at src/parser.ts. Never touch src/lexer.ts.'),
  asked('Go on'),
];

describe('a compaction of a recorded agent', () => {
  it('loses a file that is read again, a command that runs again, and the text of an edit', async () => {
    const [loss, ...others] = await lost(
      ...compacted,
      ...call('t5', editParser, { usage: usage(0, 5_000), isError: true }),
      ...call('t6', readParser),
      ...call('t7', [...runTests.slice(0, 2), '3 tests failed in 2.5s'] as never),
      said('Now it is known.', 'm8'),
    );
    expect(others).toEqual([]);
    expect(loss?.needed.map(({ kind, step, blockId }) => [kind, step, blockId])).toEqual([
      ['edit', 5, 'step-1'],
      ['read', 6, 'step-1'],
      ['command', 7, 'step-3'],
    ]);
    expect(loss?.needed.map(needText)).toEqual([
      'Edited without its text in the window at step 5: /app/src/parser.ts (failed)',
      'Read again at step 6: /app/src/parser.ts (≈ 19 tokens, ≈ $0.0001)',
      'Run again with the same result at step 7: npm test (≈ 8 tokens, under $0.0001)',
    ]);
    expect(neededSumText(loss!.needed)).toBe('Needed again: 3 times, ≈ 27 tokens.');
  });

  it('has the counts of the requests around it, its blocks, and what the summary kept', async () => {
    const [loss] = await lost(...compacted, ...call('t5', readParser, { usage: usage(0, 5_000) }));
    expect(lossName(loss!)).toBe('Compaction 1');
    expect(loss).toMatchObject({ beforeStep: 5, after: 5_000, kept: 0 });
    expect(loss?.removed.map(({ label, inSummary }) => [label, inSummary])).toEqual([
      ['Task: Split at semicolons. Never touch src/lexer.ts.', 'lost'],
      ['Read /app/src/parser.ts', 'named'],
      ['Read /app/src/lexer.ts', 'named'],
      ['Bash npm test', undefined],
      ['Reply: Three tests fail.', undefined],
    ]);
    expect(lossDidText(loss!)).toBe('5 blocks replaced by a summary, none kept.');
    expect(lossSummaryText(loss!)).toBe(
      'The summary (≈ 36 tokens) repeats 0 of 1 prompt verbatim, names 2 of 2 files and keeps 1 of 1 limiting sentence.',
    );
    expect(lossCostText(loss!)).toBe(
      'The next request wrote 5,000 tokens to the prompt cache: $0.0313.',
    );
    expect(lossesText([loss!])).toBe(
      'The recorded agent compacted once; 1 thing was needed again.',
    );
  });

  it('loses nothing that was only run or read again because it had changed', async () => {
    const [loss] = await lost(
      ...compacted,
      ...call('t5', ['Edit', { file_path: '/app/a.ts', old_string: 'x', new_string: 'y' }, 'done']),
      ...call('t6', runTests),
      ...call('t7', ['Bash', { command: 'npm test' }, '2 tests failed in 1.2s']),
      ...call('t8', ['Write', { file_path: '/app/src/lexer.ts', content: 'let lex' }, 'done']),
      ...call('t9', ['Read', { file_path: '/app/src/lexer.ts' }, 'let lex']),
      ...call('t10', ['Edit', { file_path: '/app/src/a.ts', old_string: 'n', new_string: '' }, '']),
    );
    expect(loss?.needed).toEqual([]);
    expect(neededSumText([])).toBe('Nothing of it was needed again.');
  });

  it('loses no file that the agent added in full after the summary, until it compacts again', async () => {
    const file = (path: string, numLines: number, totalLines: number) => ({
      type: 'attachment',
      attachment: {
        type: 'file',
        filename: path,
        content: { type: 'text', file: { filePath: path, content: '', numLines, totalLines } },
      },
    });
    const [first, second] = await lost(
      ...compacted.slice(0, -1),
      file('/app/src/parser.ts', 3, 3),
      file('/app/src/lexer.ts', 2, 90),
      compacted.at(-1)!,
      ...call('t5', editParser),
      ...call('t6', readLexer),
      ...summed('So far.'),
      asked('On.'),
      ...call('t7', readLexer),
    );
    expect(first?.needed.map(({ kind, step, what }) => [kind, step, what])).toEqual([
      ['read', 6, '/app/src/lexer.ts'],
    ]);
    expect(lossDidText(first!)).toContain('none kept. 1 file added again.');
    expect(second?.needed.map(({ step }) => step)).toEqual([7]);
    expect(second).not.toHaveProperty('filesAdded');
  });

  it('loses nothing that was run in another folder', async () => {
    const inServer = { command: 'npm test', folder: 'server' };
    const [loss] = await lost(...compacted, ...call('t5', ['Bash', inServer, runTests[2]]));
    expect(loss?.needed).toEqual([]);
  });

  it('loses an answer if the agent asks the same question again, but not a general question', async () => {
    const ask = [
      'AskUserQuestion',
      { questions: [{ question: 'Which port is it?' }] },
      '8',
    ] as const;
    const [loss] = await lost(
      asked('Go'),
      ...call('t1', ask),
      said('Shall I commit this now? Is `parse_line` public?', 'm2'),
      ...summed('We began.'),
      asked('On'),
      ...call('t3', ask),
      said('Shall I commit this now? Is `parse_line` public?', 'm4'),
    );
    expect(loss?.needed.map(needText)).toEqual([
      'Asked again at step 3: Which port is it?',
      'Asked again at step 4: Is `parse_line` public?',
    ]);
  });

  it('is a clearing of results, or a truncation without a summary', async () => {
    const losses = await lost(
      asked('Go'),
      ...call('t1', readParser),
      ...call('t2', readLexer),
      cleared('t1'),
      ...call('t3', readParser, { usage: usage(300) }),
      bare,
      asked('On'),
      ...call('t4', readLexer, { usage: usage(200) }),
      bare,
    );
    expect(losses.map((loss) => [lossName(loss), lossDidText(loss), lossSizeText(loss)])).toEqual([
      ['Clearing 1', 'Results of 1 block cleared, 2 kept.', '100 → 300 tokens'],
      ['Truncation 1', '4 blocks removed without a summary, none kept.', '300 → 200 tokens'],
      [
        'Truncation 2',
        '1 block removed without a summary, 1 kept.',
        '200 tokens before; no request followed',
      ],
    ]);
    expect(losses.map(({ needed }) => needed.map(({ step, what }) => [step, what]))).toEqual([
      [[3, '/app/src/parser.ts']],
      [[4, '/app/src/lexer.ts']],
      [],
    ]);
    expect(losses.map(lossSummaryText)).toEqual(['', '', '']);
    expect(lossesUntil(losses, 3).map(({ needed }) => needed.length)).toEqual([1]);
  });

  it('removes rules and nested instructions until a matching file is read', async () => {
    const rule = (path: string) => ({
      type: 'attachment',
      attachment: { type: 'nested_memory', path },
    });
    const [loss] = await lost(
      asked('Go'),
      ...call('t1', readParser),
      rule('/app/.claude/rules/code.md'),
      rule('/app/src/CLAUDE.md'),
      ...call('t2', readLexer),
      ...summed('We began.'),
      asked('On'),
      ...call('t3', runTests),
      ...call('t4', readParser),
      rule('/app/.claude/rules/code.md'),
      ...call('t5', readLexer),
    );
    expect(lossInstructionsText(loss!)).toBe(
      'Instructions not in the window: /app/.claude/rules/code.md in steps 3 to 4; /app/src/CLAUDE.md from step 3 on.',
    );
    const early = lossesUntil([loss!], 3);
    expect(lossInstructionsText(early[0]!)).toContain('code.md from step 3 on');
    expect(lossLimits('claude-code')).toMatch(/root CLAUDE\.md.*the file does not record it/);
    expect(lossLimits('codex')).not.toContain('Claude');
  });

  it('is not there without a compaction', async () => {
    expect(await lost(asked('Go'), ...call('t1', readParser), ...call('t2', readParser))).toEqual(
      [],
    );
  });
});

describe.skipIf(RECORDINGS.length === 0)('the compactions of real recordings', () => {
  it.each(RECORDINGS)('have the counts of their server, and later needs, in %s', async (name) => {
    const text = readFileSync(join(RECORDINGS_FOLDER, name), 'utf8');
    const losses = await lossesIn(text);
    expect(losses.length).toBe(text.split('boundary","content"').length - 1);
    for (const { before = 0, after = 0, beforeStep, removed, needed, kind } of losses) {
      expect(before).toBeGreaterThan(10_000);
      expect(after).toBeGreaterThan(10_000);
      if (kind === 'compacted') expect(after).toBeLessThan(before / 2);
      expect(removed.length).toBeGreaterThan(0);
      expect(needed.every(({ step }) => step >= beforeStep)).toBe(true);
    }
  });
});
