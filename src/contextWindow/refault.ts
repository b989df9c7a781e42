import { isInWindow, type BlockId, type StepBlock, type ToolPair } from './block';
import type { ContextWindow, Refault } from './contextWindow';
import { deedOf, overlap, type Deed } from './deed';

/** Finds what a new step asks for again because the window no longer holds it. */
export function refaultsOf(window: ContextWindow, step: StepBlock): readonly Refault[] {
  return step.pairs.flatMap(({ use }): Refault[] => {
    const deed = deedOf(use);
    const found =
      deed.kind === 'recall'
        ? holderOf(window, deed.handle)
        : deed.kind === 'read'
          ? lostRead(window, deed)
          : undefined;
    if (found === undefined) return [];
    const [by, what] = deed.kind === 'recall' ? (['recall', deed.handle] as const) : readOf(deed);
    return [{ step: step.step, blockId: found, by, what }];
  });
}

function readOf(deed: Deed): readonly ['read', string] {
  return ['read', 'path' in deed ? (deed.path ?? '') : ''];
}

/** The block a handle leads to, where it is not whole in the window. */
function holderOf(window: ContextWindow, handle: string): BlockId | undefined {
  const holder = window.blocks.find(
    (block) =>
      block.id === handle ||
      (block.kind === 'step' && block.pairs.some(({ use }) => use.id === handle)),
  );
  return holder === undefined || holder.state === 'whole' ? undefined : holder.id;
}

/**
 * The newest block that had shown the lines asked for, where it no longer does. A file that was
 * changed since is read for its new content: that is no refault.
 */
function lostRead(
  window: ContextWindow,
  { path, lines }: Extract<Deed, { readonly kind: 'read' }>,
): BlockId | undefined {
  for (let index = window.blocks.length - 1; index >= 0; index -= 1) {
    const block = window.blocks[index];
    if (block?.kind !== 'step') continue;
    for (const pair of block.pairs) {
      const deed = deedOf(pair.use);
      if ((deed.kind === 'edit' || deed.kind === 'write') && deed.path === path) return undefined;
      if (deed.kind !== 'read' || deed.path !== path || !overlap(deed.lines, lines)) continue;
      if (!hasContent(pair)) continue;
      return isShown(block, pair) ? undefined : block.id;
    }
  }
  return undefined;
}

function hasContent({ result }: ToolPair): boolean {
  return result !== undefined && !result.isError;
}

function isShown(step: StepBlock, pair: ToolPair): boolean {
  return isInWindow(step) && !pair.cleared;
}
