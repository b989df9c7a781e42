import { type Block, type BlockId, isInWindow } from '../block';
import type { Amount } from '../plan';
import { rememberedFold } from '../persistentList';
import { PersistentMap } from '../persistentMap';
import {
  blocksInWindow,
  type ContextWindow,
  type CountedWindow,
  type LedgerEntry,
} from '../window';
import { haveSameWords, lengthOfWords } from './guesses';

/** What a block in some form weighed when a pass changed it. */
interface FormerWeight extends Amount {
  readonly of: Block;
}

const NONE: readonly FormerWeight[] = [];

/** By block, oldest first, with the model whose tokenizer counted. */
const weighedBy = rememberedFold(
  PersistentMap.of<BlockId, readonly (FormerWeight & Pick<LedgerEntry, 'model'>)[]>(),
  (known, entry: LedgerEntry) => {
    const weights = weightsBefore(entry);
    return known.with(
      [...weights].map(([id, weight]) => [
        id,
        [...(known.get(id) ?? []), { ...weight, model: entry.model }],
      ]),
    );
  },
);

/** What the blocks that a pass changed weighed before it, by its decisions. */
function weightsBefore({ pass, former }: LedgerEntry): ReadonlyMap<BlockId, FormerWeight> {
  const beforeOf = new Map(pass.decisions.map(({ blockId, before }) => [blockId, before]));
  return new Map(
    former.flatMap(({ block }) => {
      const before = beforeOf.get(block.id);
      return before === undefined || !isInWindow(block)
        ? []
        : [[block.id, { ...before, of: block }] as const];
    }),
  );
}

/**
 * What a block weighed in its former forms, by the passes before the last official count. The count
 * does not cover a form that left the window, so these weigh a block that comes back.
 */
export function formerWeights(
  { ledger, model, baseline }: Pick<ContextWindow, 'ledger' | 'model' | 'baseline'>,
  id: BlockId,
): readonly FormerWeight[] {
  if (baseline === undefined) return NONE;
  const weights = weighedBy((baseline.counted ?? { ledger }).ledger).get(id);
  return weights?.filter((weight) => weight.model === model) ?? NONE;
}

/**
 * The weights of the blocks of passes that were undone since the last official count, as before
 * these passes. An undo then moves the window by what its pass had freed.
 */
export function weightsOfUndone(
  { ledger, model }: Pick<ContextWindow, 'ledger' | 'model'>,
  counted: CountedWindow,
): ReadonlyMap<BlockId, FormerWeight> {
  const found = new Map<BlockId, FormerWeight>();
  const undone = placesUndone(ledger, counted.ledger);
  if (undone.length === 0) return found;
  const blockOf = new Map(blocksInWindow(counted).map((block) => [block.id, block]));
  // From the newest on: the oldest of them says what a block weighed before all of them.
  for (const at of undone.toReversed()) {
    const entry = ledger.at(at);
    if (entry === undefined || entry.model !== model) continue;
    // Later passes were priced with the weights found here, so they change nothing about them.
    const between = ledger.slice(at + 1, entry.undoneAfter);
    const later = between.filter((other) => other.undone !== true);
    const changed = new Set(later.flatMap(({ former }) => former.map(({ block }) => block.id)));
    for (const { blockId, action, before } of entry.pass.decisions) {
      const of = blockOf.get(blockId);
      if (action !== 'keep' || of === undefined || changed.has(blockId)) continue;
      found.set(blockId, { ...before, of });
    }
    for (const [id, weight] of weightsBefore(entry)) found.set(id, weight);
  }
  return found;
}

/** An older form must be this many times closer in length than a newer one. */
const MUCH_CLOSER = 2;

/**
 * The form with the same words as another form of the block; else the newest one, unless an older one
 * is much closer in length. The weights of two forms may come from different counts, so a change to a
 * form like the newest one must not seem to gain what these counts differ by.
 */
export function closestForm<T extends { readonly of: Block }>(
  forms: readonly T[],
  form: Block,
): T | undefined {
  if (forms.length < 2) return forms[0];
  const same = forms.find(({ of }) => haveSameWords(of, form));
  if (same !== undefined) return same;
  const distanceOf = ({ of }: T) => Math.abs(lengthOfWords(of) - lengthOfWords(form));
  return forms.reduce((best, other) =>
    distanceOf(other) * MUCH_CLOSER < distanceOf(best) ? other : best,
  );
}

/** The places of the passes that one ledger has undone and an earlier one has not. */
export function placesUndone(
  ledger: ContextWindow['ledger'],
  earlier: ContextWindow['ledger'],
): readonly number[] {
  if (ledger === earlier) return [];
  let start = 0;
  return earlier.chunks.flatMap((chunk, at) => {
    const first = start;
    start += chunk.length;
    if (ledger.chunks[at] === chunk) return [];
    return chunk.flatMap(({ undone }, offset) =>
      undone !== true && ledger.at(first + offset)?.undone === true ? [first + offset] : [],
    );
  });
}
