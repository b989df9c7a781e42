import { describe, expect, it } from 'vitest';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

describe('the panel', () => {
  it('says of which session it is, and from how many events of its log it was drawn', () => {
    const { root, tell } = drawPanel(sampleContext({ session: 'tides', events: 7 }));
    const said = () => ({ ...root.querySelector('main')!.dataset });
    expect(said()).toEqual({ session: 'tides', events: '7' });
    const context = sampleContext({ session: 'tides', events: 8 });
    tell({ type: 'contextChanged', context });
    expect(said()).toEqual({ session: 'tides', events: '8' });
  });
});

describe('the introduction', () => {
  it('says in three sentences what is shown, until it was read', () => {
    const { one, click, wishes, all, tell } = drawPanel(sampleContext({ showIntro: true }));
    const sentences = one('intro')
      .querySelector('p')!
      .textContent!.match(/\.( |$)/g);
    expect(sentences).toHaveLength(3);
    click(one('dismiss-intro'));
    expect(wishes).toEqual([{ type: 'dismissIntro' }]);
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(all('intro')).toEqual([]);
  });
});

describe('the notice of a cap on watermarks', () => {
  const NOTICE = 'A pass begins above 200,000 tokens.';

  it('is one line, with the way to the settings, until it was read', () => {
    const { one, click, wishes, all, tell } = drawPanel(sampleContext({ capNotice: NOTICE }));
    expect(one('cap-notice').querySelector('.message')?.textContent).toBe(NOTICE);
    click(one('cap-settings'));
    click(one('dismiss-cap'));
    expect(wishes).toEqual([{ type: 'openWatermarkSettings' }, { type: 'dismissCapNotice' }]);
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(all('cap-notice')).toEqual([]);
  });
});

describe('trouble', () => {
  it('waits for the host without inventing numbers', () => {
    const { root } = drawPanel();
    expect(root.textContent).toBe('Waiting for the session…');
    expect(root.querySelectorAll('main')).toHaveLength(1);
  });

  it('is named, with the way to the settings', () => {
    const { one, click, wishes } = drawPanel(
      sampleContext({ problem: 'plimsoll.context.highWatermark must be below 1, not 1.2.' }),
    );
    expect(one('problem').textContent).toContain('highWatermark must be below 1');
    click(one('problem').querySelector('button')!);
    expect(wishes).toEqual([{ type: 'openSettings' }]);
  });

  it('is absent while there is none', () => {
    const { all } = drawPanel(sampleContext());
    expect([...all('problem'), ...all('refusal')]).toEqual([]);
  });

  it('shows why a wish was refused, until dismissed or until the next wish', () => {
    const { store, refuse, one, all, click } = drawPanel(sampleContext());
    store.wish({ type: 'pinBlock', blockId: 'step-3' });
    refuse('A step is running: pin it when it has ended.');
    expect(one('refusal').textContent).toContain('A step is running');
    expect(one('refusal').getAttribute('role')).toBe('alert');
    click(one('refusal').querySelector('button')!);
    expect(all('refusal')).toEqual([]);
    store.wish({ type: 'pinBlock', blockId: 'step-3' });
    refuse('No.');
    expect(all('refusal')).toHaveLength(1);
    click(one('step-back'));
    expect(all('refusal')).toEqual([]);
  });
});
