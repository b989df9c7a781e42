import { describe, expect, it } from 'vitest';
import { SAMPLE_SETTINGS } from '../contextViews';
import { opened, viewOf, wished } from './openedWhatIf';

// @vitest-environment happy-dom

describe('applying tried settings', () => {
  it('is disabled by invalid settings, which are named', () => {
    const problem = 'The low watermark must lie below the high one.';
    const settings = { ...SAMPLE_SETTINGS, windowTokens: 1_000 };
    const { one, field, type, click, asked, answer, wishes } = opened();
    type('1000', field('windowTokens'));
    expect(asked()).toHaveLength(1);
    answer({ type: 'answered', data: { settings, ok: false, message: problem } });
    expect(one('what-if-problem').textContent).toBe(problem);
    click(one('what-if-apply'));
    expect([one('what-if-apply').title, wishes.length]).toEqual([problem, 1]);
  });

  it('needs a confirmation', () => {
    const { one, field, type, click, wishes, asked } = opened();
    type('60', field('highWatermark'));
    expect(asked().map(({ type: kind }) => kind)).toEqual(['whatIf']);
    click(one('what-if-apply'));
    const settings = { ...SAMPLE_SETTINGS, highWatermark: 0.6 };
    expect(wishes.at(-1)).toEqual({ type: 'applyWhatIf', settings });
  });

  it('is undone by a reset to the current settings', () => {
    const { one, field, type, click, answer, asked } = opened();
    type('60', field('highWatermark'));
    asked();
    answer({ type: 'answered', data: viewOf({ highWatermark: 0.6 }) });
    click(one('what-if-reset'));
    expect(field('highWatermark').value).toBe('80');
    expect(asked()).toEqual([wished({ highWatermark: 0.6 }), wished({})]);
  });

  it('says why it was refused, and can be repeated', () => {
    const { one, all, field, type, click, refuse } = opened();
    type('60', field('highWatermark'));
    click(one('what-if-apply'));
    expect(one('what-if-apply').getAttribute('aria-disabled')).toBe('true');
    refuse('The settings are managed by your organisation.');
    expect(one('what-if-refusal').textContent).toContain('managed by your organisation');
    expect(all('refusal')).toEqual([]);
    click(one('what-if-apply'));
    expect(all('what-if-refusal')).toEqual([]);
  });

  it('does not show other refusals, which appear in the frame', () => {
    const { one, all, store, refuse } = opened();
    store.wish({ type: 'undoPass', number: 2 });
    refuse('Pass 2 is already undone.');
    expect(all('what-if-refusal')).toEqual([]);
    expect(one('refusal').textContent).toContain('Pass 2 is already undone.');
  });

  it('leaves a refusal that comes after closing to the frame', () => {
    const { one, all, field, type, click, refuse } = opened();
    type('60', field('highWatermark'));
    click(one('what-if-apply'));
    click(one('what-if-close'));
    refuse('Nothing was stored: the settings are as they were.');
    expect(one('refusal').textContent).toContain('Nothing was stored');
    click(one('what-if'));
    expect(all('what-if-refusal')).toEqual([]);
  });
});
