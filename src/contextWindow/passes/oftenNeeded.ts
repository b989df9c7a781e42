import type { Block, BlockId, ToolUse } from '../block';
import { callEffectOf } from '../callEffect';
import type { ContextWindow, Refault } from '../window';

/** Content needed again this often is removed last. */
export const OFTEN = 2;

/** Steps after which a need is forgotten: the work has moved on, and the room is better used. */
export const NEED_LASTS_STEPS = 100;

/** How often content was needed again after a pass had removed it. */
export interface TimesNeeded {
  /** By the path of a read, or by what a recall asked for. */
  readonly byName: ReadonlyMap<string, number>;
  /** By the block that had held it. */
  readonly byBlock: ReadonlyMap<BlockId, number>;
}

/** A cache, since every plan asks; the list of a window is immutable. */
const TIMES = new WeakMap<
  ContextWindow['refaults'],
  { readonly step: number; readonly found: TimesNeeded }
>();

/** Counts the needs of the last `NEED_LASTS_STEPS` steps. */
export function timesNeeded({
  refaults,
  step,
}: Pick<ContextWindow, 'refaults' | 'step'>): TimesNeeded {
  const known = TIMES.get(refaults);
  if (known?.step === step) return known.found;
  const found = timesOf(refaults.filter((one) => one.step > step - NEED_LASTS_STEPS));
  TIMES.set(refaults, { step, found });
  return found;
}

function timesOf(refaults: Iterable<Refault>): TimesNeeded {
  const byName = new Map<string, number>();
  const byBlock = new Map<BlockId, number>();
  for (const { what, blockId } of refaults) {
    byName.set(what, (byName.get(what) ?? 0) + 1);
    byBlock.set(blockId, (byBlock.get(blockId) ?? 0) + 1);
  }
  return { byName, byBlock };
}

/** How often the content of a block was needed again; 0 if less than `OFTEN`. */
export function oftenNeeded(times: TimesNeeded, block: Block): number {
  const ofCalls =
    block.kind === 'step'
      ? block.pairs.map(({ use, cleared }) => (cleared ? 0 : timesOfCall(times, use)))
      : [];
  const most = Math.max(times.byBlock.get(block.id) ?? 0, ...ofCalls);
  return most < OFTEN ? 0 : most;
}

/** How often what a call shows was needed again: the file of a read, the text of a recall. */
export function timesOfCall({ byName }: TimesNeeded, use: ToolUse): number {
  if (byName.size === 0) return 0;
  const effect = callEffectOf(use);
  if (effect.kind === 'read') return byName.get(effect.path) ?? 0;
  if (effect.kind !== 'recall') return 0;
  return byName.get(effect.handle ?? effect.pattern ?? '') ?? 0;
}

/** What a step needed again for the `OFTEN`th time, each once. */
export function becameOften(
  { refaults }: Pick<ContextWindow, 'refaults'>,
  step: number,
): readonly string[] {
  const { byName } = timesOf(refaults.filter((one) => one.step > step - NEED_LASTS_STEPS));
  const names = refaults.filter((one) => one.step === step).map(({ what }) => what);
  return [...new Set(names)].filter((name) => {
    const times = byName.get(name) ?? 0;
    return times >= OFTEN && times - names.filter((one) => one === name).length < OFTEN;
  });
}
