import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { listFilesIn, searchTextIn, WITHOUT_RIPGREP } from '../../src/tools/search/fileSearch';
import { listFiles } from '../../src/tools/search/listFiles';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { findRipgrep } from '../../src/tools/search/ripgrep';
import { searchText } from '../../src/tools/search/searchText';
import { errorOf } from './support/callTool';
import { installedRipgrep } from './support/installedRipgrep';
import { tempFolder } from './support/tempFolder';

const rg = installedRipgrep();
const onPath = findRipgrep(oneFolder('/none')) !== undefined;

/** Every search engine on this machine; both must give the same results. */
const ENGINES = [
  ...(rg === undefined ? [] : [{ engine: 'ripgrep', rgPath: rg }]),
  ...(onPath ? [] : [{ engine: 'the stand-in for ripgrep', rgPath: undefined }]),
];

const FILES = {
  '.gitignore': 'node_modules\n*.log\n/build/\n!keep.log\n',
  'README.md': 'Plimsoll line\n',
  'a-b/z.ts': 'export const z = 1;\n',
  'a/z.ts': 'export const limit = 2;\n',
  'a/.gitignore': 'generated.ts\n!debug.log\n',
  'a/generated.ts': 'export const limit = 3;\n',
  'a/debug.log': 'limit\n',
  'a/build/out.ts': 'limit\n',
  'build/out.ts': 'limit\n',
  'debug.log': 'limit\n',
  'keep.log': 'limit\n',
  'node_modules/x/index.js': 'module.exports = limit;\n',
  'node_modules/x/.gitignore': 'dist\n',
  'node_modules/x/dist/x.js': 'limit\n',
  '.github/ci.yml': 'limit: 1\n',
  '.git/config': 'limit\n',
  'src/node_modules/y.js': 'limit\n',
  'src/crlf.txt': 'first limit\r\nsecond\r\n',
  'src/binary.dat': Buffer.from('limit\n\0\x01limit\n'),
  'src/long.min.js': `${'a'.repeat(2_000)}limit${'b'.repeat(2_000)}\n`,
  'src/umlaut.txt': `${'ü'.repeat(600)}limit\n`,
  'src/[odd] name!.ts': 'limit\n',
  'src/deep/er/limit.ts': 'one\nlimit limit\nLIMIT\nthe end limit',
};

function fixture(): string {
  const root = tempFolder(FILES);
  symlinkSync('a', join(root, 'linked'));
  symlinkSync(join('a', 'z.ts'), join(root, 'linked.ts'));
  return root;
}

const signal = new AbortController().signal;

it.skipIf(rg === undefined)('a real ripgrep is installed, so both engines are tested', () => {
  expect(ENGINES.map(({ engine }) => engine)).toContain('ripgrep');
});

