import type { Baseline, ContextWindow, CountedWindow } from '../contextWindow';
import type { EventOf } from '../event';
import { replaceBlock, withoutExact } from './blockChanges';

/** Takes the API's count of the window as it stands; right after a pass it certifies that pass. */
export function certify(window: ContextWindow, event: EventOf<'windowCounted'>): ContextWindow {
  const { tokens, source, edited, beforeEdits, serverEdits } = event;
  const counted = withBaseline(window, {
    tokens,
    source,
    ...(edited === true ? { edited } : {}),
    ...(beforeEdits === undefined ? {} : { beforeEdits }),
    ...(serverEdits === undefined ? {} : { contextEdits: serverEdits }),
  });
  const last = counted.ledger.at(-1);
  // If something came in since the pass, or was undone, the count says nothing about the pass.
  const isOfPass = !isCountOf(window) && window.blocks === window.leftByPass;
  if (last === undefined || !isOfPass || last.certifiedTokens !== undefined) return counted;
  return {
    ...counted,
    ledger: counted.ledger.withAll([
      [counted.ledger.length - 1, { ...last, certifiedTokens: event.tokens }],
    ]),
  };
}

/** Says whether the last official number is of the window as it stands, or of its beginning. */
function isCountOf({ baseline }: ContextWindow): boolean {
  return baseline !== undefined && baseline.counted === undefined;
}

/**
 * Takes an official number as the new baseline. Where exactly one block came in since the last one,
 * the difference is that block's exact size, unless the API took something out for either of the
 * two.
 */
export function withBaseline(window: ContextWindow, fact: Omit<Baseline, 'blocks'>): ContextWindow {
  const { baseline, blocks } = window;
  const counted = withFirstCount({ ...window, baseline: { ...fact, blocks: blocks.length } });
  if (baseline === undefined || !isCountOf(window)) return counted;
  if (baseline.edited === true || fact.edited === true) return counted;
  const [added, ...others] = blocks.slice(baseline.blocks);
  const difference = fact.tokens - baseline.tokens;
  if (added === undefined || others.length > 0 || difference <= 0) return counted;
  return replaceBlock(counted, { ...added, exactTokens: difference });
}

/** Keeps the first number that covers all that was sent, with what it covered. */
function withFirstCount(window: ContextWindow): ContextWindow {
  const { baseline, firstCount } = window;
  if (firstCount !== undefined || baseline === undefined || baseline.edited === true) return window;
  const { tokens, blocks } = baseline;
  return { ...window, firstCount: { tokens, counted: countedOf(window, blocks) } };
}

/**
 * Has the last official number keep what it covered, before something in there changes: the number
 * then still holds for everything that stays as it is.
 */
export function keepCounted(window: ContextWindow): ContextWindow {
  if (window.baseline === undefined || !isCountOf(window)) return window;
  // What the API itself would take out of the request is not known of another one.
  const { beforeEdits: _stale, ...baseline } = window.baseline;
  return {
    ...window,
    baseline: { ...baseline, counted: countedOf(window, baseline.blocks) },
  };
}

/** The beginning of a window. */
function countedOf(window: ContextWindow, blocks: number): CountedWindow {
  const { baseline: _last, firstCount: _first, ...counted } = window;
  return { ...counted, blocks: window.blocks.slice(0, blocks) };
}

/** Makes another model the one that is asked: the counts of the former one say nothing about it. */
export function setModel(window: ContextWindow, model: string): ContextWindow {
  if (model === window.model) return window;
  const { stepDown: _stale, baseline: _last, firstCount: _first, ...rest } = window;
  return { ...rest, model, blocks: window.blocks.mapped(withoutExact) };
}
