import { describe, expect, it } from 'vitest';
import { makePanelStore } from '../../../../webview/contextPanel/store/panelStore';
import { DEFAULT_LOOK } from '../../../../webview/contextPanel/store/keptState';
import { followTravel, waysFrom } from '../../../../webview/contextPanel/frame/travel';
import type { TravelView } from '../../../../src/editor/contextPanel/state';
import type { ContextWish } from '../../../../src/editor/contextPanel/wishes';
import { sampleContext } from '../contextViews';

const from = (at: TravelView['at'], steps: readonly number[] = []) =>
  waysFrom({ at, first: 3, last: 9 }, steps);

describe('the steps before and after a moment', () => {
  it('lead from now back to the last step, and nowhere forward', () => {
    expect(from('now')).toEqual({ back: 9 });
  });

  it('lead from the last step forward to now, and from the first nowhere back', () => {
    expect(from(9)).toEqual({ back: 8, forward: 'now' });
    expect(from(3)).toEqual({ forward: 4 });
  });

  it('skip steps whose log lines were lost', () => {
    expect(from(5, [3, 5, 8, 9])).toEqual({ back: 3, forward: 8 });
    expect(from(3, [3, 5, 8, 9])).toEqual({ forward: 5 });
  });

  it('do not exist before the first step', () => {
    expect(waysFrom({ at: 'now', first: 0, last: 0 }, [])).toEqual({});
    expect(waysFrom({ at: 'now', first: 1, last: 0 }, [])).toEqual({});
  });
});

describe('the displayed moment', () => {
  const reloaded = (at: TravelView['at'], session = 'session-1') => {
    const wishes: ContextWish[] = [];
    const store = makePanelStore(({ wish }) => wishes.push(wish), { ...DEFAULT_LOOK, at, session });
    followTravel(store);
    const show = (shown: TravelView['at'], last = 17) =>
      store.handlers.contextChanged({
        type: 'contextChanged',
        context: sampleContext({ travel: { at: shown, first: 1, last } }),
      });
    return { store, wishes, show };
  };

  it('is requested again once after a reload', () => {
    const { store, wishes, show } = reloaded(12);
    show('now');
    expect(wishes).toEqual([{ type: 'travelTo', at: 12 }]);
    store.look.value = { ...store.look.value, requestStep: 5 };
    show(12);
    expect([store.look.value.at, store.look.value.requestStep]).toEqual([12, 5]);
    show('now');
    expect(wishes).toHaveLength(1);
    expect([store.look.value.at, store.look.value.requestStep]).toEqual(['now', 'next']);
  });

  it('is not sent to another session', () => {
    const { store, wishes, show } = reloaded(12, 'session-0');
    show('now');
    expect(wishes).toEqual([]);
    expect([store.look.value.at, store.look.value.session]).toEqual(['now', 'session-1']);
  });

  it('is forgotten if the session has no such step', () => {
    const { store, wishes, show } = reloaded(12);
    show('now', 4);
    expect(wishes).toEqual([]);
    expect(store.look.value.at).toBe('now');
  });

  it('is the one that the host shows', () => {
    const { store, wishes, show } = reloaded('now');
    show(7);
    expect([store.look.value.at, store.look.value.requestStep]).toEqual([7, 7]);
    expect(wishes).toEqual([]);
  });
});
