import { type BlockId, isInWindow } from './block';
import { isStandingMove, noteId } from './blockChanges';
import type { NewEvent, SessionEvent } from './event';
import { choiceOf, type Choosing, type FileChoice, isSame } from './files/fileChoices';
import { refused, type Result } from './result';
import { type Scratchpad, scratchpadText } from './scratchpad';
import { type ContextWindow, findBlock, type FormerBlock } from './window';

/** Records in the window which change by hand an event made. */
export function withHandChange(
  before: ContextWindow,
  event: SessionEvent,
  after: ContextWindow,
): ContextWindow {
  if (after === before) return after;
  const changed = withScratchpadChange(before, event, after);
  const undone = withUndone(changed.handChanges, event);
  if (undone !== undefined) return { ...changed, handChanges: undone };
  const change = changeIn(before, event);
  if (change === undefined) return changed;
  const beforeStep = before.step + 1;
  const afterPass = before.ledger.at(-1)?.pass.number ?? 0;
  return { ...changed, handChanges: [...before.handChanges, { ...change, beforeStep, afterPass }] };
}

/**
 * Gives the scratchpad before the user's change; `note` is the block about that change. Only the
 * last change can be undone.
 */
export function scratchpadBack(
  { scratchpadChange }: ContextWindow,
  note: string,
): Result<{ readonly scratchpad: Scratchpad }> {
  if (scratchpadChange === undefined) return refused('There is no change of the notes to undo.');
  const { by, step, former } = scratchpadChange;
  if (by === 'agent') {
    return refused(
      `The agent changed the notes in step ${step}, after your change. Edit the notes instead.`,
    );
  }
  return scratchpadChange.note === note
    ? { ok: true, scratchpad: former }
    : refused('You changed the notes again since then. Only the last change can be undone.');
}

/**
 * Marks the pinning, unpinning or file choice that an event undoes; undefined if it undoes none.
 * Only the newest one of a block, or of the same lines, can be undone.
 */
function withUndone(
  changes: readonly HandChange[],
  event: SessionEvent,
): readonly HandChange[] | undefined {
  if (event.type === 'fileChosen' && event.undoes === true) {
    const at = changes.findLastIndex(
      ({ chosen, undone }) =>
        chosen?.path === event.path && isSame(chosen.lines, event.lines) && undone !== true,
    );
    const taken = changes[at];
    return taken === undefined ? undefined : changes.with(at, { ...taken, undone: true });
  }
  if (event.type === 'anchorMoved' && event.undoes === true) {
    const at = changes.findLastIndex(isStandingMove);
    const taken = changes[at];
    return taken === undefined ? undefined : changes.with(at, { ...taken, undone: true });
  }
  if (event.type !== 'blockPinned' && event.type !== 'blockUnpinned') return undefined;
  const { blockId, undoes } = event;
  if (undoes !== true) return undefined;
  const kind = event.type === 'blockPinned' ? 'unpinned' : 'pinned';
  const at = changes.findLastIndex((one) => one.blockId === blockId && one.undone !== true);
  const taken = changes[at];
  return taken?.kind === kind ? changes.with(at, { ...taken, undone: true }) : undefined;
}

function changeIn(
  before: ContextWindow,
  event: SessionEvent,
): Omit<HandChange, 'beforeStep' | 'afterPass'> | undefined {
  switch (event.type) {
    case 'blockPinned':
      return { kind: 'pinned', blockId: event.blockId };
    case 'blockUnpinned':
      return { kind: 'unpinned', blockId: event.blockId };
    case 'anchorMoved': {
      const former = before.blocks.find(({ kind }) => kind === 'anchor');
      const block = findBlock(before, event.blockId);
      return {
        kind: 'anchor',
        blockId: event.blockId,
        former: former?.id,
        wasPinned: former?.pinned,
        moved: block && { block, decision: before.decisions.get(block.id) },
      };
    }
    case 'fileChosen': {
      const { path, lines, choice } = event;
      const former = choiceOf(before.fileChoices, path, lines);
      const what = lines === undefined ? { path } : { path, lines };
      return { kind: 'fileChosen', chosen: { ...what, choice, former } };
    }
    case 'noteAdded':
      return event.source.from === 'recall'
        ? { kind: 'recall', blockId: event.source.blockId }
        : undefined;
    case 'scratchpadUpdated': {
      if (event.byUser !== true) return undefined;
      const { scratchpadChange } = before;
      const isBack =
        scratchpadChange?.by === 'user' && isAlike(event.scratchpad, scratchpadChange.former);
      const blockId = noteOf(before, event.note);
      return { kind: isBack ? 'scratchpadBack' : 'scratchpad', blockId };
    }
    default:
      return undefined;
  }
}

