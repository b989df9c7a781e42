import { isInWindow, type Block, type BlockId, type NoteSource } from './block';
import { firstOfNewest, latestPrompt, latestStep, newestStep, type ContextWindow } from './window';

/** The order in which blocks may be sacrificed: archive first, system never. */
export type Tier = 'system' | 'working' | 'archive';

/** The number of newest steps in the working tier. */
export const WORKING_STEPS = 8;

/** The tier of a block; `protectionOf` gives the rule that protects it. */
export function tierOf(window: ContextWindow, block: Block): Tier {
  return tiersIn(window)(block);
}

/** The tiers of many blocks of a window. */
export function tiersIn(window: ContextWindow): (block: Block) => Tier {
  const prompt = latestPrompt(window);
  const lastOfArchive = newestStep(window) - WORKING_STEPS;
  return (block) => {
    if (block.pinned) return 'system';
    if (block.kind === 'note') return block.source.from === 'memory' ? 'system' : 'working';
    if (block.kind === 'summary') return 'archive';
    if (block.kind === 'excerpts') return 'working';
    if (block === prompt) return 'system';
    return block.kind === 'step' && block.step > lastOfArchive ? 'working' : 'archive';
  };
}

/** The rule that protects a block from every rung. */
export type Protection =
  | 'keep:anchor'
  | 'keep:pinned'
  | 'keep:latestPrompt'
  | 'keep:openStep'
  | 'keep:memory'
  | RestoredUnread;

export function protectionOf(window: ContextWindow, block: Block): Protection | undefined {
  return protectionsIn(window)(block);
}

/** The rules that protect many blocks of a window. */
export function protectionsIn(window: ContextWindow): (block: Block) => Protection | undefined {
  const prompt = latestPrompt(window);
  // Until the next prompt, the model has not seen the newest step's results.
  const step = latestStep(window);
  const openStep = step !== undefined && step.turn >= firstOfNewest(window, 1) ? step : undefined;
  const { restored, notes } = broughtBackIn(window);
  return (block) => {
    if (block.pinned) return block.kind === 'anchor' ? 'keep:anchor' : 'keep:pinned';
    if (block === prompt) return 'keep:latestPrompt';
    if (block.kind === 'note' && block.source.from === 'memory') return 'keep:memory';
    if (block === openStep) return 'keep:openStep';
    if (restored.has(block.id)) return 'keep:restored';
    return notes.has(block.id) ? 'keep:unread' : undefined;
  };
}

/** Says whether a pass may remove a block: it is in the window, and nothing protects it. */
export function mayLeave(window: ContextWindow, block: Block): boolean {
  return isInWindow(block) && protectionOf(window, block) === undefined;
}

/** The rules that protect a block even from a change by hand. */
export type HandProtection = 'keep:anchor' | 'keep:pinned' | 'keep:latestPrompt' | 'keep:openStep';

/**
 * The rule that stops even the user from removing a block. Blocks that a pass spares for the user's
 * sake may be removed by the user, and a final reply has no unread results.
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

/** Restored blocks, and notes that the model must read, until it has read them. */
type RestoredUnread = 'keep:restored' | 'keep:unread';

/** How blocks were added or restored since the model's last reply. */
interface BroughtBack {
  readonly restored: ReadonlySet<BlockId>;
  readonly notes: ReadonlySet<BlockId>;
}

/** Rules need this for every block. A window is immutable, so one search is enough. */
const BROUGHT_BACK = new WeakMap<ContextWindow, BroughtBack>();

function broughtBackIn(window: ContextWindow): BroughtBack {
  const known = BROUGHT_BACK.get(window);
  if (known !== undefined) return known;
  // A reply that was being written during a change had not read the change.
  const at = window.blocks.findLastIndex(
    (block) => block.kind === 'step' && block.editedMeanwhile !== true && block.state !== 'undone',
  );
  const reader = at === -1 ? undefined : window.blocks.at(at);
  const found = {
    restored: restoredSince(window, reader?.kind === 'step' ? reader.step : 0),
    // A scratchpad changed by the user needs no such note: every pass shows it.
    notes: new Set(
      window.blocks
        .slice(at + 1)
        .filter((block) => block.kind === 'note' && mustBeRead(block.source.from))
        .map(({ id }) => id),
    ),
  };
  BROUGHT_BACK.set(window, found);
  return found;
}

/** The notes that stay until the model has read them, by their sources. */
export const UNREAD_NOTES = [
  'recall',
  'return',
  'continue',
  'reminder',
  'said',
  'rule',
  'mode',
  'filesRestored',
  'commandsEnded',
] as const;
export type UnreadNote = (typeof UNREAD_NOTES)[number];

/** Says whether notes of a source stay until the model has read them. */
export function mustBeRead(source: NoteSource['from']): source is UnreadNote {
  return (UNREAD_NOTES as readonly string[]).includes(source);
}

/**
 * The blocks restored after a step, unless the restore was undone or their results were cleared
 * again.
 */
function restoredSince({ ledger }: ContextWindow, step: number): ReadonlySet<BlockId> {
  const restored = new Set<BlockId>();
  const first = ledger.findLastIndex(({ pass }) => pass.beforeStep <= step) + 1;
  for (const { pass, undone } of ledger.slice(first)) {
    if (pass.trigger !== 'byHand' || undone === true) continue;
    for (const {
      blockId,
      reason: { rule },
    } of pass.decisions) {
      if (rule === 'restoredByUser') restored.add(blockId);
      if (rule === 'clearedByUser') restored.delete(blockId);
    }
  }
  return restored;
}
