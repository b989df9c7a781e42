import { describe, expect, it } from 'vitest';
import { sampleContext, SAMPLE_SETTINGS } from '../contextViews';
import { drawPanel } from '../drawnPanel';
import { past, isDisabled } from './pastStep';

// @vitest-environment happy-dom

describe('the header', () => {
  it('shows the session and the step; model, policy and turn are tooltips', () => {
    const { one } = drawPanel(sampleContext({ offline: false, busy: false }));
    const title = one('session-title');
    expect([title.textContent, title.title]).toEqual([
      'fix the harbour tests',
      'Session: fix the harbour tests · Model: plimsoll-offline-demo · Policy: ladder',
    ]);
    const step = one('step');
    expect([step.textContent, step.title]).toEqual(['step 17 of 17', 'Turn 2']);
  });

  it.each([
    [13_440, '13,440 tokens: the low watermark'],
    [10_311, '10,311 tokens: 60\u00a0% of the tokens in the window'],
  ])('says where Compact Now aims: %i', (handTarget, words) => {
    const { one } = drawPanel(sampleContext({ busy: false, handTarget }));
    const hint = `Runs a pass now; it aims at ${words}`;
    expect(one('compact-now').title).toBe(hint);
  });

  it('marks the offline demo, and nothing else', () => {
    expect(drawPanel(sampleContext()).one('offline-mark').textContent).toBe(
      'Offline demo: scripted, no AI',
    );
    expect(drawPanel(sampleContext({ offline: false })).all('offline-mark')).toEqual([]);
  });

  it('says while the agent is working', () => {
    expect(drawPanel(sampleContext()).one('step').textContent).toContain('the agent is working');
    const empty = sampleContext({ step: 0, busy: false, travel: { at: 'now', first: 1, last: 0 } });
    expect(drawPanel(empty).one('step').textContent).toBe('no step yet');
  });

  it('tries the current settings on a press of What if', () => {
    const { one, click, wishes } = drawPanel(sampleContext());
    click(one('what-if'));
    expect(wishes).toEqual([{ type: 'whatIf', settings: SAMPLE_SETTINGS }]);
  });

  it('runs Compact Now immediately, without instructions', () => {
    const { one, click, wishes } = drawPanel(sampleContext({ busy: false }));
    click(one('compact-now'));
    expect(wishes).toEqual([{ type: 'compactNow', instructions: '' }]);
  });

  it.each([
    ['while the agent works', sampleContext({ busy: true }), /agent is working/],
    ['before the first prompt', sampleContext({ busy: false, turn: 0 }), /nothing in the window/],
    ['in the past', past(12), /go back to now/],
  ])('does not compact %s, and says why', (_when, context, why) => {
    const { one, click, wishes } = drawPanel(context);
    click(one('compact-now'));
    expect(wishes).toEqual([]);
    expect(isDisabled(one('compact-now'))).toBe(true);
    expect(one('compact-now').title).toMatch(why);
  });
});
