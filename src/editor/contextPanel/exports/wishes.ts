import * as z from 'zod/mini';
import { id, text, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';

const { looks } = wishesOf<ContextPanel>();

/** What the panel can be saved as: a page that shows it, or the log of the session. */
const form = z.enum(['html', 'jsonl']);
export type ExportForm = z.output<typeof form>;

/** The blocks that the panel shows, in its order. */
const shownBlocks = z.strictObject({
  ids: z.array(id),
  /** How they were chosen: "filter “read”, state “Evicted”, “Largest first”". */
  words: text,
});
export type ShownBlocks = {
  readonly [K in keyof z.output<typeof shownBlocks>]: Readonly<z.output<typeof shownBlocks>[K]>;
};

/** What the panel may ask to be saved. */
export const EXPORT_WISHES = {
  /** `shown` are the blocks the panel shows; absent for all of them, in order. */
  exportView: looks({ form, shown: z.exactOptional(shownBlocks) }, ({ form, shown }, panel) =>
    panel.exportView(form, shown),
  ),
};
