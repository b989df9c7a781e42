import { effect } from '@preact/signals';
import type { PanelStore } from './panelStore';

/**
 * Keeps the moment looked at, and looks at its request where it is another. The first thing the host shows
 * of a session after a reload is the present: the moment kept from before is asked for again then, also
 * where that session is shown only after another; from then on the host says which one it is.
 */
export function followTravel({ context, look, wish }: PanelStore): () => void {
  const { session: kept } = look.peek();
  let hasBegun = false;
  return effect(() => {
    if (context.value === undefined) return;
    const { travel, session } = context.value;
    const { at } = look.peek();
    const isNew = !hasBegun && session === kept;
    hasBegun ||= isNew;
    if (isNew && typeof at === 'number' && travel.at === 'now' && isBetween(at, travel)) {
      wish({ type: 'travelTo', at });
    } else if (at !== travel.at) {
      const requestStep = travel.at === 'now' ? 'next' : travel.at;
      look.value = { ...look.peek(), at: travel.at, requestStep };
    }
  });
}

function isBetween(
  step: number,
  { first, last }: { readonly first: number; readonly last: number },
): boolean {
  return step >= first && step <= last;
}
