import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HELP, readArguments } from '../../src/cli/commandLine';
import type { Options } from '../../src/cli/options';
import {
  readReplayArguments,
  REPLAY_HELP,
  REPLAY_OPTIONS,
  type ReplayOptions,
} from '../../src/cli/replayOptions';
import { INSPECT_HELP, INSPECT_OPTIONS } from '../../src/cli/inspect';
import { SESSIONS_HELP, SESSIONS_OPTIONS } from '../../src/cli/sessions';
import { RUN_HELP, RUN_OPTIONS, SANDBOX_TEXT, YES_TEXT } from '../../src/cli/runOptions';
import { versionNear } from '../../src/cli/terminal';
import { GRAMMAR } from '../support/grammar';
import { tempFolder } from '../tools/support/tempFolder';
import { plimsoll } from './support/plimsoll';

function optionsOf(...args: readonly string[]): ReplayOptions {
  const read = readReplayArguments(args);
  if (!read.ok) throw new Error(read.message);
  return read.value;
}

function refusalOf(...args: readonly string[]): string {
  const read = readReplayArguments(args);
  if (read.ok) throw new Error('it was taken');
  return read.message;
}

describe('the arguments of plimsoll replay', () => {
  it('have the defaults of the editor', () => {
    expect(optionsOf('a.jsonl')).toEqual({
      files: ['a.jsonl'],
      format: 'auto',
      policies: ['ladder'],
      budget: {
        contextWindowTokens: 200_000,
        maxReplyTokens: 4_096,
        safetyHeadroomTokens: 2_048,
        toolResultHeadroomTokens: 8_192,
        highWatermark: 0.8,
        lowWatermark: 0.5,
        inputBudget: 185_664,
        highTokens: 148_531,
        lowTokens: 92_832,
      },
      settings: {
        maxMessages: 40,
        keepTurns: 20,
        keepRecentTurns: 2,
        maxHistoryTurns: 0,
        summaries: true,
        excerptShare: 0.75,
      },
      pinTaskAnchor: true,
      fileOnly: false,
      ignorePauses: false,
      json: false,
      toolResultCapTokens: 8_000,
      turns: false,
    });
  });

  it('have the caps of the editor for a very large window', () => {
    expect(optionsOf('a', '--window', '1000000').budget).toMatchObject({
      safetyHeadroomTokens: 10_000,
      inputBudget: 977_712,
      highTokens: 200_000,
      lowTokens: 120_000,
    });
  });

  it('are used as given', () => {
    const line =
      'a.jsonl b.json --format pi --compare summarise,none,summarise --window 64000 --max-reply 2000 ' +
      '--safety 0 --tool-headroom 0 --high 0.9 --low 0.4 --keep-turns 3 --max-messages 8 --no-pin ' +
      '--summariser http://localhost:1 --judge http://localhost:2 --judge-model claude-x ' +
      '--requests r --ledger l --json';
    const options = optionsOf(...line.split(' '));
    expect(options).toMatchObject({
      files: ['a.jsonl', 'b.json'],
      format: 'pi',
      policies: ['summarise', 'none'],
      budget: { inputBudget: 62_000, highWatermark: 0.9, lowWatermark: 0.4 },
      settings: { keepTurns: 3, maxMessages: 8 },
      pinTaskAnchor: false,
      summariserUrl: 'http://localhost:1',
      judgeUrl: 'http://localhost:2',
      judgeModel: 'claude-x',
      requestsFile: 'r',
      ledgerFile: 'l',
      json: true,
    });
    expect(optionsOf('a', '--summariser', 'note').summariserUrl).toBeUndefined();
  });

  it('accept watermarks in tokens, too', () => {
    expect(optionsOf('a', '--high', '120000', '--low', '0.25').budget).toMatchObject({
      highTokens: 120_000,
      lowTokens: 46_416,
    });
    expect(refusalOf('a', '--high', '80')).toBe(
      '--high must be a fraction of the input budget below 1, for example 0.8, or a number of ' +
        'tokens of at least 1,000, not "80".',
    );
    expect(refusalOf('a', '--high', '185664')).toBe(
      '--high must be below the input budget of 185,664 tokens, not 185664.',
    );
    expect(refusalOf('a', '--low', '150000')).toBe(
      '--low must be below the high watermark (0.8, here 148,531 tokens), not 150000.',
    );
  });

  it.each([
    ['FILE', []],
    ['--fast', ['a', '--fast']],
    ['--format', ['a', '--format', 'word']],
    ['--policy', ['a', '--policy', 'best']],
    ['--compare', ['a', '--compare', 'ladder,best']],
    ['--compare', ['a', '--compare', '']],
    ['--policy or --compare', ['a', '--policy', 'ladder', '--compare', 'none']],
    ['--window', ['a', '--window', 'big']],
    ['--window', ['a', '--window', '5000']],
    ['--max-reply', ['a', '--max-reply', '0']],
    ['--safety', ['a', '--safety', '1.5']],
    ['--tool-headroom', ['a', '--tool-headroom', '']],
    ['--high', ['a', '--high', '1']],
    ['--low', ['a', '--low', '0.8']],
    ['--low', ['a', '--low', 'half']],
    ['--keep-turns', ['a', '--keep-turns', '0']],
    ['--max-messages', ['a', '--max-messages', '1']],
    ['--summariser', ['a', '--summariser', 'ftp://x']],
    ['--judge must begin with https://', ['a', '--judge', 'http://example.com']],
    ['--turns or --judge', ['a', '--turns', '--judge', 'http://localhost:1']],
  ])('are rejected by name if they are wrong: %s', (name, args) => {
    expect(refusalOf(...args)).toContain(name);
  });
});

