import { describe, expect, it } from 'vitest';
import { sampleContext } from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

const opened = () => {
  const panel = drawPanel(sampleContext());
  panel.one('tab-ledger').focus();
  const blockId = 'summary-2';
  panel.store.wish({ type: 'fetchSummary', blockId });
  panel.answer({ type: 'answered', data: 'Read the harbour.' });
  panel.wishes.length = 0;
  const field = () => panel.one('summary-text') as HTMLTextAreaElement;
  return { ...panel, field };
};

describe('the summary dialog', () => {
  it('opens with its text and the focus in it', () => {
    const { one, field } = opened();
    expect((one('summary-dialog') as HTMLDialogElement).open).toBe(true);
    expect(field().value).toBe('Read the harbour.');
    expect(document.activeElement).toBe(field());
  });

  it('rewrites the summary, and closes once the host accepts', () => {
    const { one, all, type, click, tell, answer, posts, wishes, field } = opened();
    type('Read the harbour; the API stays.', field());
    click(one('summary-save'));
    expect(wishes).toEqual([
      { type: 'rewriteSummary', blockId: 'summary-2', text: 'Read the harbour; the API stays.' },
    ]);
    expect(all('summary-dialog')).toHaveLength(1);
    tell({ type: 'contextChanged', context: sampleContext() });
    answer({ type: 'done' }, posts[0]);
    expect(all('summary-dialog')).toHaveLength(1);
    answer({ type: 'done' });
    expect(all('summary-dialog')).toEqual([]);
    expect(document.activeElement).toBe(one('tab-ledger'));
  });

  it('keeps the text if the host refuses it, and says why', () => {
    const { one, type, click, tell, refuse, field } = opened();
    type('Longer than all it stands for.', field());
    click(one('summary-save'));
    refuse('The summary stays as it was: write less.');
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(one('summary-refusal').textContent).toBe('The summary stays as it was: write less.');
    expect(field().value).toBe('Longer than all it stands for.');
    expect(one('summary-save').getAttribute('aria-disabled')).toBeNull();
  });

  it('does not show other refusals', () => {
    const { one, all, store, refuse } = opened();
    store.wish({ type: 'pinBlock', blockId: 'step-3' });
    refuse('Step 3 has left.');
    expect(all('summary-refusal')).toEqual([]);
    expect(one('refusal').textContent).toContain('Step 3 has left.');
  });

  it('reopens with the same text after hiding and reloading', () => {
    const { type, field, store } = opened();
    type('Mine.', field());
    const again = drawPanel(sampleContext(), undefined, keptOf(store).unsent);
    expect((again.one('summary-text') as HTMLTextAreaElement).value).toBe('Mine.');
    again.click(again.one('summary-save'));
    expect(again.wishes).toEqual([{ type: 'rewriteSummary', blockId: 'summary-2', text: 'Mine.' }]);
    again.answer({ type: 'done' });
    expect(keptOf(again.store).unsent.summary).toBeUndefined();
  });

  it('refuses an empty text', () => {
    const { one, type, field } = opened();
    type('  ', field());
    expect(one('summary-save').title).toBe('A summary cannot be empty');
  });

  it.each(['summary-save', 'summary-cancel'])('closes by %s without a change', (button) => {
    const { one, all, click, wishes } = opened();
    click(one(button));
    expect([wishes, all('summary-dialog')]).toEqual([[], []]);
  });
});