describe.each(ENGINES)('with $engine', ({ rgPath }) => {
  const listed = async (path: string, glob?: string, limit = 100) => {
    const answer = await listFilesIn(
      { folders: oneFolder(fixture()), rgPath },
      { path, limit, ...(glob === undefined ? {} : { glob }) },
      signal,
    );
    if (!answer.ok) throw new Error(answer.message);
    return answer.more ? [...answer.paths, '...'] : answer.paths;
  };
  const found = async (pattern: string, path = '.', glob?: string, limit = 100) => {
    const answer = await searchTextIn(
      { folders: oneFolder(fixture()), rgPath },
      { pattern, path, limit, ...(glob === undefined ? {} : { glob }) },
      signal,
    );
    if (!answer.ok) throw new Error(answer.message);
    const lines = answer.lines.filter((line) => line !== WITHOUT_RIPGREP);
    expect(lines.length < answer.lines.length).toBe(rgPath === undefined);
    return answer.more ? [...lines, '...'] : lines;
  };

  it('lists files that are not ignored, hidden ones included, sorted', async () => {
    expect(await listed('.')).toEqual([
      '.github/ci.yml',
      '.gitignore',
      'README.md',
      'a/.gitignore',
      'a/build/out.ts',
      'a/debug.log',
      'a/z.ts',
      'a-b/z.ts',
      'keep.log',
      'src/[odd] name!.ts',
      'src/binary.dat',
      'src/crlf.txt',
      'src/deep/er/limit.ts',
      'src/long.min.js',
      'src/umlaut.txt',
    ]);
  });

  it('lists one folder by the rules of the folders above it', async () => {
    expect(await listed('a')).toEqual(['a/.gitignore', 'a/build/out.ts', 'a/debug.log', 'a/z.ts']);
    expect(await listed('src/deep')).toEqual(['src/deep/er/limit.ts']);
    expect(await listed('src', '*.js')).toEqual(['src/long.min.js']);
  });

  it('lists an ignored folder that is named explicitly', async () => {
    expect(await listed('node_modules')).toEqual([
      'node_modules/x/.gitignore',
      'node_modules/x/index.js',
    ]);
    expect(await listed('node_modules/x')).toEqual([
      'node_modules/x/.gitignore',
      'node_modules/x/index.js',
    ]);
    expect(await listed('.git')).toEqual(['.git/config']);
  });

  it('lists the target folder of a link under the name of the target', async () => {
    expect(await listed('linked', '*.ts')).toEqual(['a/build/out.ts', 'a/z.ts']);
  });

  it('omits ignored files, whatever the glob', async () => {
    expect(await listed('.', '*.log')).toEqual(['a/debug.log', 'keep.log']);
    expect(await listed('.', '**/*.js')).toEqual(['src/long.min.js']);
    expect(await listed('.', '**')).toHaveLength(15);
    expect(await listed('.', 'build/**')).toEqual([]);
  });

  it('applies a glob from the root or from the folder', async () => {
    expect(await listed('src', 'deep/**/*.ts')).toEqual(['src/deep/er/limit.ts']);
    expect(await listed('src', 'src/deep/**/*.ts')).toEqual(['src/deep/er/limit.ts']);
    expect(await listed('.', 'src/*.{txt,dat}')).toEqual([
      'src/binary.dat',
      'src/crlf.txt',
      'src/umlaut.txt',
    ]);
    expect(await listed('src', '!src/deep')).not.toContain('src/deep/er/limit.ts');
    expect(await listed('src', '!deep')).not.toContain('src/deep/er/limit.ts');
  });

  it('says when there are more files than the limit', async () => {
    expect(await listed('.', '*.ts', 5)).toEqual([
      'a/build/out.ts',
      'a/z.ts',
      'a-b/z.ts',
      'src/[odd] name!.ts',
      'src/deep/er/limit.ts',
    ]);
    expect(await listed('.', '*.ts', 4)).toHaveLength(5);
    expect((await listed('.', '*.ts', 4)).at(-1)).toBe('...');
  });

  it('finds lines with path and number, each line once, sorted by path', async () => {
    expect(await found('limit')).toEqual([
      '.github/ci.yml:1:limit: 1',
      'a/build/out.ts:1:limit',
      'a/debug.log:1:limit',
      'a/z.ts:1:export const limit = 2;',
      'keep.log:1:limit',
      'src/[odd] name!.ts:1:limit',
      'src/crlf.txt:1:first limit',
      'src/deep/er/limit.ts:2:limit limit',
      'src/deep/er/limit.ts:4:the end limit',
      `src/long.min.js:1:…${'a'.repeat(150)}limit${'b'.repeat(345)}…`,
      `src/umlaut.txt:1:…${'ü'.repeat(495)}limit`,
    ]);
  });

  it('searches one file, even an ignored one, and one folder', async () => {
    expect(await found('limit', 'debug.log')).toEqual(['debug.log:1:limit']);
    expect(await found('limit', 'src/crlf.txt')).toEqual(['src/crlf.txt:1:first limit']);
    expect(await found('limit', 'node_modules/x')).toEqual([
      'node_modules/x/index.js:1:module.exports = limit;',
    ]);
    expect(await found('limit', 'src/deep')).toHaveLength(2);
  });

  it('understands regular expressions', async () => {
    expect(await found('^export .*\\bz\\b')).toEqual(['a-b/z.ts:1:export const z = 1;']);
    expect(await found('(?i)^LIMIT$', 'src/deep')).toEqual(['src/deep/er/limit.ts:3:LIMIT']);
    expect(await found('limit$', 'src/crlf.txt')).toEqual(['src/crlf.txt:1:first limit']);
    expect(await found('-limit|--limit')).toEqual([]);
  });

  it('filters by glob', async () => {
    expect(await found('limit', '.', '*.{yml,log}')).toEqual([
      '.github/ci.yml:1:limit: 1',
      'a/debug.log:1:limit',
      'keep.log:1:limit',
    ]);
  });

  it('says when there are more matches than the limit', async () => {
    expect(await found('limit', 'src/deep', undefined, 1)).toEqual([
      'src/deep/er/limit.ts:2:limit limit',
      '...',
    ]);
    expect(await found('limit', 'src/deep', undefined, 2)).toHaveLength(2);
  });

  it("reports the model's mistakes", async () => {
    const root = fixture();
    const workspace = makeNodeWorkspace({ folders: oneFolder(root), rgPath });
    expect(await errorOf(searchText, { pattern: 'a(b' }, workspace)).toMatch(
      /unclosed|Unterminated/,
    );
    expect(await errorOf(searchText, { pattern: '' }, workspace)).toContain('must not be empty');
    expect(await errorOf(searchText, { pattern: 'a', path: 'nope' }, workspace)).toBe(
      'nope does not exist.',
    );
    expect(await errorOf(listFiles, { path: 'README.md' }, workspace)).toBe(
      'README.md is a file, not a folder.',
    );
    expect(await errorOf(listFiles, { glob: '[z-a].js' }, workspace)).toBe(
      '[z-a].js is not a valid glob.',
    );
  });

  it('stops immediately on an abort', async () => {
    const root = fixture();
    const stopped = AbortSignal.abort();
    const query = { path: '.', limit: 10 };
    const message = 'The search was stopped.';
    expect(await listFilesIn({ folders: oneFolder(root), rgPath }, query, stopped)).toEqual({
      ok: false,
      message,
    });
    expect(
      await searchTextIn({ folders: oneFolder(root), rgPath }, { ...query, pattern: 'a' }, stopped),
    ).toEqual({
      ok: false,
      message,
    });
  });
});

