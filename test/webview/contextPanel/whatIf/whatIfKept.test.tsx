import { describe, expect, it } from 'vitest';
import { sampleContext, SAMPLE_SETTINGS } from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';
import { opened, viewOf } from './openedWhatIf';

// @vitest-environment happy-dom

describe('a what-if dialog', () => {
  it('takes the focus, returns it, and asks nothing more once closed', () => {
    const { one, all, field, type, click, asked } = opened();
    expect(document.activeElement).toBe(one('policy'));
    type('60', field('highWatermark'));
    click(one('what-if-close'));
    expect([all('what-if-dialog'), asked()]).toEqual([[], []]);
    expect(document.activeElement).toBe(one('what-if'));
  });

  it('stays closed when a late answer arrives, which does not affect the next attempt', () => {
    const { one, all, field, type, click, answer, posts, asked } = opened();
    type('60', field('highWatermark'));
    asked();
    const late = posts.at(-1)!;
    click(one('what-if-close'));
    click(one('what-if'));
    answer({ type: 'answered', data: viewOf({}, { due: true }) }, late);
    expect(all('what-if-words')).toEqual([]);
    answer({ type: 'answered', data: viewOf() });
    expect(one('what-if-words').textContent).toContain('No pass would be due');
    click(one('what-if-close'));
    answer({ type: 'answered', data: viewOf() }, late);
    expect(all('what-if-dialog')).toEqual([]);
  });

  it('reopens with its settings after hiding and reloading, and asks again', () => {
    const { field, type, store } = opened();
    type('60', field('highWatermark'));
    type('', field('windowTokens'));
    const again = drawPanel(sampleContext(), undefined, keptOf(store).unsent);
    expect((again.one('number-highWatermark') as HTMLInputElement).value).toBe('60');
    const settings = { ...SAMPLE_SETTINGS, highWatermark: 0.6, windowTokens: null };
    expect(again.wishes).toEqual([{ type: 'whatIf', settings }]);
    expect(again.one('what-if-waits').textContent).toBe('Planning…');
    again.answer({ type: 'answered', data: viewOf(settings) });
    expect(again.all('what-if-result')).toHaveLength(1);
  });

  it('is not reopened by a reload after it was closed, nor in another session', () => {
    const { one, all, field, type, click, tell, store } = opened();
    type('60', field('highWatermark'));
    const kept = keptOf(store).unsent;
    click(one('what-if-close'));
    expect(
      drawPanel(sampleContext(), undefined, keptOf(store).unsent).all('what-if-dialog'),
    ).toEqual([]);
    const other = sampleContext({ session: 'session-2' });
    const there = drawPanel(other, undefined, kept);
    expect([there.all('what-if-dialog'), there.wishes]).toEqual([[], []]);
    there.tell({ type: 'contextChanged', context: sampleContext() });
    expect(there.all('what-if-dialog')).toHaveLength(1);
    tell({ type: 'contextChanged', context: sampleContext({ revision: '2' }) });
    expect(all('what-if-dialog')).toEqual([]);
  });
});
