import fc from 'fast-check';
import { expect } from 'vitest';
import { BREAK, markdown, onOneLine, plain, readIn, tagsIn } from './pageText';

/** Texts of a session that would be active on a page that takes them as markup. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "' onmouseover='alert(1)",
  '</title></style></td><b>',
  '&lt;b&gt; &#60; &amp;',
  '**bold** | not a cell | <b>x</b>',
  '** | a | b |\n| --- | --- |',
  '[a](javascript:alert(1)) ![b](http://x/y.png)',
  '\\| \\\\ \\`code\\` `code`',
  '# heading\n- list\n> quote\n```\nfence',
  '~~gone~~ $x^2$ _a_ *b* <http://x.y>',
  '{{ mustache }} ${template}',
  '<!-- comment',
  '\\',
  '|',
];

/** Such texts, mixes of their characters, and random ones. */
export const markup = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc
    .array(
      fc.constantFrom(
        ...'<>&"\'`|*_[]()!#~$\\/=-+.: \n\tab1'.split(''),
        '--',
        '**',
        '```',
        '](',
        '&#',
      ),
      { minLength: 1, maxLength: 24 },
    )
    .map((marks) => marks.join('')),
  fc.string({ minLength: 1, unit: 'grapheme' }),
);

/**
 * Expects that `write` escapes such texts in Markdown, at this many places or more: no tag changes.
 */
export function expectAsText(
  write: (text: string) => string,
  places: number,
  numRuns: number,
): void {
  const usual = tagsIn(markdown.render(write('usual')));
  fc.assert(
    fc.property(markup, (text) => {
      const line = onOneLine(plain(text)).replaceAll(BREAK, '');
      fc.pre(line !== '');
      const page = markdown.render(write(text));
      expect(tagsIn(page)).toEqual(usual);
      expect(readIn(page).split(line).length).toBeGreaterThan(places);
    }),
    { numRuns, seed: 20_261_122 },
  );
}
