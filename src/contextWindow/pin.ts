import { isInWindow, type AnchorBlock, type Block, type BlockId, type PromptBlock } from './block';
import { editFromStart, replaceBlock, withDecision, withoutExact } from './blockEdits';
import { findBlock, type ContextWindow } from './contextWindow';

/** Pins or unpins a block. An anchor that had left is back once it is pinned: it is in every request. */
export function setPinned(window: ContextWindow, id: BlockId, pinned: boolean): ContextWindow {
  const block = findBlock(window, id);
  if (block === undefined || block.pinned === pinned) return window;
  if (block.kind !== 'anchor') return replaceBlock(window, { ...block, pinned });
  // The anchor is labelled only while pinned: its bytes change.
  if (!pinned || isInWindow(block)) {
    return editFromStart(replaceBlock(window, { ...withoutExact(block), pinned }));
  }
  const back = { ...withoutExact(block), pinned, state: block.admission.form };
  return editFromStart(withoutDecision(replaceBlock(window, back), back));
}

/** Makes another prompt the task: it is labelled and pinned, and back in the window if it had left. */
export function moveAnchor(window: ContextWindow, id: BlockId): ContextWindow {
  const target = findBlock(window, id);
  if (target?.kind !== 'prompt') return window;
  const blocks = window.blocks.map((block): Block => {
    if (block.id === id) {
      const anchor = { ...withoutExact(target), kind: 'anchor', pinned: true } as const;
      return { ...anchor, state: target.admission.form };
    }
    return block.kind === 'anchor'
      ? { ...withoutExact(block), kind: 'prompt', pinned: false }
      : block;
  });
  if (isInWindow(target)) return editFromStart({ ...window, blocks });
  return editFromStart(withoutDecision({ ...window, blocks }, target));
}

/** What had taken a block out holds no longer; how it was cut at admission does. */
function withoutDecision(window: ContextWindow, block: AnchorBlock | PromptBlock): ContextWindow {
  const decisions = new Map(window.decisions);
  decisions.delete(block.id);
  return withDecision({ ...window, decisions }, block);
}