/**
 * The event that undoes a change of a pin, the task or a file choice; undefined if something has
 * changed the same block since, or for the other kinds.
 */
export function undoOfHandChange(
  window: ContextWindow,
  { kind, blockId, former, chosen, undone }: HandChange,
): NewEvent | undefined {
  if (undone === true) return undefined;
  if (chosen !== undefined) {
    const { path, lines, choice } = chosen;
    if (choiceOf(window.fileChoices, path, lines) !== choice) return undefined;
    return { type: 'fileChosen', path, lines, choice: chosen.former, undoes: true };
  }
  const block = window.blocks.find(({ id }) => id === blockId);
  if (block === undefined) return undefined;
  switch (kind) {
    case 'pinned':
      return block.pinned ? { type: 'blockUnpinned', blockId: block.id, undoes: true } : undefined;
    case 'unpinned':
      return !block.pinned && isInWindow(block)
        ? { type: 'blockPinned', blockId: block.id, undoes: true }
        : undefined;
    case 'anchor':
      return block.kind === 'anchor' && former !== undefined
        ? { type: 'anchorMoved', blockId: former, undoes: true }
        : undefined;
    default:
      return undefined;
  }
}

function withScratchpadChange(
  before: ContextWindow,
  event: SessionEvent,
  after: ContextWindow,
): ContextWindow {
  if (event.type !== 'scratchpadUpdated' || event.handedOver === true) return after;
  const { scratchpad: former, step } = before;
  if (event.byUser === true) {
    const note = noteOf(before, event.note);
    return { ...after, scratchpadChange: { by: 'user', step, former, note } };
  }
  // Writing the same notes again does not prevent an undo.
  if (isAlike(former, event.scratchpad)) return after;
  return { ...after, scratchpadChange: { by: 'agent', step, former } };
}

function noteOf({ note }: ContextWindow, number: number | undefined): BlockId {
  return noteId(number ?? note + 1);
}

/** Says whether the model would read the same text in both. */
function isAlike(one: Scratchpad, other: Scratchpad): boolean {
  return scratchpadText(one) === scratchpadText(other);
}

/** A change by the user that is not a pass. */
export interface HandChange {
  /** `scratchpadBack`: the user undid their own change of the scratchpad. */
  readonly kind:
    'pinned' | 'unpinned' | 'anchor' | 'recall' | 'scratchpad' | 'scratchpadBack' | 'fileChosen';
  /** The step after the change. */
  readonly beforeStep: number;
  /** The newest pass before it; 0 for none. */
  readonly afterPass: number;
  /**
   * The changed or restored block; for the scratchpad the note about the change. Absent for
   * `fileChosen`.
   */
  readonly blockId?: BlockId;
  /** The user's choice and the former one; only for `fileChosen`. */
  readonly chosen?: Choosing & { readonly former: FileChoice };
  /** The former task, and whether it was pinned; only for `anchor`. */
  readonly former?: BlockId;
  readonly wasPinned?: boolean;
  /** The prompt before it became the task; only for `anchor`. */
  readonly moved?: FormerBlock;
  /** The user undid it; only for `pinned`, `unpinned`, `anchor` and `fileChosen`. */
  readonly undone?: true;
}
