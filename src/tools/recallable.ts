import { isInWindow, type Block, type BlockId, type StepBlock } from '../contextWindow/block';
import { recallText } from '../contextWindow/blockText';
import { findBlock, type ContextWindow } from '../contextWindow/contextWindow';
import { labelOf, labelOfCall } from '../contextWindow/label';
import { blockHandle, resultHandle } from '../contextWindow/placeholder';
import type { Media } from '../agent/tool';

/** A text that can be brought back, under the handle that does it. */
export interface Recallable {
  readonly handle: string;
  readonly label: string;
  readonly text: string;
}

/**
 * Every text that is not whole in the window, oldest first. Summaries are left aside: the texts
 * they stand for are there themselves.
 */
export function textsOutside(window: ContextWindow): readonly Recallable[] {
  return window.blocks.flatMap((block): readonly Recallable[] => {
    if (block.state === 'whole' || block.kind === 'summary') return [];
    if (block.kind === 'step') return textsOfStep(block);
    return [{ handle: blockHandle(block.id), label: labelOf(block), text: block.text }];
  });
}

function textsOfStep(step: StepBlock): readonly Recallable[] {
  const said = step.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
  const gone = !isInWindow(step);
  const results = step.pairs.flatMap(({ use, result, cleared }) =>
    result !== undefined && (gone || cleared || result.admission.form === 'truncated')
      ? [{ handle: resultHandle(use.id), label: labelOfCall(use), text: result.text }]
      : [],
  );
  const reply = { handle: blockHandle(step.id), label: `reply of step ${step.step}`, text: said };
  return gone && said !== '' ? [reply, ...results] : results;
}

/** The text a handle leads to, whole or not. */
export function textUnder(window: ContextWindow, handle: string): Recallable | undefined {
  const text = recallText(window, handle);
  return text === undefined ? undefined : { handle, label: '', text };
}

/** The images and documents a handle leads to. */
export function mediaUnder(window: ContextWindow, handle: string): readonly Media[] {
  const block = findBlock(window, handle as BlockId);
  const attachments =
    block === undefined ? mediaOfCall(window.blocks, handle) : mediaOfBlock(block);
  return attachments.map(({ type, mediaType, data }) => ({ type, mediaType, data }));
}

function mediaOfBlock(block: Block) {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
      return block.attachments ?? [];
    case 'step':
      return block.pairs.flatMap(({ result }) => result?.attachments ?? []);
    case 'summary':
    case 'note':
      return [];
  }
}

function mediaOfCall(blocks: readonly Block[], handle: string) {
  const pairs = blocks.flatMap((block) => (block.kind === 'step' ? block.pairs : []));
  return pairs.find(({ use }) => use.id === handle)?.result?.attachments ?? [];
}
