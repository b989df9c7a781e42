import * as z from 'zod/mini';
import { id, text, wishesOf } from '../../wish';
import type { ContextPanel } from '../panel';

const { looks } = wishesOf<ContextPanel>();

/** Formats of an export: a page that shows the panel, or the session's log. */
const form = z.enum(['html', 'jsonl']);
export type ExportForm = z.output<typeof form>;

/** The displayed blocks, in the panel's order. */
const shownBlocks = z.strictObject({
  ids: z.array(id),
  /** Describes the filter and the order: "filter “read”, state “Evicted”, “Largest first”". */
  words: text,
});
export type ShownBlocks = {
  readonly [K in keyof z.output<typeof shownBlocks>]: Readonly<z.output<typeof shownBlocks>[K]>;
};

export const EXPORT_WISHES = {
  /** `shown` are the displayed blocks; absent for all of them, in order. */
  exportView: looks({ form, shown: z.exactOptional(shownBlocks) }, ({ form, shown }, panel) =>
    panel.exportView(form, shown),
  ),
  /** Saves a report on the session, to attach to an issue. */
  saveReport: looks({}, (_wish, panel) => panel.reports.save()),
};
