import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { TimelinePoint } from '../../../../src/editor/contextPanel/timeline/state';
import { sampleContext, sampleTimeline } from '../contextViews';
import { DEFAULT_LOOK } from '../../../../webview/contextPanel/store/keptState';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

function drawn(steps: number, at: number | 'now' = 'now', timelineOpen = true) {
  const panel = drawPanel(sampleContext({ travel: { at, first: 1, last: steps } }), {
    ...DEFAULT_LOOK,
    timelineOpen,
  });
  panel.tell({ type: 'timelineChanged', timeline: sampleTimeline(steps) });
  const track = panel.one('timeline');
  track.getBoundingClientRect = () => new DOMRect(100, 0, 900, 150);
  const point = (x: number, type = 'pointermove') =>
    void act(() => void track.dispatchEvent(new PointerEvent(type, { clientX: x, bubbles: true })));
  const readout = () => panel.one('timeline-readout').textContent;
  const step = () => Number(track.getAttribute('aria-valuenow'));
  return { ...panel, track, point, readout, step };
}

describe('the timeline', () => {
  it('begins with the first step', () => {
    const { one, tell, all } = drawPanel(sampleContext());
    expect(one('timeline-empty').textContent).toBe('The timeline begins with the first step.');
    tell({ type: 'timelineChanged', timeline: sampleTimeline(0) });
    expect(one('timeline-empty').textContent).toContain('begins');
    expect(all('timeline')).toEqual([]);
  });

  it('says in one sentence what a click does, until it is unfolded', () => {
    const { root, all, click, one } = drawn(21, 'now', false);
    expect(root.querySelector('.timeline-head .resting')!.textContent).toBe(
      'Click: what the model saw',
    );
    expect(all('timeline-totals')).toEqual([]);
    click(one('fold-timeline'));
    expect(all('timeline-totals')).toHaveLength(1);
  });

  it('sums the session up in its heading', () => {
    expect(drawn(21).one('timeline-totals').textContent).toBe(
      '2 passes · 1 needed again · 91\u00a0% read from cache · $1.84',
    );
  });

  it('reads out the newest step while no step is pointed at, then the one that is', () => {
    const { point, readout, all } = drawn(19);
    expect(readout()).toContain('Step 19 · turn 1 · ≈\u00a021,152 tokens');
    expect(all('timeline-pointer')).toEqual([]);
    point(100 + (900 * 9) / 18);
    expect(readout()).toBe(
      'Step 10 · turn 1 · Pass 1: 20,152 → 12,152 tokens · ' +
        '12,152 tokens (≈\u00a0system 4,152, older 4,000, recent 4,000) · 86\u00a0% from cache · $0.031',
    );
    expect(all('timeline-pointer')[0]!.style.left).toBe('50%');
    point(0, 'pointerleave');
    expect(readout()).toContain('Step 19');
  });

  it('travels to the clicked step', () => {
    const { track, wishes } = drawn(19);
    void act(
      () => void track.dispatchEvent(new MouseEvent('click', { clientX: 550, bubbles: true })),
    );
    expect(wishes).toEqual([{ type: 'travelTo', at: 10 }]);
  });

  it('is one control: arrow keys read out, Enter travels, Escape goes back', () => {
    const { track, press, step, wishes } = drawn(40);
    expect([track.getAttribute('role'), track.tabIndex]).toEqual(['slider', 0]);
    press('ArrowLeft', track);
    press('ArrowLeft', track);
    expect(step()).toBe(38);
    press('PageDown', track);
    expect(step()).toBe(28);
    press('Home', track);
    press('ArrowLeft', track);
    expect(step()).toBe(1);
    press('ArrowRight', track);
    expect(wishes).toEqual([]);
    press('Enter', track);
    expect(wishes).toEqual([{ type: 'travelTo', at: 2 }]);
    press('Escape', track);
    expect(step()).toBe(40);
    press('End', track);
    expect(step()).toBe(40);
  });

  it('moves from mark to mark with Shift', () => {
    const { track, press, step } = drawn(40);
    const shift = (key: string) => {
      press(key, track, { shiftKey: true });
      return step();
    };
    expect([shift('ArrowLeft'), shift('ArrowLeft'), shift('ArrowLeft')]).toEqual([34, 30, 24]);
    expect(shift('ArrowRight')).toBe(30);
  });

  it('gives the step to a screen reader', () => {
    const { track, press } = drawn(40);
    press('Home', track);
    expect(track.getAttribute('aria-valuetext')).toContain('Step 1 · turn 1 · 9,152 tokens');
    expect([track.getAttribute('aria-valuemin'), track.getAttribute('aria-valuemax')]).toEqual([
      '1',
      '40',
    ]);
  });

  it('leaves Alt to travelling', () => {
    const { track, press, step, wishes } = drawn(40);
    press('ArrowLeft', track, { altKey: true });
    expect(step()).toBe(40);
    expect(wishes).toEqual([{ type: 'travelTo', at: 40 }]);
  });

  it('has its handle at the displayed step, now at the newest', () => {
    const handle = (at: number | 'now') => drawn(41, at).one('timeline-looked').style.left;
    expect([handle(31), handle('now')]).toEqual(['75%', '100%']);
    expect(drawn(41, 31).readout()).toContain('Step 31');
  });

  it('gives the same number as the bar for the displayed step', () => {
    const { readout, point } = drawn(41, 31);
    expect(readout()).toContain(
      '≈\u00a017,186 tokens (≈\u00a0system 4,812, older 6,362, recent 6,012)',
    );
    point(100);
    expect(readout()).toContain('9,152 tokens (≈\u00a0system 4,152, older 0, recent 5,000)');
  });

  it('replaces the sum with a step that is read out', () => {
    const takes = ({ one }: ReturnType<typeof drawn>) =>
      one('timeline-readout').parentElement!.classList.contains('other');
    const now = drawn(19);
    expect(takes(now)).toBe(false);
    now.point(300);
    expect(takes(now)).toBe(true);
    expect(takes(drawn(41, 31))).toBe(false);
  });

  it('stays with the step read out while new ones arrive', () => {
    const { tell, press, track, step } = drawn(40);
    press('ArrowLeft', track);
    tell({ type: 'timelineChanged', timeline: sampleTimeline(44) });
    expect(step()).toBe(39);
  });

  it('explains its areas and signs in words, if they occur', () => {
    const { root, tell } = drawn(21);
    const key = () => root.querySelector('.timeline-key')!.textContent;
    expect(key()).toMatch(/system.*older.*recent.*≈ estimated.*pass.*needed again.*from cache/);
    expect(key()).not.toContain('undo');
    const points = sampleTimeline(3).points.map((each, index): TimelinePoint => ({
      ...each,
      billed: null,
      marks: index === 1 ? [{ kind: 'undo', words: 'Pass 1 undone' }] : [],
    }));
    tell({ type: 'timelineChanged', timeline: { ...sampleTimeline(3), points } });
    expect(key()).toContain('undo');
    expect(key()).toContain('no bill was reported');
    expect(key()).not.toContain('today');
    const old = points.map((each) => ({
      ...each,
      budget: { ...each.budget, ofToday: true as const },
    }));
    tell({ type: 'timelineChanged', timeline: { ...sampleTimeline(3), points: old } });
    expect(key()).toContain('today’s budget where the log has none');
  });

  it('creates no element per step or mark, however many there are', () => {
    const count = (steps: number) => drawn(steps).track.querySelectorAll('*').length;
    expect(count(10_000)).toBe(count(20));
  });
});
