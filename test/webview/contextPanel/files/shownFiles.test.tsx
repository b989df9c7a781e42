import { describe, expect, it } from 'vitest';
import type { ChoiceState } from '../../../../src/editor/contextPanel/files/state';
import { choiceWords, linesWords, showsWords } from '../../../../webview/contextPanel/files/words';
import { editWords, rungWords } from '../../../../webview/contextPanel/ledger/words';
import { sampleReview, samplePlan } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { CHOSEN_FILE, contextWithView, SHOWN, SHOWS } from './shownSamples';

// @vitest-environment happy-dom

const NBSP = '\u00a0';

/** A panel with a selected excerpts block and its fetched regions. */
function opened(changes: Parameters<typeof contextWithView>[0] = {}, shown = SHOWN) {
  const panel = drawPanel(contextWithView(changes));
  panel.click(panel.row('files-2'));
  const asked = panel.posts.findLast(({ wish }) => wish.type === 'fetchExcerpts');
  expect(asked?.wish).toEqual({ type: 'fetchExcerpts', blockId: 'files-2' });
  panel.answer({ type: 'answered', data: shown }, asked);
  return panel;
}

describe('the excerpts block', () => {
  it('has its own icon and colour in its row, with its files and its reason', () => {
    const { row } = drawPanel(contextWithView());
    expect(row('files-2').className).toContain('k-excerpts');
    expect(row('files-2').textContent).toContain('src/loadLine.js, src/zones.js');
    expect(row('files-2').querySelector<HTMLElement>('.why')?.title).toContain(
      'Shows 47 lines of 2 files in work',
    );
  });

  it('gives the place of each region and why it was chosen', () => {
    const { all } = opened();
    expect(all('region').map(({ textContent }) => textContent)).toEqual([
      'src/loadLine.jslines 10–33File edited 2 steps ago, near an edit of step 10 (3 lines away), last read or written at step 9Always showNever show',
      'src/loadLine.jslines 61–72You chose: always showAlways showNever show',
      'src/zones.js11 lines, line numbers unknownFile read 4 steps ago, last read or written at step 8',
    ]);
  });

  it('opens the line in the editor', () => {
    const { all, click, wishes } = opened();
    const [first, , last] = all('open-region') as [HTMLElement, HTMLElement, HTMLElement];
    click(first);
    expect(wishes.at(-1)).toEqual({ type: 'openFile', path: 'src/loadLine.js', line: 10 });
    click(last);
    expect(wishes.at(-1)).toEqual({ type: 'openFile', path: 'src/zones.js' });
  });

  it('names the files it does not show, and what happened to them', () => {
    const { one } = opened();
    expect(one('hidden-files').textContent).toBe(
      'Not shown: 2 files worked with beforesrc/deckPlan.js read at step 3fixtures/ledger-2025.json edited at step 5',
    );
  });

  it('says why it shows no more, if other regions are not worth their tokens', () => {
    expect(opened().all('omits-unlikely')).toEqual([]);
    const { one } = opened({}, { ...SHOWN, omitsUnlikely: true });
    expect(one('omits-unlikely').textContent).toMatch(/costs more than they are likely to save/);
  });

  it('lets the user always or never show a region, and undo either', () => {
    const { all, one, click, wishes } = opened();
    const [first, second] = all('region') as [HTMLElement, HTMLElement];
    const lines = { first: 10, last: 33 };
    click(one('choose-always', first));
    expect(wishes.at(-1)).toEqual({
      type: 'chooseFile',
      path: 'src/loadLine.js',
      lines,
      choice: 'always',
    });
    click(one('choose-never', first));
    expect(wishes.at(-1)).toMatchObject({ lines, choice: 'never' });
    expect(one('choose-always', second).getAttribute('aria-pressed')).toBe('true');
    click(one('choose-always', second));
    expect(wishes.at(-1)).toMatchObject({ lines: { first: 61, last: 72 }, choice: 'auto' });
  });

  it('changes nothing at a past step, and says why', () => {
    const { all, one, click, wishes } = opened({ whyReadOnly: 'Step 3 is past.' });
    const [first] = all('region') as [HTMLElement];
    const button = one('choose-always', first);
    expect([button.title, button.getAttribute('aria-disabled')]).toEqual([
      'Step 3 is past.',
      'true',
    ]);
    click(button);
    expect(wishes.filter(({ type }) => type === 'chooseFile')).toEqual([]);
  });

  it('says so if the log does not hold its content', () => {
    const panel = drawPanel(contextWithView());
    panel.click(panel.row('files-2'));
    const asked = panel.posts.findLast(({ wish }) => wish.type === 'fetchExcerpts');
    panel.refuse('The log does not hold it.', asked);
    expect(panel.one('block-details').textContent).toContain('The log does not hold it.');
  });
});

