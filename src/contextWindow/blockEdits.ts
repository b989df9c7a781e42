import { admissionDecision } from './admission';
import type { Block, SummaryBlock } from './block';
import type { ContextWindow } from './contextWindow';
import { withoutThinking } from './thinking';

/** Keeps the decision behind a block that was shortened on its way in. */
export function withDecision(
  window: ContextWindow,
  block: Exclude<Block, SummaryBlock>,
): ContextWindow {
  const decision = admissionDecision(block);
  if (decision === undefined) return window;
  return { ...window, decisions: new Map(window.decisions).set(block.id, decision) };
}

/** Puts a block in the place of its former self. */
export function replaceBlock(window: ContextWindow, block: Block): ContextWindow {
  // The newest is the one most often changed.
  const at = window.blocks.findLastIndex(({ id }) => id === block.id);
  return at === -1 ? window : { ...window, blocks: window.blocks.with(at, block) };
}

/** Drops the official number: it is of other bytes. */
export function forgetBaseline(window: ContextWindow): ContextWindow {
  const { baseline: _stale, ...rest } = window;
  return rest;
}

/** Drops the exact size of a block: it was measured before something changed. */
export function withoutExact<B extends Block>(block: B): B {
  const { exactTokens: _stale, ...rest } = block;
  return rest as B;
}

/** What stands before all steps has changed: no official number holds, and no thinking (I6). */
export function editFromStart(window: ContextWindow): ContextWindow {
  return forgetBaseline({ ...window, blocks: window.blocks.map(withoutThinking) });
}
