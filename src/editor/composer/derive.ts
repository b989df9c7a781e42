import type { PromptParts } from '../../contextWindow/attached';
import type { Attachment } from '../../contextWindow/block';
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

/** Names what the user put beside a prompt, images and documents last; nothing where nothing was. */
export function attachedNames(
  { attached }: PromptParts,
  media: readonly Pick<Attachment, 'type'>[] = [],
): { readonly attached?: readonly string[] } {
  const names = [...attached.map(({ name }) => name), ...media.map(({ type }) => type)];
  return names.length === 0 ? {} : { attached: names };
}
