import type { Block, BlockId, StepBlock } from './block';
import { blocksInWindow, type ContextWindow } from './contextWindow';
import { deedOf, type Deed } from './deed';
import { isWanted, pathsNamedBy, touchesOf, type Touches } from './need';
import type { SalienceFactors } from './plan';

const WEIGHTS = { recency: 0.4, reuse: 0.3, kind: 0.1, size: 0.2 } as const;

/** What a step is worth by what it did; the best of its calls counts. */
const KIND_OF_DEED: Readonly<Record<Deed['kind'], number>> = {
  edit: 1,
  write: 1,
  read: 0.7,
  command: 0.4,
  recall: 0.4,
  search: 0.3,
  notes: 0.3,
  list: 0.1,
  other: 0.4,
};

/** A block of this share of the window's tokens has the lowest size factor. */
const LARGE_SHARE = 0.1;

/**
 * Works out the salience of every block in the window, in window order. `weights` are their tokens;
 * `ratings`, where a model was asked, stand for what is computed.
 */
export function salienceOf(
  window: ContextWindow,
  weights: ReadonlyMap<BlockId, number>,
  ratings?: ReadonlyMap<BlockId, number>,
): ReadonlyMap<BlockId, SalienceFactors> {
  const touches = touchesOf(window);
  const total = [...weights.values()].reduce((sum, tokens) => sum + tokens, 0);
  return new Map(
    blocksInWindow(window).map((block): [BlockId, SalienceFactors] => {
      const factors = {
        recency: touches.placeOf.get(block.id) ?? 0,
        reuse: reuseOf(block, touches),
        kind: kindOf(block),
        size: 1 - Math.min(1, (weights.get(block.id) ?? 0) / Math.max(1, total * LARGE_SHARE)),
      };
      const rated = ratings?.get(block.id);
      const salience = block.pinned ? 1 : (rated ?? weighted(factors));
      return [block.id, { ...factors, salience, ...(rated === undefined ? {} : { rated }) }];
    }),
  );
}

function weighted(factors: Omit<SalienceFactors, 'salience' | 'rated'>): number {
  return (
    WEIGHTS.recency * factors.recency +
    WEIGHTS.reuse * factors.reuse +
    WEIGHTS.kind * factors.kind +
    WEIGHTS.size * factors.size
  );
}

/** How late the newest call stands that names one of its paths; what is spoken of now is newest. */
function reuseOf(block: Block, touches: Touches): number {
  const paths = pathsNamedBy(block);
  if (paths.some((path) => isWanted(touches, path)) || searchesWanted(block, touches)) return 1;
  return Math.max(0, ...paths.map((path) => touches.lastNamed.get(path) ?? 0));
}

function searchesWanted(block: Block, { wanted }: Touches): boolean {
  if (block.kind !== 'step') return false;
  return block.pairs.some(({ use }) => {
    const deed = deedOf(use);
    return deed.kind === 'search' && wanted.some((word) => deed.key.includes(word));
  });
}

function kindOf(block: Block): number {
  switch (block.kind) {
    case 'anchor':
    case 'summary':
      return 1;
    case 'prompt':
    case 'note':
      return 0.8;
    case 'step':
      return kindOfStep(block);
  }
}

/** An error is what the next step works on; words beside calls are where decisions are. */
function kindOfStep(step: StepBlock): number {
  if (step.pairs.length === 0) return 0.5;
  const decided = step.parts.some((part) => part.type === 'text' && part.text.length > 200);
  const deeds = step.pairs.map(
    ({ use, result }) => KIND_OF_DEED[deedOf(use).kind] + (result?.isError === true ? 0.2 : 0),
  );
  return Math.min(1, Math.max(...deeds) + (decided ? 0.1 : 0));
}
