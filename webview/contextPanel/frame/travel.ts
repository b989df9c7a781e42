import type { TravelView } from '../../../src/editor/contextPanel/state';
import type { TimelineView } from '../../../src/editor/contextPanel/timeline/state';
import { useEffect } from 'preact/hooks';
import type { PanelStore } from '../store/panelStore';
import { effect } from '@preact/signals';

/** A moment of the session: a step, or the request that would be sent next. */
export type Moment = TravelView['at'];

/** The moments before and after the one shown; absent at the ends of the session. */
interface Ways {
  readonly back?: number;
  readonly forward?: Moment;
}

export function hasSteps({ first, last }: TravelView): boolean {
  return last >= first && last > 0;
}

/**
 * Finds the moments next to the one shown; the present comes after the last step. `steps` are the
 * known ones, ascending: lost lines leave gaps, which no one can travel into.
 */
export function waysFrom(travel: TravelView, steps: readonly number[]): Ways {
  if (!hasSteps(travel)) return {};
  const { at, first, last } = travel;
  if (at === 'now') return { back: last };
  // Search from the end: most moments asked for are among the newest.
  const known = steps.findLastIndex((step) => step < at);
  const before = steps[known] ?? (at > first ? at - 1 : undefined);
  const next = steps[known + 1] === at ? known + 2 : known + 1;
  const after = steps[next] ?? (at < last ? at + 1 : 'now');
  return { back: before, forward: after };
}

/** Steps through the session with Alt+← and Alt+→, wherever the focus is, except in a text. */
export function useTravelKeys(store: PanelStore): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (isInDialog(event)) {
        // VS Code's Go Back would hide the panel, and with it the dialog with unsaved input.
        event.stopPropagation();
        return;
      }
      const to = momentFor(event, store);
      if (to === undefined) return;
      // Stop the event: VS Code would take it as its own Go Back or Go Forward.
      event.preventDefault();
      event.stopPropagation();
      store.wish({ type: 'travelTo', at: to });
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [store]);
}

function momentFor(event: KeyboardEvent, store: PanelStore): Moment | undefined {
  const { key, target } = event;
  const context = store.context.value;
  if (!isTravelKey(event) || isText(target) || context === undefined) return undefined;
  const ways = waysFrom(context.travel, stepsOf(store));
  if (key === 'ArrowLeft') return ways.back;
  return key === 'ArrowRight' ? ways.forward : undefined;
}

function isInDialog(event: KeyboardEvent): boolean {
  return isTravelKey(event) && document.querySelector('dialog[open]') !== null;
}

function isTravelKey({ altKey, ctrlKey, metaKey, shiftKey, key }: KeyboardEvent): boolean {
  const isArrow = key === 'ArrowLeft' || key === 'ArrowRight';
  return isArrow && altKey && !ctrlKey && !metaKey && !shiftKey;
}

/** Cache: every card of the ledger asks, and a timeline value never changes. */
const STEPS = new WeakMap<TimelineView, readonly number[]>();

/** The steps that the timeline knows, ascending. */
export function stepsOf(store: PanelStore): readonly number[] {
  const timeline = store.timeline.value;
  if (timeline === undefined) return [];
  const known = STEPS.get(timeline);
  if (known !== undefined) return known;
  const steps = timeline.points.map(({ step }) => step);
  STEPS.set(timeline, steps);
  return steps;
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select') !== null;
}

/**
 * Keeps the moment that is looked at, and fetches its request when it changes. After a reload the
 * host first shows the present of the current session: the kept moment is then requested again,
 * even if its session is shown only after another one.
 */
export function followTravel({ context, look, wish }: PanelStore): () => void {
  const { session: kept } = look.peek();
  let hasBegun = false;
  return effect(() => {
    if (context.value === undefined) return;
    const { travel, session } = context.value;
    const { at } = look.peek();
    const isNew = !hasBegun && session === kept;
    hasBegun ||= isNew;
    if (isNew && typeof at === 'number' && travel.at === 'now' && isBetween(at, travel)) {
      wish({ type: 'travelTo', at });
    } else if (at !== travel.at) {
      const requestStep = travel.at === 'now' ? 'next' : travel.at;
      look.value = { ...look.peek(), at: travel.at, requestStep };
    }
  });
}

function isBetween(
  step: number,
  { first, last }: { readonly first: number; readonly last: number },
): boolean {
  return step >= first && step <= last;
}