describe('a pass that shows excerpts', () => {
  it('gives their size, and unfolds the lines with their reasons', () => {
    const { one, unfold, wishes, posts, answer, all } = drawPanel(contextWithView());
    const card = one('pass-shows');
    expect(card.textContent).toBe(`Shows 47 lines of 2 files: ≈${NBSP}1,940 tokens`);
    expect(wishes.some(({ type }) => type === 'fetchExcerpts')).toBe(false);
    unfold(card);
    answer(
      { type: 'answered', data: SHOWN },
      posts.findLast(({ wish }) => wish.type === 'fetchExcerpts'),
    );
    expect(all('region', card)).toHaveLength(3);
  });

  it('has a rung for what they replaced, less what they show', () => {
    const { all } = drawPanel(contextWithView());
    expect(all('rung').map(({ textContent }) => textContent)[0]).toBe(
      `${rungWords('excerpts')}3 blocks≈${NBSP}−1,471`,
    );
  });

  it('draws them before it runs, in the preview and in the review', () => {
    const panel = drawPanel(contextWithView({ review: { ...sampleReview(), shows: SHOWN } }));
    const { one, all } = panel;
    expect(one('review-shows').textContent).toContain(showsWords(SHOWS));
    expect(all('region', one('review-shows'))).toHaveLength(3);
    const other = drawPanel(contextWithView({ busy: false }));
    other.click(other.one('preview-pass'));
    other.answer({ type: 'answered', data: samplePlan({ shows: SHOWN }) });
    expect(other.one('plan-shows').textContent).toContain(showsWords(SHOWS));
    expect(other.all('region', other.one('plan-shows'))).toHaveLength(3);
  });
});

describe('the tab Files', () => {
  const drawn = (changes: Parameters<typeof contextWithView>[0] = {}) => {
    const panel = drawPanel(contextWithView(changes));
    panel.click(panel.one('tab-files'));
    panel.answer({ type: 'answered', data: [CHOSEN_FILE] });
    return panel;
  };

  it("gives the lines in the window, the user's choice, and when it takes effect", () => {
    const { one, all } = drawn();
    expect(one('file').textContent).toContain('changed once · 36 lines in the excerpts');
    expect(one('choice-words').textContent).toBe(
      'Your choice: never show it. Passes omit it from now on.',
    );
    expect(all('chosen-lines').map(({ textContent }) => textContent)).toEqual([
      'lines 61–72 Your choice: always show it. The window shows it now. Always showNever show',
      'line 90 Your choice: always show it. The next pass adds it, if there is room. Always showNever show',
    ]);
  });

  it('lets the user always or never show a whole file, and undo either', () => {
    const { one, all, click, wishes } = drawn();
    const [ofFile] = all('choose-never') as [HTMLElement];
    click(ofFile);
    expect(wishes.at(-1)).toEqual({
      type: 'chooseFile',
      path: 'src/loadLine.js',
      choice: 'auto',
    });
    click(all('choose-always')[0]!);
    expect(wishes.at(-1)).toMatchObject({ choice: 'always' });
    click(one('choose-never', all('chosen-lines')[0]));
    expect(wishes.at(-1)).toMatchObject({ lines: { first: 61, last: 72 }, choice: 'never' });
  });
});

describe('the words', () => {
  it.each<[ChoiceState, string]>([
    ['shown', 'Your choice: always show it. The window shows it now.'],
    ['nextPass', 'Your choice: always show it. The next pass adds it, if there is room.'],
    ['off', 'Your choice: always show it. Passes show no excerpts under these settings.'],
  ])('say what follows from a choice: %s', (state, words) => {
    expect(choiceWords('always', state)).toBe(words);
    expect(choiceWords('auto', state)).toBe('');
  });

  it('name lines', () => {
    expect([linesWords({ first: 7, last: 7 }), linesWords({ first: 999, last: 1_000 })]).toEqual([
      'line 7',
      'lines 999–1,000',
    ]);
  });

  it.each([
    ['always', 'You chose: always show a.ts, lines 1–9, before step 8'],
    ['never', 'You chose: never show a.ts, lines 1–9, before step 8'],
    ['auto', 'You let the passes decide whether to show a.ts, lines 1–9, before step 8'],
  ] as const)("describe the user's choice in the ledger: %s", (choice, words) => {
    const change = { kind: 'fileChosen', beforeStep: 8, afterPass: 2 } as const;
    expect(editWords({ ...change, label: 'a.ts, lines 1–9', choice }, [])).toBe(words);
  });
});
