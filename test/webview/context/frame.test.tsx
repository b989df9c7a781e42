// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { sampleContext } from './contextViews';
import { drawPanel } from './drawnPanel';

const chips = (root: HTMLElement) =>
  [...root.querySelectorAll('.chip')].map((chip) => chip.textContent);

describe('the header', () => {
  it('says session, model, window and its source, policy and step', () => {
    const { root, one } = drawPanel(sampleContext({ offline: false, busy: false }));
    expect(chips(root)).toEqual([
      'fix the harbour tests',
      'plimsoll-offline-demo · 32,768 from a setting',
      'policy: ladder',
    ]);
    expect(one('step').textContent).toBe('turn 2 · step 17');
  });

  it('marks the offline demo, and nothing else', () => {
    expect(drawPanel(sampleContext()).one('offline-mark').textContent).toBe(
      'Offline demo: scripted, no AI',
    );
    expect(drawPanel(sampleContext({ offline: false })).all('offline-mark')).toEqual([]);
  });

  it('says that the agent is working while it is', () => {
    expect(drawPanel(sampleContext()).one('step').textContent).toContain('the agent is working');
    expect(drawPanel(sampleContext({ step: 0, busy: false })).one('step').textContent).toBe(
      'no step yet',
    );
  });

  it('opens the settings', () => {
    const { one, click, wishes } = drawPanel(sampleContext());
    click(one('settings'));
    expect(wishes).toEqual([{ type: 'openSettings' }]);
  });
});

describe('trouble', () => {
  it('waits for the host without inventing numbers', () => {
    const { root } = drawPanel();
    expect(root.textContent).toBe('Waiting for the session…');
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
    const { tell, one, all, click, row } = drawPanel(sampleContext());
    tell({ type: 'wishRefused', message: 'A step is running: pin it when it has ended.' });
    expect(one('refusal').textContent).toContain('A step is running');
    click(one('refusal').querySelector('button')!);
    expect(all('refusal')).toEqual([]);
    tell({ type: 'wishRefused', message: 'No.' });
    click(row('anchor-1'));
    expect(all('refusal')).toEqual([]);
  });
});
