import type { PromptParts } from '../../contextWindow/attached';
import type { Attachment } from '../../contextWindow/block';

/** Names what the user put beside a prompt, images and documents last; nothing where nothing was. */
export function attachedNames(
  { attached }: PromptParts,
  media: readonly Pick<Attachment, 'type'>[] = [],
): { readonly attached?: readonly string[] } {
  const names = [...attached.map(({ name }) => name), ...media.map(({ type }) => type)];
  return names.length === 0 ? {} : { attached: names };
}
