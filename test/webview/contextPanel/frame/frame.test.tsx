import { describe, expect, it } from 'vitest';
import { sampleContext } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

describe('the panel', () => {
  it('names its session, and the number of events it was drawn from', () => {
    const { root, tell } = drawPanel(sampleContext({ session: 'tides', events: 7 }));
    const said = () => ({ ...root.querySelector('main')!.dataset });
    expect(said()).toEqual({ session: 'tides', events: '7' });
    const context = sampleContext({ session: 'tides', events: 8 });
    tell({ type: 'contextChanged', context });
    expect(said()).toEqual({ session: 'tides', events: '8' });
  });
});

describe('the introduction', () => {
  it('explains the panel in three sentences until dismissed', () => {
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

  it('is one line with a link to the settings, until dismissed', () => {
    const { one, click, wishes, all, tell } = drawPanel(sampleContext({ capNotice: NOTICE }));
    expect(one('cap-notice').querySelector('.message')?.textContent).toBe(NOTICE);
    click(one('cap-settings'));
    click(one('dismiss-cap'));
    expect(wishes).toEqual([{ type: 'openWatermarkSettings' }, { type: 'dismissCapNotice' }]);
    tell({ type: 'contextChanged', context: sampleContext() });
    expect(all('cap-notice')).toEqual([]);
  });
});

describe('an error', () => {
  it('leaves the panel waiting for the host, without invented numbers', () => {
    const { root } = drawPanel();
    expect(root.textContent).toBe('Waiting for the session…');
    expect(root.querySelectorAll('main')).toHaveLength(1);
  });

  it('is named, with a link to the settings', () => {
    const { one, click, wishes } = drawPanel(
      sampleContext({ problem: 'plimsoll.context.highWatermark must be below 1, not 1.2.' }),
    );
    expect(one('problem').textContent).toContain('highWatermark must be below 1');
    click(one('problem').querySelector('button')!);
    expect(wishes).toEqual([{ type: 'openSettings' }]);
  });

  it('is absent if there is none', () => {
    const { all } = drawPanel(sampleContext());
    expect([...all('problem'), ...all('refusal')]).toEqual([]);
  });

  it('says why a wish was refused, until dismissed or until the next wish', () => {
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
