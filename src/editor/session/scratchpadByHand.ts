import type { ContextWindow } from '../../contextWindow/window';
import { scratchpadBack } from '../../contextWindow/handChanges';
import { refused } from '../../contextWindow/result';
import {
  itemsOf,
  SCRATCHPAD_FIELDS,
  scratchpadText,
  todoLine,
  withLists,
  type Scratchpad,
} from '../../contextWindow/scratchpad';
import type { WindowChange } from './changesByHand';

/**
 * Changes the scratchpad by hand. `base` is its content when the user began: later changes of the
 * agent stay, and a field that both changed differently is refused, so nothing is lost.
 */
export function scratchpadChangeOf(
  window: ContextWindow,
  typed: Scratchpad,
  base: Scratchpad,
): WindowChange {
  const { scratchpad, contested } = mergedScratchpad(base, typed, window.scratchpad);
  if (contested.length > 0) {
    return refused(
      `The agent changed ${contested.join(' and ')} while you were editing it, so nothing was stored. Copy your text, open the notes again and compare.`,
    );
  }
  // Compared as the model reads them: spaces that it never sees do not count.
  if (scratchpadText(scratchpad) === scratchpadText(window.scratchpad)) return { ok: true };
  return { ok: true, event: { type: 'scratchpadUpdated', scratchpad, byUser: true } };
}

/** Restores the scratchpad from before the user's last change; `note` describes that change. */
export function undoScratchpadChange(window: ContextWindow, note: string): WindowChange {
  const back = scratchpadBack(window, note);
  if (!back.ok) return back;
  const { scratchpad } = back;
  return { ok: true, event: { type: 'scratchpadUpdated', scratchpad, byUser: true } };
}

/** The scratchpad with the changes of both, and the fields that both changed differently. */
interface MergedScratchpad {
  readonly scratchpad: Scratchpad;
  /** The fields in words. */
  readonly contested: readonly string[];
}

/**
 * Takes from `typed` what the user changed in `base`, and the rest from the agent's scratchpad
 * `now`.
 */
function mergedScratchpad(base: Scratchpad, typed: Scratchpad, now: Scratchpad): MergedScratchpad {
  const names = [base, typed, now].flatMap(({ lists = [] }) => lists.map(({ name }) => name));
  const fields: readonly MergedField[] = [
    ...SCRATCHPAD_FIELDS.map(({ name, label }) => ({
      words: `the ${label.toLowerCase()}`,
      of: (scratchpad: Scratchpad) => scratchpad[name],
      take: (to: Scratchpad) => ({ ...to, [name]: typed[name] }),
    })),
    {
      words: 'the checklist',
      of: ({ todo = [] }) => todo.map(todoLine),
      take: (to) => ({ ...to, todo: typed.todo ?? [] }),
    },
    ...[...new Set(names)].map((name) => ({
      words: `the list “${name}”`,
      of: (scratchpad: Scratchpad) => itemsOf(scratchpad, name),
      take: (to: Scratchpad) => ({
        ...to,
        lists: withLists(to.lists, [{ name, items: itemsOf(typed, name) }]),
      }),
    })),
  ];
  const isSame = ({ of }: MergedField, one: Scratchpad, other: Scratchpad) =>
    JSON.stringify(of(one)) === JSON.stringify(of(other));
  const changed = fields.filter((field) => !isSame(field, typed, base));
  const contested = changed.filter(
    (field) => !isSame(field, now, base) && !isSame(field, now, typed),
  );
  return {
    scratchpad: changed.reduce((merged, { take }) => take(merged), now),
    contested: contested.map(({ words }) => words),
  };
}

interface MergedField {
  readonly words: string;
  readonly of: (scratchpad: Scratchpad) => string | readonly string[];
  /** Replaces the current content with the typed one. */
  readonly take: (to: Scratchpad) => Scratchpad;
}
