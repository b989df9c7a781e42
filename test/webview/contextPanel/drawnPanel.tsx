import { render } from 'preact';
import { act } from 'preact/test-utils';
import type { ContextFact, ContextView } from '../../../src/editor/contextPanel/state';
import type { ContextPost, ContextWish } from '../../../src/editor/contextPanel/wishes';
import type { Answer } from '../../../src/editor/wish';
import { dispatch } from '../../../webview/kit/hostLink';
import { ContextPanel } from '../../../webview/contextPanel/contextPanel';
import { followTravel } from '../../../webview/contextPanel/frame/travel';
import {
  DEFAULT_LOOK,
  type KeptState,
  type Look,
  type OpenPart,
  type Unsent,
} from '../../../webview/contextPanel/store/keptState';
import { makePanelStore, type PanelStore } from '../../../webview/contextPanel/store/panelStore';

/** The panel with all blocks in its list, removed ones in their place. */
export const ALL: Look = { ...DEFAULT_LOOK, chip: 'all' };

/** Removes the previous panel with its listeners. */
let takeAway = (): void => undefined;

/** Draws the panel in the document; `tell` feeds it facts, and its wishes are recorded. */
export function drawPanel(context?: ContextView, look?: Look, unsent?: Unsent) {
  const wishes: ContextWish[] = [];
  const posts: ContextPost[] = [];
  const watched: (readonly string[])[] = [];
  /** What the tab Session asks for when it is drawn. */
  const automatic: ContextPost[] = [];
  const store = makePanelStore(
    (post) => {
      // The page reports its visible rows automatically.
      if (post.wish.type === 'watchBlocks') return void watched.push(post.wish.blocks);
      if (post.wish.type === 'fetchCacheRewrites') return void automatic.push(post);
      posts.push(post);
      wishes.push(post.wish);
    },
    look,
    unsent,
  );
  followTravel(store);
  const root = document.createElement('div');
  takeAway();
  takeAway = () => void act(() => render(null, root));
  document.body.replaceChildren(root);
  void act(() => render(<ContextPanel store={store} />, root));

  const tell = (fact: ContextFact): void => void act(() => void dispatch(store.handlers, fact));
  /** Answers the given wish, or the newest one. */
  const answer = (said: Answer, to = posts.at(-1)): void => {
    if (to === undefined) throw new Error('Nothing was wished yet.');
    const { session, number } = to;
    tell({ type: 'wishAnswered', session, number, answer: said });
  };
  const all = (testId: string, within: ParentNode = root): readonly HTMLElement[] => [
    ...within.querySelectorAll<HTMLElement>(`[data-testid="${testId}"]`),
  ];
  const one = (testId: string, within: ParentNode = root): HTMLElement => {
    const found = all(testId, within);
    if (found.length !== 1)
      throw new Error(`${found.length} elements are called ${testId}, not 1.`);
    return found[0]!;
  };
  const openedFilter = (): HTMLElement => {
    if (all('filter').length === 0) void act(() => one('show-filter').click());
    return one('filter');
  };
  if (context !== undefined) tell({ type: 'contextChanged', context });
  return {
    root,
    store,
    wishes,
    posts,
    watched,
    automatic,
    tell,
    answer,
    refuse: (message: string, to?: ContextPost): void =>
      answer({ type: 'refused', message: message }, to),
    all,
    one,
    row: (blockId: string): HTMLElement => {
      const row = all('block-row').find((each) => each.dataset['blockId'] === blockId);
      if (row === undefined) throw new Error(`No row shows ${blockId}.`);
      return row;
    },
    shownIds: () => all('block-row').map((row) => row.dataset['blockId']),
    click: (element: HTMLElement): void => void act(() => element.click()),
    /** Shows the details of a part of the bar, or the whole sum. */
    openPart: (openPart: OpenPart): void =>
      void act(() => {
        store.look.value = { ...store.look.value, openPart };
      }),
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
    /** Types into a field, or into the filter of the list, which it opens first. */
    type: (text: string, field: HTMLElement = openedFilter()): void =>
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

/** The page state that survives when the page is removed and created again. */
export function keptOf({ look, unsent }: PanelStore): KeptState {
  return JSON.parse(JSON.stringify({ look: look.value, unsent: unsent.value })) as KeptState;
}

/** Reads a number from the screen: "≈ 8,344" is 8344, "−12" is -12. */
export function numberOn(element: Element | null): number {
  const digits = (element?.textContent ?? '').replaceAll(',', '').replace('−', '-');
  const match = digits.match(/-?\d+/);
  if (match === null) throw new Error(`No number in "${element?.textContent}".`);
  return Number(match[0]);
}
