import type { Block, BlockId, StepBlock } from '../../block';
import { blocksInWindow, type ContextWindow } from '../../window';
import { callEffectOf, type CallEffect } from '../../callEffect';
import { oftenNeeded } from '../oftenNeeded';
import { isWanted, pathsNamedBy, lastUsesOf, WANTED, type LastUses } from './need';
import type { SalienceFactors } from '../../plan';

/** Tuned on recorded sessions; they sum to 1. */
const WEIGHTS = {
  recency: 0.39,
  reuse: 0.29,
  kind: 0.1,
  size: 0.19,
  errors: 0.02,
  decisions: 0.01,
} as const;

/** The worth of a step by its calls; the best call counts. */
const KIND_OF_EFFECT: Readonly<Record<CallEffect['kind'], number>> = {
  edit: 1,
  write: 1,
  read: 0.7,
  command: 0.4,
  recall: 0.4,
  search: 0.3,
  scratchpad: 0.3,
  list: 0.1,
  other: 0.4,
};

/** Characters of the model's own text from which on a step probably decides something. */
const DECISION_CHARS = 200;

/** A block of this share of the window's tokens has the lowest size factor. */
const LARGE_SHARE = 0.1;

/**
 * Computes the salience of every block in the window, in window order. `weightOf` gives the tokens
 * of each; `ratings`, if a model was asked, replace the computed salience.
 */
export function salienceOf(
  window: ContextWindow,
  weightOf: (id: BlockId) => number,
  ratings?: ReadonlyMap<BlockId, number>,
): ReadonlyMap<BlockId, SalienceFactors> {
  const uses = lastUsesOf(window);
  const blocks = blocksInWindow(window);
  const total = blocks.reduce((sum, { id }) => sum + weightOf(id), 0);
  const found = new Map<BlockId, SalienceFactors>();
  for (const block of blocks) {
    const { kind, errors, decisions } = ownFactorsOf(block);
    const recency = uses.placeOf.get(block.id) ?? 0;
    const reuse = reuseOf(block, uses, recency);
    const size = 1 - Math.min(1, weightOf(block.id) / Math.max(1, total * LARGE_SHARE));
    const rated = ratings?.get(block.id);
    const computed = () => weighted({ recency, reuse, kind, errors, decisions, size });
    const salience = block.pinned ? 1 : (rated ?? computed());
    const factors = { recency, reuse, kind, errors, decisions, size, salience };
    const isPlain = rated === undefined && !block.pinned;
    found.set(
      block.id,
      isPlain
        ? factors
        : {
            ...factors,
            ...(rated === undefined ? {} : { rated }),
            ...(block.pinned ? { pinned: true } : {}),
          },
    );
  }
  return found;
}

type OwnFactors = Readonly<Record<'kind' | 'errors' | 'decisions', number>>;

/** A cache of factors that depend on the block alone, since every plan asks for them. */
const OWN_FACTORS = new WeakMap<Block, OwnFactors>();

function ownFactorsOf(block: Block): OwnFactors {
  const known = OWN_FACTORS.get(block);
  if (known !== undefined) return known;
  const found = { kind: kindOf(block), errors: errorsIn(block), decisions: decisionsIn(block) };
  OWN_FACTORS.set(block, found);
  return found;
}

/** A factor that the salience is computed from. */
export type WeighedFactor = keyof typeof WEIGHTS;

/** A factor that lowers a salience by less than this is not worth naming. */
const LEAST_LACK = 0.05;

/** Names the factors that lowered a salience, most important first. */
export function lacksOf(factors: SalienceFactors): readonly WeighedFactor[] {
  const lackOf = (name: WeighedFactor) => WEIGHTS[name] * (1 - (factors[name] ?? 1));
  return (Object.keys(WEIGHTS) as WeighedFactor[])
    .filter((name) => lackOf(name) >= LEAST_LACK)
    .toSorted((a, b) => lackOf(b) - lackOf(a));
}

function weighted(factors: Readonly<Record<keyof typeof WEIGHTS, number>>): number {
  return (
    WEIGHTS.recency * factors.recency +
    WEIGHTS.reuse * factors.reuse +
    WEIGHTS.kind * factors.kind +
    WEIGHTS.size * factors.size +
    WEIGHTS.errors * factors.errors +
    WEIGHTS.decisions * factors.decisions
  );
}

/** How recently the names in a block were last used; wanted names count as newest. */
function reuseOf(block: Block, uses: LastUses, own: number): number {
  if (oftenNeeded(uses.needed, block) > 0) return 1;
  let latest = 0;
  for (const path of pathsNamedBy(block)) {
    if (isWanted(uses, path)) return 1;
    latest = Math.max(latest, uses.lastNamed.get(path) ?? 0);
  }
  if (searchesWanted(block, uses)) return 1;
  return Math.max(latest, spokenOfLater(block, uses, own));
}

/**
 * The place of the newest step that mentions one of the block's identifiers, without the block
 * itself.
 */
function spokenOfLater(block: Block, { names, lastSpoken }: LastUses, own: number): number {
  let latest = 0;
  for (const name of names.of(block).all) {
    const place = lastSpoken[name] ?? 0;
    if (place === WANTED) return 1;
    if (place > own && place > latest) latest = place;
  }
  return latest;
}

function searchesWanted(block: Block, { wanted }: LastUses): boolean {
  if (block.kind !== 'step') return false;
  return block.pairs.some(({ use }) => {
    const effect = callEffectOf(use);
    if (effect.kind !== 'search') return false;
    for (const word of wanted) if (effect.key.includes(word)) return true;
    return false;
  });
}

function kindOf(block: Block): number {
  switch (block.kind) {
    case 'anchor':
    case 'summary':
      return 1;
    case 'prompt':
    case 'note':
    case 'excerpts':
      return 0.8;
    case 'step':
      return kindOfStep(block);
  }
}

function kindOfStep(step: StepBlock): number {
  if (step.pairs.length === 0) return 0.5;
  return Math.max(...step.pairs.map(({ use }) => KIND_OF_EFFECT[callEffectOf(use).kind]));
}

/** An error counts, since the next steps work on it. */
function errorsIn(block: Block): number {
  return block.kind === 'step' && block.pairs.some(({ result }) => result?.isError === true)
    ? 1
    : 0;
}

/** A model that decides says so in text. */
function decisionsIn(block: Block): number {
  if (block.kind !== 'step') return 0;
  const chars = block.parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? part.text.length : 0),
    0,
  );
  return Math.min(1, chars / DECISION_CHARS);
}
