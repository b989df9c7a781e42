import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextHtml } from '../../../../src/editor/contextPanel/exports/contextHtml';
import type { Scratchpad } from '../../../../src/editor/contextPanel/state';
import { exported, saying, VIEW, TIMELINE } from '../support/exportedSession';
import { tagsIn, textIn } from '../support/pageText';
import { markup } from '../support/hostileMarkup';

const NOTES: Scratchpad = {
  objective: 'Mend the parser',
  keyFacts: ['It reads twice'],
  decisions: ['Keep the API', 'No new file'],
  currentStep: '',
  blockers: [],
};

describe('the page of a context window', () => {
  it('loads nothing and runs no script', () => {
    const page = contextHtml(exported());
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>`,
    );
    expect(page.indexOf('Content-Security-Policy')).toBeLessThan(page.indexOf('<style>'));
    for (const tag of tagsIn(page)) {
      expect(tag).not.toMatch(/^<(script|link|img|iframe|object|embed|base|form|a)\b/);
      expect(tag).not.toMatch(/\s(src|href|srcset|action|on\w+)\s*=/);
    }
    expect(page).not.toMatch(/url\(|@import|https?:/);
  });

  it('shows all content of a session as text', () => {
    const usual = tagsIn(contextHtml(saying('usual')));
    fc.assert(
      fc.property(markup, (text) => {
        const page = contextHtml(saying(text));
        expect(tagsIn(page)).toEqual(usual);
        expect(textIn(page).split(text).length).toBeGreaterThan(VIEW.blocks.length * 2);
      }),
      { numRuns: 200, seed: 20_261_122 },
    );
  });

  it('has every block and pass, and marks estimates', () => {
    const text = textIn(contextHtml(exported()));
    for (const { label, reason } of VIEW.blocks) {
      expect(text).toContain(label);
      expect(text).toContain(reason);
    }
    for (const { number } of VIEW.passes) expect(text).toContain(`Pass ${number} before step`);
    expect(text).toContain('≈ ');
  });

  it('draws watermarks and budget on the bar, to scale', () => {
    const page = contextHtml(exported());
    const { contextWindowTokens, lowTokens, highTokens, inputBudget } = VIEW.balance;
    const placed = [...page.matchAll(/class="line (\w+)" style="left:([\d.]+)%;"/g)].map(
      ([, look, left]) => [look, (Number(left) / 100) * contextWindowTokens],
    );
    expect(placed.map(([look, at]) => [look, Math.round(Number(at))])).toEqual([
      ['low', lowTokens],
      ['high', highTokens],
      ['budget', inputBudget],
    ]);
    for (const line of [`low watermark ${lowTokens.toLocaleString('en-US')}`, 'input budget 9,000'])
      expect(textIn(page)).toContain(line);
  });

  it('draws bar and lines to one scale if the window overflows', () => {
    const used = 15_000;
    const { balance } = VIEW;
    const { tools, system } = balance.categories;
    const categories = { ...balance.categories, archive: 0, working: used - tools - system };
    const sum = Object.values(categories).reduce((all, tokens) => all + tokens, 0);
    const page = contextHtml(
      exported({
        balance: {
          ...balance,
          categories,
          used: { tokens: sum, exact: false },
          headroom: balance.inputBudget - sum,
        },
      }),
    );
    const ends = [
      ...page.matchAll(/class="piece[^"]*" style="left:([\d.]+)%;width:([\d.]+)%/g),
    ].map(([, left, width]) => Number(left) + Number(width));
    expect(Math.max(...ends)).toBeCloseTo(100, 2);
    expect(page).toContain('title="end of the context window 12,000"');
  });

  it('draws every step of the timeline, with its events', () => {
    const page = contextHtml(exported());
    expect(page).toContain('aria-label="Tokens in the window from step 1 to 25');
    const [line] = /<polyline class="high" points="([^"]*)"/.exec(page)!.slice(1);
    expect(line!.split(' ').length).toBe(TIMELINE.points.length);
    const marked = TIMELINE.points.filter(({ marks }) => marks.length > 0);
    expect(marked.length).toBeGreaterThan(1);
    expect(page.match(/<line class="mark"/g)?.length).toBe(marked.length);
    for (const { words } of marked.flatMap(({ marks }) => marks))
      expect(textIn(page)).toContain(words);
  });

  it('says before the first step that there is no timeline yet', () => {
    const page = contextHtml({ ...exported(), timeline: { ...TIMELINE, points: [] } });
    expect(page).toContain('The timeline begins with the first step.');
    expect(page).not.toContain('<svg');
  });

  it('draws a timeline of one step at the width of one step', () => {
    const [first] = TIMELINE.points;
    const page = contextHtml({ ...exported(), timeline: { ...TIMELINE, points: [first!] } });
    expect(page).toMatch(/<polyline class="high" points="0,[\d.]+ 1000,[\d.]+"/);
    expect(page).not.toContain('NaN');
  });

  it('has the notes, or says that there are none', () => {
    const text = textIn(contextHtml(exported({ scratchpad: NOTES })));
    for (const note of ['Mend the parser', 'It reads twice', 'Keep the API; No new file']) {
      expect(text).toContain(note);
    }
    expect(text).not.toContain('Blockers');
    const old = { scratchpad: { ...NOTES, objective: '' }, scratchpadSteps: 14 };
    const aged = textIn(contextHtml(exported({ ...old, taskAsObjective: 'Mend it all' })));
    expect(aged).toMatch(/Objective \(the task, none was written\)\s+Mend it all/);
    expect(aged).toMatch(/Age in steps\s+14/);
    expect(contextHtml(exported())).toContain('The agent has written no notes.');
  });
});
