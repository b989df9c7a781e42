import { oneFolder } from '../../src/agent/workspaceFolders';
import type { FileQuery } from '../../src/tools/search/fileQuery';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { searchTextIn } from '../../src/tools/search/fileSearch';
import { listCall, searchCall, findRipgrep } from '../../src/tools/search/ripgrep';
import { tempFolder } from './support/tempFolder';

const query = (change: Partial<FileQuery> = {}): FileQuery => ({
  root: '/w',
  path: '',
  isFile: false,
  rules: [],
  glob: undefined,
  matches: () => true,
  nameOf: (path) => path,
  ...change,
});

const COMMON = [
  '--no-config',
  '--no-messages',
  '--color=never',
  '--sort=path',
  '--hidden',
  '--glob=!.git',
  '--no-require-git',
  '--no-ignore-parent',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--path-separator=/',
];

describe('the arguments of ripgrep', () => {
  it('list from the root', () => {
    expect(listCall(query(), [])).toEqual({
      folder: '',
      prefix: '',
      args: [...COMMON, '--files', '--', '.'],
    });
  });

  it('pass the pattern so that it cannot be mistaken for an option', () => {
    const { args } = searchCall(query(), '--pre=rm', []);
    expect(args).toContain('--regexp=--pre=rm');
    expect(args.slice(-2)).toEqual(['--', '.']);
  });

  it('start at the root even for a folder, and exclude everything off its path', () => {
    const { folder, args } = listCall(query({ path: 'src/a' }), ['lib', 'src/[b] !']);
    expect(folder).toBe('');
    expect(args).toContain('--glob=!/lib');
    expect(args).toContain('--glob=!/src/\\[b\\]\\ \\!');
    expect(args.at(-1)).toBe('.');
  });

  it('exclude nothing if the command line would become too long', () => {
    const { args } = listCall(query({ path: 'a' }), ['x'.repeat(20_000)]);
    expect(args).toEqual([...COMMON, '--files', '--', '.']);
  });

  it('start inside a folder that is ignored itself', () => {
    expect(listCall(query({ path: 'node_modules/x', rules: undefined }), [])).toEqual({
      folder: 'node_modules/x',
      prefix: 'node_modules/x/',
      args: [...COMMON, '--files', '--', '.'],
    });
  });

  it('name a file as a path, whatever its first character', () => {
    const { args } = searchCall(query({ path: '-x.js', isFile: true }), 'a', []);
    expect(args.slice(-3)).toEqual(['--no-ignore', '--', './-x.js']);
  });

  it('filter by file name without including ignored files again', () => {
    const { args } = searchCall(query({ glob: 'src/**/*.{ts,tsx}' }), 'a', []);
    expect(args).toContain('--type-add=wanted:*.ts');
    expect(args).toContain('--type-add=wanted:*.tsx');
    expect(args).toContain('--type=wanted');
    expect(args.filter((arg) => arg.startsWith('--glob'))).toEqual(['--glob=!.git']);
  });
});

describe('findRipgrep', () => {
  it('returns the given file, else rg on the PATH, else none', () => {
    const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
    const folder = tempFolder({ [`bin/${name}`]: '', 'own/rg-own': '', 'plain/rg.txt': '' });
    const [onPath, own] = [join(folder, 'bin', name), join(folder, 'own', 'rg-own')];
    for (const file of [onPath, own]) chmodSync(file, 0o755);
    const path = [join(folder, 'none'), join(folder, 'bin')].join(delimiter);
    const root = join(folder, 'work');
    expect(findRipgrep(oneFolder(root), own, path)).toBe(own);
    expect(findRipgrep(oneFolder(root), undefined, path)).toBe(onPath);
    expect(findRipgrep(oneFolder(root), join(folder, 'gone'), path)).toBe(onPath);
    expect(findRipgrep(oneFolder(root), join(folder, 'gone'), '')).toBeUndefined();
    expect(findRipgrep(oneFolder(root), join(folder, 'bin'), '')).toBeUndefined();
  });

  it('does not use a relative path or a file in the workspace', () => {
    const folder = tempFolder({ 'bin/rg': '', 'work/rg': '' });
    for (const file of ['bin/rg', 'work/rg']) chmodSync(join(folder, file), 0o755);
    const root = join(folder, 'work');
    const own = relative(process.cwd(), join(folder, 'bin', 'rg'));
    expect(findRipgrep(oneFolder(root), own, '')).toBeUndefined();
    expect(
      findRipgrep(
        oneFolder(root),
        undefined,
        [relative(process.cwd(), join(folder, 'bin')), root, '.'].join(delimiter),
      ),
    ).toBeUndefined();
  });
});

describe.runIf(process.platform !== 'win32')('ripgrep', () => {
  it('gets an environment without secrets', async () => {
    const folder = tempFolder({ rg: '#!/bin/sh\nenv > "$0.env"\n', 'work/a.txt': 'a' });
    chmodSync(join(folder, 'rg'), 0o755);
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-for-this-test');
    onTestFinished(() => void vi.unstubAllEnvs());
    const place = { folders: oneFolder(join(folder, 'work')), rgPath: join(folder, 'rg') };
    await searchTextIn(place, { pattern: 'a', path: '.', limit: 5 }, new AbortController().signal);
    const seen = readFileSync(join(folder, 'rg.env'), 'utf8');
    expect(seen).toContain('PATH=');
    expect(seen).not.toContain('sk-ant-for-this-test');
  });
});
