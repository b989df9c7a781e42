import { describe, expect, it } from 'vitest';
import { contextMarkdown } from '../../../../src/editor/contextPanel/exports/contextMarkdown';
import { passReport } from '../../../../src/editor/contextPanel/exports/passReport';
import { BREAK, markdown, textIn } from '../support/pageText';
import { saying, VIEW, exported, PASS, decided } from '../support/exportedSession';
import { expectAsText } from '../support/hostileMarkup';

describe('the Markdown of a context window', () => {
  it('has whatever a session contains as text', () => {
    expectAsText((text) => contextMarkdown(saying(text)), VIEW.blocks.length * 2, 200);
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
