import { isInWindow, type Block, type BlockId, type NoteBlock } from './block';
import { firstOfNewest, latestPrompt, latestStep, newestStep, type ContextWindow } from './window';

/** The order in which blocks may be sacrificed: archive first, system never. */
export type Tier = 'system' | 'working' | 'archive';

/** The newest steps that count as work in hand. */
export const WORKING_STEPS = 8;

/** Says which tier a block is in; `protectionOf` says what protects it, and by which rule. */
export function tierOf(window: ContextWindow, block: Block): Tier {
  if (block.pinned) return 'system';
  if (block.kind === 'note') return block.source.from === 'memory' ? 'system' : 'working';
  if (block.kind === 'summary') return 'archive';
  if (block.kind === 'excerpts') return 'working';
  if (block === latestPrompt(window)) return 'system';
  if (block.kind === 'step')
    return block.step > newestStep(window) - WORKING_STEPS ? 'working' : 'archive';
  return 'archive';
}

/** Why no rung may touch a block; undefined when it may. */
export type Protection =
  | 'keep:anchor'
  | 'keep:pinned'
  | 'keep:latestPrompt'
  | 'keep:openStep'
  | 'keep:memory'
  | RestoredUnread;

/** Says what protects a block from every rung. */
export function protectionOf(window: ContextWindow, block: Block): Protection | undefined {
  if (block.pinned) return block.kind === 'anchor' ? 'keep:anchor' : 'keep:pinned';
  if (block === latestPrompt(window)) return 'keep:latestPrompt';
  if (block.kind === 'note' && block.source.from === 'memory') return 'keep:memory';
  // While no prompt came after it, the model has not yet seen the newest step's results.
  const step = latestStep(window);
  if (block === step && step.turn >= firstOfNewest(window, 1)) return 'keep:openStep';
  return restoredUnreadOf(window, block);
}

/** Says whether a pass may take a block out: it is in the window, and nothing protects it. */
export function mayLeave(window: ContextWindow, block: Block): boolean {
  return isInWindow(block) && protectionOf(window, block) === undefined;
}

/** What protects a block even from a change by hand. */
export type HandProtection = 'keep:anchor' | 'keep:pinned' | 'keep:latestPrompt' | 'keep:openStep';

/**
 * Says why the user may not take a block out either. What a pass leaves alone for the user's sake
 * they may take, and a final reply has no results that are still to be read.
 */
export function handProtectionOf(window: ContextWindow, block: Block): HandProtection | undefined {
  const protection = protectionOf(window, block);
  switch (protection) {
    case 'keep:anchor':
    case 'keep:pinned':
    case 'keep:latestPrompt':
      return protection;
    case 'keep:openStep':
      return block.kind === 'step' && block.pairs.length > 0 ? protection : undefined;
    case 'keep:memory':
    case 'keep:restored':
    case 'keep:unread':
    case undefined:
      return undefined;
  }
}

/**
 * What the user brought back, in its place or as a note, what tells of the time that passed, a
 * reminder, and the word to go on, until the model has read it.
 */
type RestoredUnread = 'keep:restored' | 'keep:unread';

/**
 * Says how a block came in, or came back, that the model has not read since; undefined for any other
 * block.
 */
function restoredUnreadOf(window: ContextWindow, block: Block): RestoredUnread | undefined {
  const { restored, notes } = broughtBackIn(window);
  if (restored.has(block.id)) return 'keep:restored';
  return notes.has(block.id) ? 'keep:unread' : undefined;
}

interface BroughtBack {
  readonly restored: ReadonlySet<BlockId>;
  readonly notes: ReadonlySet<BlockId>;
}

/** Rules ask once a block; a window is immutable, so it is looked through once. */
const BROUGHT_BACK = new WeakMap<ContextWindow, BroughtBack>();

function broughtBackIn(window: ContextWindow): BroughtBack {
  const known = BROUGHT_BACK.get(window);
  if (known !== undefined) return known;
  // A reply that was being written when the window changed had not read the change.
  const at = window.blocks.findLastIndex(
    (block) => block.kind === 'step' && block.editedMeanwhile !== true && block.state !== 'undone',
  );
  const reader = at === -1 ? undefined : window.blocks.at(at);
  const found = {
    restored: restoredSince(window, reader?.kind === 'step' ? reader.step : 0),
    // What the user wrote on the scratchpad needs no note: every pass shows it.
    notes: new Set(
      window.blocks
        .slice(at + 1)
        .filter((block) => block.kind === 'note' && mustBeRead(block))
        .map(({ id }) => id),
    ),
  };
  BROUGHT_BACK.set(window, found);
  return found;
}

function mustBeRead({ source }: NoteBlock): boolean {
  switch (source.from) {
    case 'recall':
    case 'return':
    case 'goOn':
    case 'reminder':
    case 'said':
    case 'filesRestored':
    case 'commandsEnded':
      return true;
    case 'handover':
    case 'memory':
    case 'scratchpad':
      return false;
  }
}

/** The blocks restored after a step, unless that was undone or their results cleared again. */
function restoredSince({ ledger }: ContextWindow, step: number): ReadonlySet<BlockId> {
  const restored = new Set<BlockId>();
  const first = ledger.findLastIndex(({ pass }) => pass.beforeStep <= step) + 1;
  for (const { pass, undone } of ledger.slice(first)) {
    if (pass.trigger !== 'byHand' || undone === true) continue;
    for (const { blockId, rule } of pass.decisions) {
      if (rule === 'restoredByUser') restored.add(blockId);
      if (rule === 'clearedByUser') restored.delete(blockId);
    }
  }
  return restored;
}
