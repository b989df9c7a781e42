import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { sampleContext, sampleDecisions, samplePass, sampleRecording } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const REVIEW = {
  proposedPassId: 4,
  trigger: 'highWatermark',
  policy: 'ladder',
  before: { tokens: 21_604, exact: true },
  after: { tokens: 12_980, exact: false },
  target: 13_440,
  highTokens: 21_504,
  inputBudget: 26_880,
  decisions: sampleDecisions().slice(0, 2),
  summaries: [],
} as const;

const at = (step: number) => ({ travel: { at: step, first: 1, last: 17 }, turn: 1 }) as const;

function drawn(changes: Partial<ContextView> = {}) {
  const panel = drawPanel(sampleContext({ busy: false, ...changes }));
  const focus = (element: HTMLElement): HTMLElement => {
    // The toolkit's buttons are not registered here, and only registered ones take focus by
    // themselves.
    if (element.localName === 'vscode-button') element.tabIndex = 0;
    element.focus();
    expect(document.activeElement).toBe(element);
    return element;
  };
  const show = (next: Partial<ContextView> = {}): void =>
    panel.tell({ type: 'contextChanged', context: sampleContext({ busy: false, ...next }) });
  return { ...panel, focus, show };
}

describe('focus, when what had it goes', () => {
  it('goes from Back to now to the group that travels', () => {
    const { one, focus, show } = drawn(at(4));
    focus(one('back-to-now'));
    show();
    expect(document.activeElement).toBe(one('travel'));
  });

  it.each([
    ['live', at(4), {}],
    ['step-forward', at(17), {}],
    ['step-back', at(2), at(1)],
  ])('goes from %s to its group, once it cannot be pressed', (button, before, after) => {
    const { one, focus, show } = drawn(before);
    focus(one(button));
    show(after);
    expect(document.activeElement).toBe(one('travel'));
  });

  it('stays where it is while the button can be pressed', () => {
    const { one, focus, show } = drawn(at(5));
    const button = focus(one('step-back'));
    show(at(4));
    expect(document.activeElement).toBe(button);
  });

  it('goes from Undo to the name of the pass', () => {
    const { all, one, focus, show } = drawn({ passes: [samplePass()] });
    focus(one('undo-pass'));
    show({ passes: [samplePass({ undone: true })] });
    expect(all('undo-pass')).toEqual([]);
    expect(document.activeElement?.textContent).toBe('Pass 2');
  });

  it('goes from Dismiss and Got it to the area beside the blocks', () => {
    const { one, focus, click, store, show } = drawn({ showIntro: true });
    void act(() => store.refuse('No.'));
    click(focus(one('refusal').querySelector('button')!));
    expect(document.activeElement).toBe(one('panel-ledger'));
    focus(one('dismiss-intro'));
    show();
    expect(document.activeElement).toBe(one('panel-ledger'));
  });

  it('goes from Apply to its card, and from the card to the area', () => {
    const { one, focus, click, show } = drawn({ review: REVIEW });
    click(focus(one('review-apply')));
    expect(document.activeElement).toBe(one('review'));
    show();
    expect(document.activeElement).toBe(one('panel-ledger'));
  });

  it.each([
    ['compact-now', {}, { busy: true }, 'travel'],
    ['close-recording', { source: sampleRecording() }, {}, 'panel-ledger'],
  ])('goes on from %s', (button, before, after, heir) => {
    const { one, focus, show } = drawn(before);
    focus(one(button));
    show(after);
    expect(document.activeElement).toBe(one(heir));
  });

  it('is left to the user who has put it elsewhere', () => {
    const { one, show } = drawn(at(4));
    void act(() => one('filter').focus());
    show();
    expect(document.activeElement).toBe(one('filter'));
  });
});
