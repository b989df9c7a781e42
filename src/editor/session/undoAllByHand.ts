import { isInWindow } from '../../contextWindow/block';
import type { NewEvent } from '../../contextWindow/event';
import { type HandChange, undoOfHandChange } from '../../contextWindow/handChanges';
import { windowAfter } from '../../contextWindow/passes/movement';
import { isByHand } from '../../contextWindow/passes/passName';
import { whyNotUndone } from '../../contextWindow/passes/undoPass';
import type { Refusal } from '../../contextWindow/result';
import type { ContextWindow, LedgerEntry } from '../../contextWindow/window';
import type { WindowChange } from './changesByHand';

/** The undo of all the user's changes of the window. */
interface UndoneByHand {
  /** The events that undo them, newest change first. */
  readonly events: readonly NewEvent[];
  /** How many changes these events undo, and how many stay. */
  readonly changes: number;
  /** Why some of them stay; one for each. */
  readonly whyNot: readonly string[];
}

/**
 * Undoes every change by hand that can still be undone, newest first: excluded, cleared and
 * restored blocks, rewritten summaries, pins, the task, choices of files. Undone prompts,
 * recalled texts and the agent's notes stay: they are part of the conversation.
 */
export function undoAllByHand(window: ContextWindow): UndoneByHand {
  const whyNot: string[] = [];
  const events: NewEvent[] = [];
  let now = window;
  for (const undo of undosIn(window)) {
    const change = undo(now);
    if (!change.ok) whyNot.push(change.message);
    else if (change.event !== undefined) {
      events.push(change.event);
      now = windowAfter(now, [change.event]);
    }
  }
  // The undo of a later change may have taken an earlier one back, which then is none.
  return { events, changes: events.length + whyNot.length, whyNot };
}

/** Says what an undo of all changes left, and why; undefined if it left nothing. */
export function leftByUndo({ whyNot, changes }: UndoneByHand): Refusal {
  if (changes === 0) return 'There is no change of yours to undo.';
  const left = whyNot.length;
  if (left === 0) return undefined;
  return `${left} of your ${changes} changes ${left === 1 ? 'stays' : 'stay'}. ${[...new Set(whyNot)].join(' ')}`;
}

type Undo = (window: ContextWindow) => WindowChange;

/** The undo of each change, newest change first. */
function undosIn(window: ContextWindow): readonly Undo[] {
  const recalled = window.blocks.filter(
    (block) => block.kind === 'note' && block.source.from === 'recall' && isInWindow(block),
  );
  const passes = window.ledger.filter(isStandingChange).map(({ pass: { number } }) => ({
    after: number,
    undo: (now: ContextWindow): WindowChange => {
      const why = whyNotUndone(now, number);
      return why === undefined
        ? { ok: true, event: { type: 'passUndone', number } }
        : { ok: false, message: why };
    },
  }));
  const others = window.handChanges.flatMap((change) =>
    change.undone === true || !UNDOABLE.has(change.kind)
      ? []
      : [{ after: change.afterPass, undo: (now: ContextWindow) => undoneChange(now, change) }],
  );
  // A change that is not a pass follows the pass whose number it carries.
  const inOrder = [...passes, ...others].toSorted((one, other) => one.after - other.after);
  return [
    ...recalled.map((): Undo => () => STAYS),
    ...inOrder.toReversed().map(({ undo }) => undo),
  ];
}

/** The changes by hand that are no passes and that an event undoes. */
const UNDOABLE: ReadonlySet<HandChange['kind']> = new Set([
  'pinned',
  'unpinned',
  'anchor',
  'fileChosen',
]);

/** Its note is part of the conversation; excluding it is a change of its own. */
const STAYS: WindowChange = {
  ok: false,
  message: 'A text that you restored at the end stays until you exclude it.',
};

function isStandingChange({ pass, undone }: LedgerEntry): boolean {
  return isByHand(pass) && undone !== true && pass.undonePrompt === undefined;
}

function undoneChange(now: ContextWindow, change: HandChange): WindowChange {
  const event = undoOfHandChange(now, change);
  if (event !== undefined) return { ok: true, event };
  const block = now.blocks.find(({ id }) => id === change.blockId);
  // Another undo may have set the same pin.
  if (block !== undefined && block.pinned === (change.kind === 'unpinned')) return { ok: true };
  return { ok: false, message: 'A block or a file was changed again since you changed it.' };
}
