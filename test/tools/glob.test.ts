import { describe, expect, it } from 'vitest';
import { fileNameGlobs, globMatcher } from '../../src/tools/search/glob';

const PATHS = [
  'a.js',
  'b.ts',
  'src/a.js',
  'src/b.test.ts',
  'src/deep/c.tsx',
  'src/.hidden.js',
  'node_modules/x/i.js',
  'weird/[x].js',
  'weird/a+b.js',
];

function matcher(glob: string): (path: string) => boolean {
  const made = globMatcher(glob);
  if (!made.ok) throw new Error(made.message);
  return made.matches;
}

function matching(glob: string): readonly string[] {
  return PATHS.filter(matcher(glob));
}

describe('globMatcher', () => {
  it.each<[string, readonly string[]]>([
    ['a.js', ['a.js', 'src/a.js']],
    ['/a.js', ['a.js']],
    ['./src/a.js', ['src/a.js']],
    ['*.ts', ['b.ts', 'src/b.test.ts']],
    ['src/*.js', ['src/a.js', 'src/.hidden.js']],
    ['src/**/*.tsx', ['src/deep/c.tsx']],
    ['src/**', ['src/a.js', 'src/b.test.ts', 'src/deep/c.tsx', 'src/.hidden.js']],
    ['src/', ['src/a.js', 'src/b.test.ts', 'src/deep/c.tsx', 'src/.hidden.js']],
    ['**/*.{ts,tsx}', ['b.ts', 'src/b.test.ts', 'src/deep/c.tsx']],
    ['{src/{a,z}.js,/b.*}', ['b.ts', 'src/a.js']],
    ['?.js', ['a.js', 'src/a.js', 'node_modules/x/i.js']],
    ['[a-b].?s', ['a.js', 'b.ts', 'src/a.js']],
    ['[!a].js', ['node_modules/x/i.js']],
    ['[^a].js', ['node_modules/x/i.js']],
    ['weird/\\[x\\].js', ['weird/[x].js']],
    ['a+b.js', ['weird/a+b.js']],
    ['**', PATHS],
    ['**/*', PATHS],
    ['!**/*.js', ['b.ts', 'src/b.test.ts', 'src/deep/c.tsx']],
    ['!node_modules', PATHS.filter((path) => !path.startsWith('node_modules'))],
    ['!src/', ['a.js', 'b.ts', 'node_modules/x/i.js', 'weird/[x].js', 'weird/a+b.js']],
    ['{a.js', []],
    ['.*', ['src/.hidden.js']],
  ])('%s', (glob, expected) => {
    expect(matching(glob)).toEqual(expected);
  });

  it('does not let * cross a folder', () => {
    expect(matcher('src*')('src/a.js')).toBe(false);
    expect(matcher('s[!x]c/a.js')('s/c/a.js')).toBe(false);
  });
});

describe('fileNameGlobs', () => {
  it('returns the last part of every alternative, so that a search can begin with it', () => {
    expect(fileNameGlobs('src/**/*.{ts,tsx}')).toEqual(['*.ts', '*.tsx']);
    expect(fileNameGlobs('a.js')).toEqual(['a.js']);
  });

  it('returns nothing if the file name decides nothing', () => {
    for (const glob of ['src/', 'src/**', '**', '!*.js', 'x[ab].js', '{a', '\\*.js']) {
      expect(fileNameGlobs(glob)).toBeUndefined();
    }
  });
});
