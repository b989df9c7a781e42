import { describe, expect, it } from 'vitest';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const tabs = (panel: ReturnType<typeof drawPanel>) =>
  panel
    .all('tab-ledger')
    .concat(['block', 'files', 'request', 'session'].map((tab) => panel.one(`tab-${tab}`)));

describe('the tabs next to the blocks', () => {
  it('show one area at a time, the one the user chose', () => {
    const panel = drawPanel(sampleContext());
    expect(tabs(panel).map(({ textContent }) => textContent)).toEqual([
      'Ledger',
      'Block',
      'Files',
      'Request',
      'Session',
    ]);
    panel.click(panel.one('tab-session'));
    expect(panel.store.look.value.tab).toBe('session');
    const shown = [...panel.root.querySelectorAll<HTMLElement>('[role="tabpanel"]')].filter(
      ({ hidden }) => !hidden,
    );
    expect(shown.map((area) => area.dataset['testid'])).toEqual(['panel-session']);
  });

  it('name their panels, and each panel its tab', () => {
    const panel = drawPanel(sampleContext());
    for (const tab of tabs(panel)) {
      const area = document.getElementById(tab.getAttribute('aria-controls')!);
      expect(area?.getAttribute('aria-labelledby')).toBe(tab.id);
    }
  });

  it('move with arrow keys, Home and End, and wrap around', () => {
    const panel = drawPanel(sampleContext());
    panel.one('tab-ledger').focus();
    const pressed = (key: string) => {
      panel.press(key);
      return (document.activeElement as HTMLElement).dataset['tab'];
    };
    expect(['ArrowLeft', 'ArrowRight', 'ArrowRight', 'End', 'Home'].map(pressed)).toEqual([
      'session',
      'ledger',
      'block',
      'session',
      'ledger',
    ]);
  });

  it('have one of them in the tab order', () => {
    const panel = drawPanel(sampleContext());
    panel.click(panel.one('tab-request'));
    expect(tabs(panel).map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, -1, 0, -1]);
  });
});

describe('travelling', () => {
  const past = sampleContext({ travel: { at: 4, first: 1, last: 17 } });

  it('changes the request too, forward and back', () => {
    const { one, tell } = drawPanel(sampleContext());
    tell({ type: 'contextChanged', context: past });
    expect(one('tab-request').textContent).toBe('Request 4');
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(one('tab-request').textContent).toBe('Request');
  });

  it('keeps the request chosen before a reload', () => {
    const { store, one, tell } = drawPanel();
    store.look.value = { ...store.look.value, session: 'session-1', requestStep: 9 };
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(one('tab-request').textContent).toBe('Request 9');
  });
});
