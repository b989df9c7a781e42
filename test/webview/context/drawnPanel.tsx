import { render } from 'preact';
import { act } from 'preact/test-utils';
import type { ContextFact, ContextView, ContextWish } from '../../../src/protocol/contextPanel';
import { dispatch } from '../../../src/protocol/handlers';
import { ContextPanel } from '../../../webview/context/contextPanel';
import type { Look } from '../../../webview/context/look';
import { makePanelStore } from '../../../webview/context/panelStore';
import type { Unsent } from '../../../webview/context/unsent';

/** Takes the panel drawn before away, with what it listens to. */
let takeAway = (): void => undefined;

/** Draws the panel in the document; facts go in through `tell`, what was wished is kept. */
export function drawPanel(context?: ContextView, look?: Look, unsent?: Unsent) {
  const wishes: ContextWish[] = [];
  const store = makePanelStore(({ wish }) => wishes.push(wish), look, unsent);
  const root = document.createElement('div');
  takeAway();
  takeAway = () => void act(() => render(null, root));
  document.body.replaceChildren(root);
  void act(() => render(<ContextPanel store={store} />, root));

  const tell = (fact: ContextFact): void => void act(() => void dispatch(store.handlers, fact));
  const all = (testId: string, within: ParentNode = root): readonly HTMLElement[] => [
    ...within.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`),
  ];
  const one = (testId: string, within: ParentNode = root): HTMLElement => {
    const found = all(testId, within);
    if (found.length !== 1)
      throw new Error(`${found.length} elements are called ${testId}, not 1.`);
    return found[0]!;
  };
  if (context !== undefined) tell({ type: 'contextChanged', context });
  return {
    root,
    store,
    wishes,
    tell,
    all,
    one,
    row: (blockId: string): HTMLElement => {
      const row = all('block-row').find((each) => each.dataset['blockId'] === blockId);
      if (row === undefined) throw new Error(`No row shows ${blockId}.`);
      return row;
    },
    shownIds: () => all('block-row').map((row) => row.dataset['blockId']),
    click: (element: HTMLElement): void => void act(() => element.click()),
    press: (
      key: string,
      target: Element | null = document.activeElement,
      held: KeyboardEventInit = {},
    ): void =>
      void act(
        () =>
          void target?.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }),
          ),
      ),
    type: (text: string, field: HTMLElement = one('filter')): void =>
      void act(() => {
        (field as HTMLInputElement | HTMLTextAreaElement).value = text;
        field.dispatchEvent(new InputEvent('input', { bubbles: true }));
      }),
    unfold: (details: HTMLElement): void =>
      void act(() => {
        (details as HTMLDetailsElement).open = true;
        details.dispatchEvent(new Event('toggle'));
      }),
  };
}

/** Reads a number as it is written on screen: "≈ 8,344" is 8344, "−12" is -12. */
export function numberOn(element: Element | null): number {
  const digits = (element?.textContent ?? '').replaceAll(',', '').replace('−', '-');
  const match = digits.match(/-?\d+/);
  if (match === null) throw new Error(`No number in "${element?.textContent}".`);
  return Number(match[0]);
}
