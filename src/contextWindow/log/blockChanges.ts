import { admissionDecision } from '../account/admission';
import { type Block, isInWindow, type AnchorBlock, type BlockId, type PromptBlock } from '../block';
import { type ContextWindow, findBlock } from '../contextWindow';
import type { EventOf } from '../event';
import { PersistentMap } from '../persistentMap';
import { withoutThinking } from '../thinking';

/** Keeps the decision behind a block that was shortened on its way in. */
export function withDecision(window: ContextWindow, block: Block): ContextWindow {
  const decision = admissionDecision(block);
  if (decision === undefined) return window;
  return { ...window, decisions: window.decisions.with([[block.id, decision]]) };
}

/** Adds a block at the end. */
export function addBlock(window: ContextWindow, block: Block): ContextWindow {
  return { ...window, blocks: window.blocks.concat([block]) };
}

/** Replaces a block by its new state. */
export function replaceBlock(window: ContextWindow, block: Block): ContextWindow {
  // The newest is the one most often changed.
  const at = window.blocks.findLastIndex(({ id }) => id === block.id);
  if (at === -1) return window;
  return { ...window, blocks: window.blocks.withAll([[at, block]]) };
}

/** Takes what a recorded API counted: from now on the parts weigh as much as it says. */
export function takeRecordedCount(
  window: ContextWindow,
  { tokens, sizes }: Pick<EventOf<'recordedCounted'>, 'tokens' | 'sizes'>,
): ContextWindow {
  const known = window.recorded?.sizes ?? PersistentMap.of();
  const entries = sizes.map((size) => [size.part, size] as const);
  const { length: blocks } = window.blocks;
  return { ...window, recorded: { tokens, blocks, sizes: known.with(entries) } };
}

/** Drops the exact size of a block: it was measured before something changed. */
export function withoutExact<B extends Block>(block: B): B {
  const { exactTokens: _stale, ...rest } = block;
  return rest as B;
}

/** Something before all steps has changed: no thinking holds any more (I6). */
export function editFromStart(window: ContextWindow): ContextWindow {
  return { ...window, blocks: window.blocks.mapped(withoutThinking) };
}

/**
 * Pins or unpins a block. An anchor that had left comes back when it is pinned, since a pinned
 * anchor is in every request.
 */
export function setPinned(window: ContextWindow, id: BlockId, pinned: boolean): ContextWindow {
  const block = findBlock(window, id);
  if (block === undefined || block.pinned === pinned || block.state === 'undone') return window;
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
  if (target?.kind !== 'prompt' || target.state === 'undone') return window;
  const blocks = window.blocks.mapped((block): Block => {
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

/** Drops the decision that took a block out; one that cut it at admission still holds. */
function withoutDecision(window: ContextWindow, block: AnchorBlock | PromptBlock): ContextWindow {
  const decisions = window.decisions.with([[block.id, admissionDecision(block)]]);
  return { ...window, decisions };
}
