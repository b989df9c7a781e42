import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatcher, globPattern } from '../../src/tools/search/glob';
import { isIgnored, withRulesOf } from '../../src/tools/search/ignoreRules';
import { runs } from '../support/runs';
import { FAR_TOO_LONG_CPU_MS, ticking } from '../support/ticking';
import { tempFolder } from './support/tempFolder';

const DEEP = `${'a/'.repeat(1_000)}${'a'.repeat(1_000)}`;

/** As a regular expression, each of these took too long or all memory. */
const HOSTILE = [
  `${'**/'.repeat(300)}*a*a*a*b`,
  `${'*a'.repeat(400)}*b`,
  `**/${'?*'.repeat(400)}b`,
  `${'**'.repeat(400)}b`,
  `${'a**/'.repeat(200)}b`,
  `!${'**/*a'.repeat(150)}b`,
  `${'[a-z]*'.repeat(150)}b`,
  '{a,b}'.repeat(7),
];

/** These are refused, because they expand to too many patterns. */
const REFUSED = [
  '{a,b}'.repeat(8),
  '{a,b}'.repeat(150),
  `${'{a,'.repeat(200)}b${'}'.repeat(200)}`,
  `{${Array.from({ length: 400 }, (_, index) => index % 10).join(',')}}`,
  '*'.repeat(1_001),
  '{'.repeat(400_000),
];

describe('a glob designed to be slow', () => {
  it.each(HOSTILE.map((glob) => [glob.slice(0, 40), glob]))(
    '%s… is matched quickly',
    async (_, glob) => {
      const { value, cpuMs } = await ticking(() => {
        const made = globMatcher(glob!);
        return made.ok && [DEEP, 'a/a/a', 'a'.repeat(250)].map(made.matches).length;
      });
      expect(value).toBe(3);
      expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
    },
  );

  it.each(REFUSED.map((glob) => [glob.slice(0, 40), glob]))(
    '%s… is refused quickly',
    async (_, glob) => {
      const { value, cpuMs } = await ticking(() => globMatcher(glob!));
      expect(value).toMatchObject({ ok: false });
      expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
    },
  );

  it('does not slow down a search if it is in a .gitignore', async () => {
    const root = tempFolder({ '.gitignore': `${HOSTILE.join('\n')}\n*.log\n` });
    const { value, cpuMs } = await ticking(async () => {
      const rules = await withRulesOf(root, '', []);
      return [isIgnored(rules, DEEP, false), isIgnored(rules, 'x.log', false)];
    });
    expect(value).toEqual([false, true]);
    expect(cpuMs).toBeLessThan(FAR_TOO_LONG_CPU_MS);
  });
});

describe('a path pattern', () => {
  const part = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', '[ab]', '[!a]', '.');
  const glob = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const path = fc
    .array(fc.constantFrom('a', 'b', '/', '.', 'c'), { maxLength: 8 })
    .map((parts) => parts.join(''));

  it('matches exactly what the equivalent regular expression matches', () => {
    fc.assert(
      fc.property(glob, path, (pattern, text) => {
        expect(globPattern(pattern, 'anywhere')?.matches(text)).toBe(toRegExp(pattern).test(text));
      }),
      { numRuns: runs(2_000, 200_000) },
    );
  });
});

/** The equivalent regular expression, which is slow if the pattern is hostile. */
function toRegExp(glob: string): RegExp {
  const parts = glob.match(/\*{2,}\/|\*{2,}|\*|\?|\[!?[^\]]*\]|[^]/g) ?? [];
  const source = parts.map((part) => {
    if (part.startsWith('**')) return part.endsWith('/') ? '(?:.*/)?' : '.*';
    if (part === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    if (part.startsWith('[')) return `(?!/)${part.replace('[!', '[^')}`;
    return part.replace('.', '\\.');
  });
  return new RegExp(`^${source.join('')}$`);
}

describe('the rules of a .gitignore', () => {
  it.each<[string, readonly string[]]>([
    ['*.log', ['a.log', 'x/a.log', 'x/y/a.log']],
    ['/a.log', ['a.log']],
    ['x/a.log', ['x/a.log']],
    ['x/', ['x']],
    ['**/y', ['x/y']],
    ['x/**', ['x/a.log', 'x/y', 'x/y/a.log']],
    ['x/**/a.log', ['x/a.log', 'x/y/a.log']],
    ['*.log\n!a.log', []],
    ['# a.log\n\\#b', ['#b']],
    ['a.log  ', ['a.log', 'x/a.log', 'x/y/a.log']],
    ['x/*', ['x/a.log', 'x/y']],
    ['**.log', ['a.log', 'x/a.log', 'x/y/a.log']],
    ['[ax].log\r\n', ['a.log', 'x/a.log', 'x/y/a.log']],
    ['[z-a].log', []],
  ])('of %j omit the expected paths', async (text, expected) => {
    const rules = await withRulesOf(tempFolder({ '.gitignore': text }), '', []);
    const paths = ['a.log', '#b', 'x/a.log', 'x/y/a.log'];
    const folders = ['x', 'x/y'];
    const left = [
      ...paths.filter((path) => isIgnored(rules, path, false)),
      ...folders.filter((path) => isIgnored(rules, path, true)),
    ];
    expect(left.toSorted()).toEqual(expected.toSorted());
  });
});
