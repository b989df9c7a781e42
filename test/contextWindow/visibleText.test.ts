import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  lineCount,
  unseenIn,
  visibleLine,
  visiblePath,
  visiblePieces,
  visibleText,
} from '../../src/contextWindow/visibleText';
import { textOfVisible } from '../support/textOfVisible';
import { trickyText } from '../support/trickyText';
import { runs } from '../support/runs';

describe('visibleText', () => {
  it.each([
    ['npm test && \\\n  rm -rf out', 'npm test && \\\n  rm -rf out'],
    ['echo \u001B[2K\rls', 'echo ⟨ESC⟩[2K⟨CR⟩ls'],
    ['a\tb\u0085c\u007F', 'a⟨TAB⟩b⟨U+0085⟩c⟨DEL⟩'],
    ['ls \u202Etxt.sh\u202C \u2066x\u2069', 'ls ⟨U+202E⟩txt.sh⟨U+202C⟩ ⟨U+2066⟩x⟨U+2069⟩'],
    ['r\u200Bm\u2060\uFEFF\u00AD', 'r⟨U+200B⟩m⟨U+2060⟩⟨U+FEFF⟩⟨U+00AD⟩'],
    ['a\u2028b\u2029c', 'a⟨U+2028⟩b⟨U+2029⟩c'],
    ['rm\u00A0-rf \u3164', 'rm⟨U+00A0⟩-rf ⟨U+3164⟩'],
    ['a\u{E0041}b\uD800', 'a⟨U+E0041⟩b⟨U+D800⟩'],
    [`ls${'\n'.repeat(201)}rm x`, 'ls\n⟨200 blank lines⟩\nrm x'],
    ['a\n\nb', 'a\n\nb'],
    [`ls${' '.repeat(300)}; rm x`, 'ls⟨300 spaces⟩; rm x'],
    ['a \\ \nb  ', 'a \\⟨1 space⟩\nb⟨2 spaces⟩'],
    ['echo ⟨ESC⟩', 'echo ⟨U+27E8⟩ESC⟩'],
    ['größer 日本 👍 עברית', 'größer 日本 👍 עברית'],
  ])('shows %j as %j', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(textOfVisible(shown)).toBe(text);
  });

  it('can be reversed for any text, and contains nothing invisible', () => {
    fc.assert(
      fc.property(trickyText, (text) => {
        const shown = visibleText(text);
        expect(textOfVisible(shown)).toBe(text);
        expect(shown).not.toMatch(/[^\n\P{C}]|[\p{Zl}\p{Zp}]|(?! )\p{Zs}|\n{3}/u);
        expect(textOfVisible(visibleLine(text))).toBe(text);
        expect(visibleLine(text)).not.toContain('\n');
      }),
      { numRuns: runs(2_000, 50_000) },
    );
  });

  it('differs for different texts', () => {
    fc.assert(
      fc.property(trickyText, trickyText, (one, other) => {
        expect(visibleText(one) === visibleText(other)).toBe(one === other);
      }),
      { numRuns: runs(1_000, 20_000) },
    );
  });

  it('distinguishes marks from characters', () => {
    expect(visiblePieces('a\u200B\u200Bb\n\n\nc')).toEqual([
      { shown: 'a', isMark: false },
      { shown: '⟨U+200B⟩⟨U+200B⟩', isMark: true },
      { shown: 'b\n', isMark: false },
      { shown: '⟨2 blank lines⟩', isMark: true },
      { shown: '\nc', isMark: false },
    ]);
  });

  it('counts lines as a reader would', () => {
    expect(['', 'a', 'a\n', 'a\nb', 'a\n\n\nb\n'].map(lineCount)).toEqual([1, 1, 1, 2, 4]);
  });
});

describe('visiblePath', () => {
  it('quotes a path only if it needs marks', () => {
    expect(visiblePath('src/a b.ts')).toBe('src/a b.ts');
    expect(visiblePath('a\nb\u202E.ts')).toBe('"a⟨LF⟩b⟨U+202E⟩.ts"');
    expect(visiblePath('a.ts ')).toBe('"a.ts⟨1 space⟩"');
  });

  it('cuts the middle and keeps the file name', () => {
    expect(visiblePath('packages/very/deep/folder/of/src/loadLine.ts', 30)).toBe(
      'packages/very/dee…/loadLine.ts',
    );
    expect(visiblePath(`src/${'x'.repeat(200)}.test.ts`, 20)).toBe('src/x…xxxxxx.test.ts');
    expect(visiblePath('a/👍👍👍👍👍👍.ts', 8)).toBe('a…👍👍👍.ts');
  });

  it('unseenIn names the invisible character of a name', () => {
    expect(unseenIn('src/größe 日本👍.ts')).toBeUndefined();
    expect(unseenIn('a\u001Bb\n')).toBe('⟨ESC⟩');
  });
});
