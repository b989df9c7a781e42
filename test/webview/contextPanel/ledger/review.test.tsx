import { describe, expect, it } from 'vitest';
import type { ReviewView } from '../../../../src/editor/contextPanel/ledger/state';
import { editsOf } from '../../../../webview/contextPanel/store/keptState';
import { sampleContext, sampleRecording, sampleRequest, sampleReview } from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

const REVIEW = sampleReview();

const drawn = (changes: Partial<ReviewView> = {}) =>
  drawPanel(sampleContext({ review: { ...REVIEW, ...changes } }));
const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';

describe('a pass that waits for review', () => {
  it('is at the top of the ledger, with its trigger and its numbers', () => {
    const { one, root } = drawn();
    expect(root.querySelector('.ledger .pass')).toBe(one('review'));
    const text = one('review').textContent;
    expect(text).toContain('Review this pass');
    expect(text).toContain('high watermark crossed: 21,604 > 21,504 · policy ladder');
    expect(text).toContain('21,604 → ≈\u00a012,980 Aimed at 13,440 tokens, reached ≈ 12,980.');
    // The list may hold more than its room shows.
    const { length } = REVIEW.decisions;
    expect(text).toContain(`Would change: ${length} block`);
  });

  it('says what the next request costs at a cold cache, and otherwise nothing of it', () => {
    expect(drawn().all('cold')).toEqual([]);
    const cold =
      'The prompt cache is cold: ≈ 21,604 tokens are written to it, compacted first ≈ 12,980.';
    const { one } = drawn({ trigger: 'coldCache', cold });
    expect(one('cold').textContent).toBe(cold);
    expect(one('review').textContent).toContain('cold prompt cache at 21,604');
  });

  it('is announced in the header, where no spinner turns meanwhile', () => {
    expect(drawn().one('step').textContent).toBe('step 17 of 17 · review a pass');
    expect(drawn().one('tab-ledger').textContent).toBe('Ledger ●, review a pass');
  });

  it('is absent without a proposed pass', () => {
    expect(drawPanel(sampleContext()).all('review')).toEqual([]);
  });

  it('is named for a screen reader, announced, and can take the focus', () => {
    const { one, root } = drawn();
    const card = one('review');
    const title = root.querySelector(`[id="${card.getAttribute('aria-labelledby')}"]`);
    expect([title?.textContent, title?.getAttribute('role')]).toEqual([
      'Review this pass',
      'alert',
    ]);
    expect([card.getAttribute('role'), card.tabIndex]).toEqual(['group', -1]);
  });

  it('gives action, reason and tokens before and after for each block', () => {
    const { all } = drawn();
    const items = all('review-item');
    expect(items.map(({ dataset }) => dataset['action'])).toEqual([
      ...Array(6).fill('summarise'),
      ...Array(2).fill('clear'),
      'evict',
    ]);
    expect(items.at(-1)?.textContent).toBe(
      'Listed src≈\u00a01,312 → 0remove · Least relevant of the older steps that may be removed (0.08): old, not used for 12 steps' +
        'Spare this one',
    );
  });

  it('opens the text of a block that would be removed', () => {
    const { all, click, wishes } = drawn();
    click(all('review-item')[0]!.querySelector('button')!);
    expect(wishes).toEqual([{ type: 'openBlock', blockId: 'step-3' }]);
  });

  it('can be applied unchanged', () => {
    const { one, click, wishes } = drawn();
    click(one('review-apply'));
    expect(wishes).toEqual([{ type: 'applyPass', proposedPassId: 4, spared: [], summaries: {} }]);
    expect([isOff(one('review-apply')), isOff(one('review-postpone'))]).toEqual([true, true]);
  });

  it('asks for a new plan at each tick, and applies the plan that is shown', () => {
    const { all, one, click, wishes, tell } = drawn();
    const boxes = all('spare') as readonly HTMLInputElement[];
    expect(boxes[0]?.getAttribute('aria-label')).toBe('Spare this one: Listed .');
    click(boxes[1]!);
    const spare = { type: 'sparePass', proposedPassId: 4, spared: ['step-4'], summaries: {} };
    expect(wishes).toEqual([spare]);
    tell({
      type: 'contextChanged',
      context: sampleContext({ review: { ...REVIEW, isPlanning: true } }),
    });
    expect(one('review').querySelector('[role="status"]')?.textContent).toMatch(/Planning again/);
    expect(isOff(one('review-apply'))).toBe(true);
    const [first, second, ...others] = REVIEW.decisions;
    const planned = { ...REVIEW, proposedPassId: 5, spared: [second!] };
    tell({
      type: 'contextChanged',
      context: sampleContext({ review: { ...planned, decisions: [first!, ...others] } }),
    });
    const ticked = (all('spare') as readonly HTMLInputElement[]).filter(({ checked }) => checked);
    expect(ticked.map((box) => box.getAttribute('aria-label'))).toEqual([
      'Spare this one: Read package.json',
    ]);
    click(one('review-apply'));
    expect(wishes.at(-1)).toEqual({ ...spare, type: 'applyPass', proposedPassId: 5 });
  });

  it('says that a summary is written first, after which the pass is shown again', () => {
    const { one } = drawn({ toWrite: 1 });
    expect(one('review').querySelector('[role="status"]')?.textContent).toBe(
      'The model writes a summary first; you then see the pass again.',
    );
    expect(one('review-apply').textContent?.trim()).toBe('Write Summary');
  });

  it('shows its summary with its author, and sends it as the user edited it', () => {
    const { one, type, click, wishes, root } = drawn();
    const label = () => root.querySelector('.proposed-summary label')?.textContent;
    expect(label()).toBe('Summary of 6 blocks (written by claude-haiku)');
    expect(one('proposed-check').textContent).toContain('Checked: all 3 names');
    expect(root.querySelector('.proposed-summary label')?.getAttribute('for')).toBe(
      one('proposed-summary').id,
    );
    type('Read the harbour; keep the API.', one('proposed-summary'));
    expect(label()).toBe('Summary of 6 blocks (written by claude-haiku, edited by you)');
    expect(root.querySelector('[data-testid="proposed-check"]')).toBeNull();
    click(one('review-apply'));
    expect(wishes).toEqual([
      {
        type: 'applyPass',
        proposedPassId: 4,
        spared: [],
        summaries: { 'summary-2': 'Read the harbour; keep the API.' },
      },
    ]);
  });

  it('can be postponed', () => {
    const { one, click, wishes } = drawn();
    click(one('review-postpone'));
    expect(wishes).toEqual([{ type: 'postponePass', proposedPassId: 4 }]);
  });

  it('keeps the text when the next fact comes, and drops it with the review', () => {
    const { one, tell, type } = drawn();
    const shown = () => (one('proposed-summary') as HTMLTextAreaElement).value;
    type('Mine.', one('proposed-summary'));
    const replanned = { ...REVIEW, proposedPassId: 5 };
    tell({ type: 'contextChanged', context: sampleContext({ review: replanned, step: 18 }) });
    expect(shown()).toBe('Mine.');
    const another = { ...REVIEW, proposedPassId: 6, reviewId: 6 };
    tell({ type: 'contextChanged', context: sampleContext({ review: another }) });
    expect(shown()).toBe('Read the harbour.');
  });

  it('opens the ledger, unless the user is typing', () => {
    const context = sampleContext({ review: REVIEW });
    const { store, one, tell, answer, click, type } = drawPanel(sampleContext());
    click(one('tab-session'));
    tell({ type: 'contextChanged', context });
    expect(store.look.value.tab).toBe('ledger');

    click(one('tab-request'));
    answer({ type: 'answered', data: sampleRequest() });
    type('zones', one('request-search'));
    one('request-search').focus();
    tell({
      type: 'contextChanged',
      context: { ...context, review: { ...REVIEW, proposedPassId: 5, reviewId: 5 } },
    });
    expect(store.look.value.tab).toBe('request');
  });

  it('keeps the text over travelling, another session and reloading', () => {
    const { all, one, type, tell, store } = drawn();
    const shown = () => (one('proposed-summary') as HTMLTextAreaElement).value;
    type('Mine.', one('proposed-summary'));
    const away = { reviewWaits: true, travel: { at: 4, first: 1, last: 17 } } as const;
    tell({ type: 'contextChanged', context: sampleContext(away) });
    expect(all('review')).toEqual([]);
    tell({ type: 'contextChanged', context: sampleContext({ session: 'recording-1' }) });
    tell({ type: 'contextChanged', context: sampleContext({ review: REVIEW }) });
    expect(shown()).toBe('Mine.');

    const again = drawPanel(sampleContext({ review: REVIEW }), undefined, keptOf(store).unsent);
    again.click(again.one('review-apply'));
    expect(again.wishes).toEqual([
      {
        type: 'applyPass',
        proposedPassId: 4,
        spared: [],
        summaries: { 'summary-2': 'Mine.' },
      },
    ]);
  });

  it('ignores the edits of another proposed pass with the same number', () => {
    const review = {
      session: 'session-1',
      reviewId: 4,
      summaries: { 'summary-2': { from: 'Another.', text: 'Mine.' } },
    };
    expect(editsOf({ review }, 'session-1', REVIEW).summaries).toEqual({});
  });

  it('can be answered again after a refusal', () => {
    const { one, all, click, posts, refuse, store } = drawn();
    click(one('review-apply'));
    const [applied] = posts;
    store.wish({ type: 'exportPass', number: 9 });
    refuse('There is no pass 9.');
    expect([isOff(one('review-apply')), all('review-refusal')]).toEqual([true, []]);
    refuse('The summary is longer than what it stands for.', applied);
    expect(isOff(one('review-apply'))).toBe(false);
    expect(one('review-refusal').textContent).toContain('longer than what it stands for');
    expect(one('refusal').textContent).toContain('There is no pass 9.');
  });

  it.each([
    ['a recording', { source: sampleRecording() }, { type: 'closeRecording' }],
    [
      'a past step',
      { travel: { at: 4, first: 1, last: 17 } as const },
      { type: 'travelTo', at: 'now' },
    ],
  ])('is announced while %s is shown, with a link to it', (_, changes, way) => {
    const { one, click, wishes } = drawPanel(sampleContext({ ...changes, reviewWaits: true }));
    expect(one('waiting').textContent).toBe('A pass is waiting for your review.Show');
    click(one('waiting').querySelector('button')!);
    expect(wishes).toEqual([way]);
    expect(drawPanel(sampleContext(changes)).all('waiting')).toEqual([]);
  });

  it('shows names and summaries as plain text', () => {
    const evil = '<img src=x onerror="steal()">';
    const decisions = [{ ...REVIEW.decisions[0]!, label: evil, reason: evil }];
    const summaries = [{ ...REVIEW.summaries[0]!, text: evil, writtenBy: evil }];
    expect(drawn({ decisions, summaries }).root.querySelector('img')).toBeNull();
  });
});
