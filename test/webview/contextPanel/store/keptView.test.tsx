import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LOOK } from '../../../../webview/contextPanel/store/keptState';
import { PATIENCE_MS } from '../../../../webview/kit/waiting';
import { layOut } from '../../support/layOut';
import { manyBlocks, sampleContext, samplePlan } from '../contextViews';
import { drawPanel, keptOf } from '../drawnPanel';

// @vitest-environment happy-dom

describe('the state kept over hiding and reloading', () => {
  let takeBack: () => void;
  beforeEach(() => {
    takeBack = layOut(600);
  });
  afterEach(() => takeBack());

  it('includes the scroll position of the list', () => {
    const context = sampleContext({ blocks: manyBlocks(500) });
    const { root, store } = drawPanel(context);
    const list = root.querySelector<HTMLElement>('.list')!;
    void act(() => {
      list.scrollTop = 4_000;
      list.dispatchEvent(new Event('scrollend'));
    });
    const again = drawPanel(context, keptOf(store).look);
    expect(again.root.querySelector<HTMLElement>('.list')!.scrollTop).toBe(4_000);
  });

  it('includes the passes with unfolded decisions', () => {
    const { all, unfold, store } = drawPanel(sampleContext());
    unfold(all('decisions')[1]!);
    const again = drawPanel(sampleContext(), keptOf(store).look);
    expect(again.all('decisions').map((each) => (each as HTMLDetailsElement).open)).toEqual([
      false,
      true,
    ]);
    expect(again.wishes).toEqual([{ type: 'fetchDecisions', number: 1 }]);
  });

  it('includes an open preview, until it is closed', () => {
    const { one, click, answer, store } = drawPanel(sampleContext());
    click(one('preview-pass'));
    answer({ type: 'answered', data: samplePlan() });
    const again = drawPanel(sampleContext(), keptOf(store).look);
    expect(again.wishes).toEqual([{ type: 'previewPass' }]);
    again.answer({ type: 'answered', data: samplePlan() });
    again.click(again.one('preview-close'));
    expect(drawPanel(sampleContext(), keptOf(again.store).look).wishes).toEqual([]);
  });

  it('does not carry over to another session', () => {
    const look = { ...DEFAULT_LOOK, session: 'a', openPasses: [1], previews: true, listTop: 90 };
    const { store } = drawPanel(sampleContext(), look);
    const { aside, ...left } = store.look.value;
    expect(left).toEqual({ ...DEFAULT_LOOK, session: 'session-1' });
    expect(aside).toEqual(look);
  });
});

describe('a slow answer', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is announced, and after a while with advice', () => {
    const { one } = drawPanel();
    expect(one('session-waits').textContent).toBe('Waiting for the session…');
    expect(one('session-waits').getAttribute('role')).toBe('status');
    void act(() => void vi.advanceTimersByTime(PATIENCE_MS));
    expect(one('session-waits').textContent).toContain('Developer: Reload Window');
  });
});
