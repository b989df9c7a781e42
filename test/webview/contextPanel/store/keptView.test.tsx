import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LOOK, lookOf } from '../../../../webview/contextPanel/store/look';
import type { PanelStore } from '../../../../webview/contextPanel/store/panelStore';
import { PATIENCE_MS } from '../../../../webview/kit/waiting';
import { layOut } from '../../support/layOut';
import { manyBlocks, sampleContext, samplePlan } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const lookKept = ({ look }: PanelStore) => lookOf(JSON.parse(JSON.stringify(look.value)));

describe('what is kept over hiding and reloading', () => {
  let takeBack: () => void;
  beforeEach(() => {
    takeBack = layOut(600);
  });
  afterEach(() => takeBack());

  it('is how far the list was scrolled', () => {
    const context = sampleContext({ blocks: manyBlocks(500) });
    const { root, store } = drawPanel(context);
    const list = root.querySelector<HTMLElement>('.list')!;
    void act(() => {
      list.scrollTop = 4_000;
      list.dispatchEvent(new Event('scrollend'));
    });
    const again = drawPanel(context, lookKept(store));
    expect(again.root.querySelector<HTMLElement>('.list')!.scrollTop).toBe(4_000);
  });

  it('is which passes have their decisions unfolded', () => {
    const { all, unfold, store } = drawPanel(sampleContext());
    unfold(all('decisions')[1]!);
    const again = drawPanel(sampleContext(), lookKept(store));
    expect(again.all('decisions').map((each) => (each as HTMLDetailsElement).open)).toEqual([
      false,
      true,
    ]);
    expect(again.wishes).toEqual([{ type: 'fetchDecisions', number: 1 }]);
  });

  it('is whether a preview is open, until it is closed', () => {
    const { one, click, answer, store } = drawPanel(sampleContext());
    click(one('preview-pass'));
    answer({ type: 'answered', data: samplePlan() });
    const again = drawPanel(sampleContext(), lookKept(store));
    expect(again.wishes).toEqual([{ type: 'previewPass' }]);
    again.answer({ type: 'answered', data: samplePlan() });
    again.click(again.one('preview-close'));
    expect(drawPanel(sampleContext(), lookKept(again.store)).wishes).toEqual([]);
  });

  it('is not taken in another form, nor into another session', () => {
    const kept = { session: 'a', openPasses: [1, 'x'], unfolded: { a: true, b: 7 }, listTop: '9' };
    expect(lookOf(kept)).toEqual({
      ...DEFAULT_LOOK,
      session: 'a',
      openPasses: [1],
      unfolded: { a: true },
    });
    const look = { ...lookOf(kept), previews: true, listTop: 90 };
    const { store } = drawPanel(sampleContext(), look);
    const { aside, ...left } = store.look.value;
    expect(left).toEqual({ ...DEFAULT_LOOK, session: 'session-1' });
    expect(aside).toEqual(look);
    expect(lookOf({ ...left, aside: { ...kept, aside: look } }).aside).toEqual(lookOf(kept));
  });
});

describe('what is waited for', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is said, and after a while what to do about it', () => {
    const { one } = drawPanel();
    expect(one('session-waits').textContent).toBe('Waiting for the session…');
    expect(one('session-waits').getAttribute('role')).toBe('status');
    void act(() => void vi.advanceTimersByTime(PATIENCE_MS));
    expect(one('session-waits').textContent).toContain('Developer: Reload Window');
  });
});
