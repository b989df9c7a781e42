import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextMarkdown } from '../../../src/views/exports/contextMarkdown';
import { passReport } from '../../../src/views/exports/passReport';
import { tagsIn, markdown, onOneLine, plain, BREAK, readIn, textIn } from '../support/pageText';
import { saying, VIEW, exported, PASS, decided } from '../support/exportedSession';
import { markup } from '../support/hostileMarkup';

describe('the Markdown of a context window', () => {
  const usual = tagsIn(markdown.render(contextMarkdown(saying('usual'))));

  it('has whatever a session contains as text', () => {
    fc.assert(
      fc.property(markup, (text) => {
        const line = onOneLine(plain(text)).replaceAll(BREAK, '');
        fc.pre(line !== '');
        const page = markdown.render(contextMarkdown(saying(text)));
        expect(tagsIn(page)).toEqual(usual);
        expect(readIn(page).split(line).length).toBeGreaterThan(VIEW.blocks.length * 2);
      }),
      { numRuns: 200, seed: 20_261_122 },
    );
  });

  it('has the notes only where there are any', () => {
    expect(contextMarkdown(saying('usual'))).toContain('## The agent’s notes');
    expect(contextMarkdown(exported())).not.toContain('## The agent’s notes');
  });
});

describe('names and numbers a forge would link', () => {
  const FORGE =
    'npm i @acme/ui for @octocat, see #123, GH-7, acme/ui#8, https://github.com/a/b/pull/9';
  const linked = /@[a-z\d]|#\d|\bGH-\d|:\/\//i;

  it('are broken, and can still be read', () => {
    expect(FORGE).toMatch(linked);
    const pages = [
      contextMarkdown(saying(FORGE)),
      passReport({ ...VIEW, model: FORGE }, PASS, decided(FORGE)),
    ];
    for (const page of pages) {
      const rendered = textIn(markdown.render(page));
      expect(rendered).not.toMatch(linked);
      expect(rendered.replaceAll(BREAK, '')).toContain(FORGE);
    }
  });
});
