import type { BlockView } from '../../../src/editor/contextPanel/state';
import { saidLabel, shortName } from '../../kit/callWords';
import { formatNumber } from '../../kit/tokens';

/** A block that is mentioned outside the list. */
interface Mentioned {
  readonly blockId?: string;
  readonly label: string;
}

/** A cache: each change of a session draws many decisions. */
const BY_ID = new WeakMap<readonly BlockView[], ReadonlyMap<string, BlockView>>();

/** A block by its id; undefined if it is not in view. */
export function blockById(
  blocks: readonly BlockView[],
  id: string | undefined,
): BlockView | undefined {
  if (id === undefined) return undefined;
  const known = BY_ID.get(blocks) ?? new Map(blocks.map((block) => [block.id, block]));
  BY_ID.set(blocks, known);
  return known.get(id);
}

/** A block as the list names it: "Read src/a.ts, ran npm test". */
export function nameIn(blocks: readonly BlockView[], { blockId, label }: Mentioned): string {
  return saidLabel(blockById(blocks, blockId) ?? { label });
}

/** The same with long paths shortened to their end, where there is a tooltip. */
export function shortNameIn(blocks: readonly BlockView[], { blockId, label }: Mentioned): string {
  return shortName(blockById(blocks, blockId) ?? { label });
}

/** A name in the middle of a sentence: "Pass 3" gives "pass 3". */
export function lowered(name: string): string {
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** "Pass 4", "Passes 4 and 5". */
export function passesWords(passes: readonly number[]): string {
  const numbers = passes.map(formatNumber).join(' and ');
  return passes.length === 1 ? `Pass ${numbers}` : `Passes ${numbers}`;
}
