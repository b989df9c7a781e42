import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fit,
  type MentionSources,
  Mentions,
  pathChoices,
} from '../../../src/editor/composer/mentions';
import type { Mention } from '../../../src/editor/composer/state';
import { mentionSources } from '../support/mentionSources';

const LINES = { path: 'src/loadLine.js', first: 3, last: 9, text: 'some lines' };

/** The name of a mention's chip, and its text or why there is none. */
async function given(mention: Mention, parts: Partial<MentionSources> = {}) {
  const mentions = new Mentions(mentionSources(parts));
  const read = await mentions.read(mention);
  return [
    mentions.head(mention).name,
    read.ok && 'text' in read ? read.text : `refused: ${read.ok ? '' : read.message}`,
  ];
}

describe('the content of a mention', () => {
  it('of a file is its text, of a folder the list of its files', async () => {
    expect(await given({ type: 'file', path: 'src/loadLine.js' })).toEqual([
      'src/loadLine.js',
      'const load = 1;',
    ]);
    expect(await given({ type: 'folder', path: 'src' })).toEqual([
      'src',
      'src/loadLine.js\nsrc/ship/hull.js',
    ]);
    const missing = await given({ type: 'file', path: '../secret' });
    expect(missing[1]).toBe('refused: ../secret does not exist.');
    const noFolder = { workspace: async () => undefined };
    expect((await given({ type: 'file', path: 'a' }, noFolder))[1]).toBe(
      'refused: No folder is open.',
    );
  });

  it('of a selection is its lines, named with their position', async () => {
    expect(await given({ type: 'selection' }, { selection: () => LINES })).toEqual([
      'src/loadLine.js:3-9',
      'some lines',
    ]);
    expect((await given({ type: 'selection' }))[1]).toBe(
      'refused: Nothing is selected in the editor.',
    );
  });

  it('of problems is one line each, or a note that there are none', async () => {
    const problems = () => [
      { path: 'a.ts', line: 2, severity: 'error', message: 'No name.', source: 'ts 2304' } as const,
      { path: 'b.ts', line: 7, severity: 'warning', message: 'Unused.' } as const,
    ];
    expect(await given({ type: 'problems' }, { problems })).toEqual([
      'problems',
      'a.ts:2: error: No name. (ts 2304)\nb.ts:7: warning: Unused.',
    ]);
    expect((await given({ type: 'problems' }))[1]).toBe('There are no errors or warnings.');
  });

  it('of git, a terminal, a symbol or a page is its text, or why there is none', async () => {
    const there: Partial<MentionSources> = {
      changes: async () => '+ a line',
      terminal: async () => ({ ok: true, text: 'npm test' }),
      symbolText: async () => LINES,
    };
    const symbol = { type: 'symbol', name: 'load', path: 'src/loadLine.js', line: 3 } as const;
    const page = { type: 'page', url: 'https://example.com/' } as const;
    for (const [mention, name, text, none] of [
      [{ type: 'changes' }, 'changes', '+ a line', 'There is no git repository here.'],
      [{ type: 'terminal' }, 'terminal', 'npm test', 'There is no terminal.'],
      [symbol, 'load (src/loadLine.js:3)', 'some lines', 'load was not found in src/loadLine.js.'],
    ] as const) {
      expect(await given(mention, there)).toEqual([name, text]);
      expect(await given(mention)).toEqual([name, `refused: ${none}`]);
    }
    expect(await given(page)).toEqual([page.url, `the page at ${page.url}`]);
    expect((await given({ type: 'changes' }, { changes: async () => '' }))[1]).toBe(
      'There are no uncommitted changes.',
    );
  });
});

describe('the mentions that @ offers', () => {
  const labels = async (query: string, parts: Partial<MentionSources> = {}) =>
    (await new Mentions(mentionSources(parts)).choices(query)).map(({ label }) => label);

  it('are sources without a name first, then files and folders', async () => {
    const parts = { selection: () => LINES, hasTerminal: () => true };
    expect((await labels('', parts)).slice(0, 3)).toEqual(['selection', 'git', 'terminal']);
    expect(await labels('')).toEqual(
      expect.arrayContaining(['README.md', 'loadLine.js', 'src/', 'ship/']),
    );
  });

  it('match by name before path, and by scattered letters', async () => {
    expect(await labels('load')).toEqual(['loadLine.js', 'loadLine.test.js']);
    expect(await labels('hull')).toEqual(['hull.js']);
    expect(await labels('src/')).toEqual(['src/', 'ship/', 'loadLine.js', 'hull.js']);
    expect(await labels('lnjs')).toEqual(['loadLine.js', 'loadLine.test.js']);
    expect(await labels('zzz')).toEqual([]);
  });

  it('include symbols after two letters, and a complete URL', async () => {
    const symbols = async (query: string) => [{ name: `${query}Line`, path: 'a.js', line: 1 }];
    expect(await labels('l', { symbols })).not.toContain('lLine');
    expect(await labels('load', { symbols })).toContain('loadLine');
    const url = 'https://example.com/a?b';
    expect(await new Mentions(mentionSources()).choices(url)).toEqual([
      { mention: { type: 'page', url }, label: url, detail: 'Fetch this page' },
    ]);
  });

  it('are only those that match, exact names first', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1 })), fc.string(), (paths, query) => {
        const clean = paths.filter((path) => !path.endsWith('/'));
        for (const { mention } of pathChoices(clean, query)) {
          const path = 'path' in mention ? mention.path : '';
          expect(fit(path, query)).toBeDefined();
        }
      }),
    );
  });
});

describe('the list of mentions', () => {
  const labels = async (query: string, parts: Partial<MentionSources> = {}) =>
    (await new Mentions(mentionSources(parts)).choices(query)).map(({ label }) => label);

  it('has the files used last before others that match as well', async () => {
    const recent = () => ['test/loadLine.test.js', 'src/ship/hull.js', 'gone.js'];
    const files = (await labels('', { recent })).filter((label) => label.endsWith('.js'));
    expect(files).toEqual(['loadLine.test.js', 'hull.js', 'loadLine.js']);
    // A better match still comes first.
    expect((await labels('loadLine.js', { recent }))[0]).toBe('loadLine.js');
  });

  it('has the uncommitted changes as git, and by their former name', async () => {
    expect((await labels('git'))[0]).toBe('git');
    expect((await labels('change'))[0]).toBe('git');
  });
});
