import { describe, expect, it } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { sampleContext, samplePlan } from '../contextViews';
import { SHOWN } from '../files/shownSamples';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const idle = (changes: Partial<ContextView> = {}) =>
  drawPanel(sampleContext({ busy: false, ...changes }));

const shown = (plan = samplePlan()) => {
  const panel = idle();
  panel.one('preview-pass').focus();
  panel.click(panel.one('preview-pass'));
  panel.answer({ type: 'answered', data: plan });
  return panel;
};

describe('the preview of a pass', () => {
  it('is requested by its button, and opens in its place with the focus', () => {
    const { one, wishes } = shown();
    expect(wishes).toEqual([{ type: 'previewPass' }]);
    expect(document.activeElement).toBe(one('preview'));
  });

  it('gives before, after and target, and each rung', () => {
    const { one, all } = shown();
    expect(one('preview').querySelector('.sum')?.textContent).toBe(
      '≈\u00a017,186 → ≈\u00a012,980 Aimed at 13,440 tokens, reached ≈ 12,980.',
    );
    expect(all('rung', one('preview')).map(({ dataset }) => dataset['rung'])).toEqual([
      'clear',
      'evict',
    ]);
  });

  it('counts no blocks for a rung that takes none', () => {
    const rungs = [
      { rung: 'excerpts' as const, blocks: 0, tokens: -879 },
      { rung: 'evict' as const, blocks: 2, tokens: 900 },
    ];
    const { all, one } = shown(samplePlan({ rungs }));
    const counts = all('rung', one('preview')).map(
      (row) => row.querySelector('.quiet')?.textContent,
    );
    expect(counts).toEqual(['', '2 blocks']);
  });

  it('lists the changes, and folds the kept blocks with their reasons', () => {
    const { one, all } = shown();
    const kept = one('plan-kept');
    const rows = all('decision-row', one('preview'));
    const inKept = all('decision-row', kept);
    expect([rows.length - inKept.length, inKept.length]).toEqual([9, 8]);
    expect((kept as HTMLDetailsElement).open).toBe(false);
    expect(kept.querySelector('summary')?.textContent).toBe('Would keep: 8 blocks, with reasons');
    expect(rows[0]?.querySelector('.reason')?.textContent).toBe(
      'summarise · No file text in it: replaced by a summary',
    );
  });

  it('says so if its files are not read from disk', () => {
    const line = 'Planned from the files as the log knows them.';
    const text = (plan: ReturnType<typeof samplePlan>) => shown(plan).one('plan-shows').textContent;
    expect(text(samplePlan({ shows: SHOWN, filesByLog: true }))).toContain(line);
    expect(text(samplePlan({ shows: SHOWN }))).not.toContain(line);
  });

  it('says why nothing would be removed, and cannot be run then', () => {
    const whyNothing = 'Everything in the window is pinned or new.';
    const { one } = shown(samplePlan({ decisions: [], rungs: [], whyNothing }));
    expect(one('why-nothing').textContent).toBe(whyNothing);
    expect(one('preview-run').getAttribute('aria-disabled')).toBe('true');
  });

  it('runs with the instructions typed, and closes', () => {
    const { one, all, type, click, wishes } = shown();
    type('Keep the names.', one('instructions'));
    click(one('preview-run'));
    expect(wishes.at(-1)).toEqual({ type: 'compactNow', instructions: 'Keep the names.' });
    expect(all('preview')).toEqual([]);
  });

  it.each([
    ['Close', (panel: ReturnType<typeof shown>) => panel.click(panel.one('preview-close'))],
    ['Escape', (panel: ReturnType<typeof shown>) => panel.press('Escape')],
  ])('closes by %s, and returns the focus', (_, close) => {
    const panel = shown();
    close(panel);
    expect(panel.all('preview')).toEqual([]);
    expect(document.activeElement).toBe(panel.one('preview-pass'));
  });

  it('is requested again after the session has continued', () => {
    const { tell, wishes } = shown();
    tell({ type: 'contextChanged', context: sampleContext({ busy: false, step: 18 }) });
    expect(wishes).toEqual([{ type: 'previewPass' }]);
    tell({ type: 'contextChanged', context: sampleContext({ busy: false, revision: '2' }) });
    expect(wishes).toEqual([{ type: 'previewPass' }, { type: 'previewPass' }]);
  });

  it('closes at a past step, which has no preview', () => {
    const { tell, all, one } = shown();
    const whyReadOnly = 'Step 4 is past.';
    tell({ type: 'contextChanged', context: sampleContext({ busy: false, whyReadOnly }) });
    expect(all('preview')).toEqual([]);
    expect(one('preview-pass').title).toBe(whyReadOnly);
  });
});
