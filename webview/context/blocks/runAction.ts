import type { BlockAction } from './blockActions';
import type { PanelStore } from '../panelStore';

/** Does what the user asked for; where that cannot be done, says so where the host's refusals are said. */
export function runAction(store: PanelStore, { label, wish, whyNot }: BlockAction): void {
  if (whyNot === undefined) store.wish(wish);
  else store.refuse(`“${label}” was not done. ${whyNot}`);
}
