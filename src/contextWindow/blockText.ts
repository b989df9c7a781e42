import { type Block, type BlockId, type StepBlock, type ToolPair, isInWindow } from './block';
import { findBlock, type ContextWindow } from './window';
import { labelOf } from './label';

/** The whole text of a block from the log, whatever the window still holds of it. */
export function blockText(block: Block): string {
  switch (block.kind) {
    case 'anchor':
    case 'prompt':
    case 'summary':
    case 'note':
    case 'excerpts':
      return block.text;
    case 'step':
      return stepText(block);
  }
}

function stepText(step: StepBlock): string {
  const said = step.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return [...said, ...step.pairs.map(pairText)].join('\n\n');
}

/** One tool call with its whole result, as text. */
function pairText({ use, result }: ToolPair): string {
  const head = `▶ ${use.name} ${JSON.stringify(use.input)}`;
  if (result === undefined) return `${head}\n(no result yet)`;
  return `${head}\n${result.isError ? 'Error: ' : ''}${result.text}`;
}

/**
 * The answer of `recall` for a handle: the whole text, or undefined for an unknown handle and for
 * undone blocks.
 */
export function recallText(window: ContextWindow, handle: string): string | undefined {
  const block = findBlock(window, handle as BlockId);
  if (block !== undefined) return block.state === 'undone' ? undefined : blockText(block);
  for (const step of window.blocks) {
    if (step.kind !== 'step' || step.state === 'undone') continue;
    const pair = step.pairs.find(({ use }) => use.id === handle);
    if (pair?.result !== undefined) return pair.result.text;
  }
  return undefined;
}

/**
 * Lists every block that is not whole in the window, one line each with its handle, oldest first.
 */
export function recallList(window: ContextWindow): string {
  return window.blocks
    .filter(({ state }) => state !== 'whole' && state !== 'undone')
    .map((block) => {
      const gone = isInWindow(block) ? block.state : `${block.state}, out of the window`;
      return `${block.id} (${gone}): ${labelOf(block)}`;
    })
    .join('\n');
}