const FRONT = readFileSync(join(__dirname, '..', '..', 'README.md'), 'utf8');
const PAGE = readFileSync(join(__dirname, '..', '..', 'src', 'cli', 'README.md'), 'utf8');

/** A value for each option, by its placeholder in the help. */
const VALUES: Readonly<Record<string, string>> = {
  MODE: 'plan',
  F: 'pi',
  P: 'summarise',
  'P1,P2,...': 'ladder,none',
  N: '9000',
  M: '0.6',
  S: 'note',
  WHAT: 'summary',
  COMMAND: 'true',
  URL: 'http://localhost:1',
  TIME: '30d',
};

describe('every option', () => {
  const options = (command: string, table: Options, help: string, ...first: readonly string[]) =>
    Object.entries(table).map(([name, { value }]) => ({ command, name, value, help, first }));

  it.each([
    ...options('run', RUN_OPTIONS, RUN_HELP, '--task', 'x'),
    ...options('replay', REPLAY_OPTIONS, REPLAY_HELP, 'a.jsonl', '--window', '100000'),
    ...options('sessions', SESSIONS_OPTIONS, SESSIONS_HELP),
    ...options('inspect', INSPECT_OPTIONS, INSPECT_HELP).map((option) =>
      ['since', 'windows'].includes(option.name) ? { ...option, first: ['--all'] } : option,
    ),
  ])(
    'is read, and is in the help and in the manual: $command --$name',
    ({ name, value, ...of }) => {
      const { command, help, first } = of;
      const given = value === undefined ? [] : [VALUES[value] ?? 'x'];
      const read = readArguments([command, ...first, `--${name}`, ...given], '/');
      expect(read.type).toBe(command);
      const form = `  --${name}${value === undefined ? '' : ` ${value}`}  `;
      expect(help).toContain(form);
      expect(PAGE).toContain(form);
      expect(readArguments([command, ...first, `--not-${name}`], '/').type).toBe('badUsage');
    },
  );
});

describe('help', () => {
  it('lists all commands, and one command after its name', () => {
    expect(readArguments(['--help'], '/')).toEqual({ type: 'help', text: HELP });
    expect(readArguments(['help'], '/')).toEqual({ type: 'help', text: HELP });
    const each = [
      readArguments(['run', '--help'], '/'),
      readArguments(['replay', 'x', '-h'], '/'),
      readArguments(['sessions', '-h'], '/'),
      readArguments(['inspect', '-h'], '/'),
    ];
    expect(each.every(({ type }) => type === 'help')).toBe(true);
    const version = 'plimsoll --version says which version this is.';
    const texts = each.map((args) => ('text' in args ? args.text : ''));
    expect(HELP).toBe([...texts, version].join('\n\n'));
    expect(readArguments(['--version'], '/')).toEqual({ type: 'version' });
  });

  it('is followed by the version, which is that of the package of the bundles', async () => {
    const folder = tempFolder({ 'package.json': '{ "version": "1.2.3" }' });
    expect(versionNear(join(folder, 'dist'))).toBe('1.2.3');
    const { code, stdout } = await plimsoll(['--version'], folder);
    expect([code, stdout]).toEqual([0, `plimsoll ${versionNear(GRAMMAR)}\n`]);
  });

  it('describes --yes and --sandbox as the pages do', () => {
    const words = (text: string) =>
      text
        .replaceAll('`', '')
        .replace(/\bDIR\b/g, 'the folder')
        .replace(/\s+/g, ' ');
    expect(words(PAGE)).toContain(words(YES_TEXT));
    expect(words(PAGE)).toContain(words(SANDBOX_TEXT));
    expect(words(FRONT)).toContain(words(YES_TEXT));
    expect(words(FRONT)).toContain(words(SANDBOX_TEXT));
    expect(RUN_HELP).toContain(`${YES_TEXT}\n\n${SANDBOX_TEXT}`);
  });

  it('says what --judge sends, and that it costs money', () => {
    const words = REPLAY_HELP.replace(/\s+/g, ' ');
    expect(words).toContain('This sends the recording there and costs money: up to 128 requests');
    expect(PAGE).toContain('costs money, up to 8 windows with 8 questions each');
  });

  it('is no wider than a terminal of 100 columns', () => {
    expect(HELP.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });
});