describe('the replacement for ripgrep', () => {
  it('gives up on an endless pattern', async () => {
    const root = tempFolder({ 'a.txt': `${'a'.repeat(50)}b\n` });
    const answer = await searchTextIn(
      { folders: oneFolder(root) },
      { pattern: '(a+)+$', path: '.', limit: 10 },
      signal,
    );
    if (onPath) expect(answer.ok).toBe(true);
    else expect(answer).toMatchObject({ ok: false, message: expect.stringContaining('a.txt') });
  });
});

it.skipIf(onPath)(
  'a search without ripgrep that runs out of time gives what it found',
  async () => {
    const root = tempFolder({ 'a.txt': 'aaa', 'b.txt': `${'a'.repeat(40)}b`, 'c.txt': 'aaa' });
    const query = { pattern: '(a+)+$', path: '.', limit: 10 };
    expect(await searchTextIn({ folders: oneFolder(root) }, query, signal)).toEqual({
      ok: true,
      lines: [WITHOUT_RIPGREP, 'a.txt:1:aaa'],
      more: true,
      lateAt: 'b.txt',
    });
    const late = await searchTextIn(
      { folders: oneFolder(root) },
      { ...query, path: 'b.txt' },
      signal,
    );
    expect(late).toMatchObject({ ok: false, message: expect.stringContaining('takes too long') });
  },
);
