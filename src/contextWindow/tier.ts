import type { Block } from './block';
import { latestPrompt, latestStep, type ContextWindow } from './contextWindow';
import { unreadOf, type Unread } from './unread';

/** The order in which blocks may be sacrificed: archive first, system never. */
export type Tier = 'system' | 'working' | 'archive';

/** The newest steps that count as work in hand. */
export const WORKING_STEPS = 8;

/** Sorts a block into its tier; what is protected, and by which rule, is `protectionOf`. */
export function tierOf(window: ContextWindow, block: Block): Tier {
  if (block.pinned) return 'system';
  if (block.kind === 'note') return block.source.from === 'memory' ? 'system' : 'working';
  if (block.kind === 'summary') return 'archive';
  if (block === latestPrompt(window)) return 'system';
  if (block.kind === 'step')
    return block.step > window.step - WORKING_STEPS ? 'working' : 'archive';
  return 'archive';
}

/** Why no rung may touch a block; undefined when it may. */
export type Protection =
  'keep:anchor' | 'keep:pinned' | 'keep:latestPrompt' | 'keep:openStep' | 'keep:memory' | Unread;

/** Says what protects a block from every rung. */
export function protectionOf(window: ContextWindow, block: Block): Protection | undefined {
  if (block.pinned) return block.kind === 'anchor' ? 'keep:anchor' : 'keep:pinned';
  if (block === latestPrompt(window)) return 'keep:latestPrompt';
  if (block.kind === 'note' && block.source.from === 'memory') return 'keep:memory';
  // While no prompt came after it, the model has not yet seen the newest step's results.
  const step = latestStep(window);
  if (block === step && step.turn === window.turn) return 'keep:openStep';
  return unreadOf(window, block);
}
