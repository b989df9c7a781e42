import type { PromptParts } from '../../contextWindow/attached';
import type { Attachment } from '../../contextWindow/block';
import type { AttachedItem, AttachedView } from './state';

/**
 * The attachments of the prompt being typed; undefined for none. `used` and `passStart` in tokens:
 * the size of the window, and the size above which a pass runs.
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

/** Names the attachments of a prompt, images and documents last. */
export function attachedNames(
  { attached }: PromptParts,
  media: readonly Pick<Attachment, 'type'>[] = [],
): { readonly attached?: readonly string[] } {
  const names = [...attached.map(({ name }) => name), ...media.map(({ type }) => type)];
  return names.length === 0 ? {} : { attached: names };
}
