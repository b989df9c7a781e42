import type { Block, BlockId } from './block';
import type { ContextWindow } from './contextWindow';

/** What the user brought back, until the model has read it: restored in its place, or as a note. */
export type Unread = 'keep:restored' | 'keep:unread';

/** Says how a block was brought back that the model has not read since; undefined for any other. */
export function unreadOf(window: ContextWindow, block: Block): Unread | undefined {
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
    (block) => block.kind === 'step' && block.editedMeanwhile !== true,
  );
  const reader = window.blocks[at];
  const found = {
    restored: restoredSince(window, reader?.kind === 'step' ? reader.step : 0),
    // What the user wrote on the scratchpad needs no note: every pass shows it.
    notes: new Set(
      window.blocks
        .slice(at + 1)
        .filter((block) => block.kind === 'note' && block.source.from === 'recall')
        .map(({ id }) => id),
    ),
  };
  BROUGHT_BACK.set(window, found);
  return found;
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
