import { act } from 'preact/test-utils';
import { describe, expect, it } from 'vitest';
import type { ContextView } from '../../../../src/editor/contextPanel/state';
import { sampleContext, samplePass, sampleRecording, sampleReview } from '../contextViews';
import { drawPanel } from '../drawnPanel';

// @vitest-environment happy-dom

const at = (step: number) => ({ travel: { at: step, first: 1, last: 17 }, turn: 1 }) as const;

function drawn(changes: Partial<ContextView> = {}) {
  const panel = drawPanel(sampleContext({ busy: false, ...changes }));
  const focus = (element: HTMLElement): HTMLElement => {
    // The toolkit's buttons take focus only when registered, which they are not here.
    if (element.localName === 'vscode-button') element.tabIndex = 0;
    element.focus();
    expect(document.activeElement).toBe(element);
    return element;
  };
  const show = (next: Partial<ContextView> = {}): void =>
    panel.tell({ type: 'contextChanged', context: sampleContext({ busy: false, ...next }) });
  return { ...panel, focus, show };
}

describe('focus, when its element is removed', () => {
  it('moves from Back to now to the travel group', () => {
    const { one, focus, show } = drawn(at(4));
    focus(one('back-to-now'));
    show();
    expect(document.activeElement).toBe(one('travel'));
  });

  it.each([
    ['step-forward', at(17), {}],
    ['step-back', at(2), at(1)],
  ])('moves from %s to its group once it is disabled', (button, before, after) => {
    const { one, focus, show } = drawn(before);
    focus(one(button));
    show(after);
    expect(document.activeElement).toBe(one('travel'));
  });

  it('stays while the button is enabled', () => {
    const { one, focus, show } = drawn(at(5));
    const button = focus(one('step-back'));
    show(at(4));
    expect(document.activeElement).toBe(button);
  });

  it('moves from Undo to the name of the pass', () => {
    const { all, one, focus, show } = drawn({ passes: [samplePass()] });
    focus(one('undo-pass'));
    show({ passes: [samplePass({ undone: true })] });
    expect(all('undo-pass')).toEqual([]);
    expect(document.activeElement?.textContent).toBe('Pass 2');
  });

  it('moves from Dismiss and Got it to the area next to the blocks', () => {
    const { one, focus, click, store, show } = drawn({ showIntro: true });
    void act(() => store.refuse('No.'));
    click(focus(one('refusal').querySelector('button')!));
    expect(document.activeElement).toBe(one('panel-ledger'));
    focus(one('dismiss-intro'));
    show();
    expect(document.activeElement).toBe(one('panel-ledger'));
  });

  it('moves from Apply to its card, and from the card to the area', () => {
    const { one, focus, click, show } = drawn({ review: sampleReview() });
    click(focus(one('review-apply')));
    expect(document.activeElement).toBe(one('review'));
    show();
    expect(document.activeElement).toBe(one('panel-ledger'));
  });

  it.each([
    ['compact-now', {}, { busy: true }, 'travel'],
    ['close-recording', { source: sampleRecording() }, {}, 'panel-ledger'],
  ])('moves on from %s', (button, before, after, heir) => {
    const { one, focus, show } = drawn(before);
    focus(one(button));
    show(after);
    expect(document.activeElement).toBe(one(heir));
  });

  it('stays where the user has moved it', () => {
    const { one, show } = drawn(at(4));
    void act(() => one('show-filter').focus());
    show();
    expect(document.activeElement).toBe(one('show-filter'));
  });
});
