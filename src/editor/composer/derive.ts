import type { AttachedItem, AttachedView } from './state';

/**
 * What is beside the prompt that is being typed; undefined for nothing. `used` and `passStart` are tokens:
 * what the window holds, and above what a pass follows.
 */
export function attachedView(
  items: readonly AttachedItem[],
  used: number,
  passStart: number,
): AttachedView | undefined {
  if (items.length === 0) return undefined;
  const tokens = items.reduce((sum, item) => sum + (item.tokens ?? 0), 0);
  return { items, ...(used + tokens > passStart ? { crosses: true } : {}) };
}
