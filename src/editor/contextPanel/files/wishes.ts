import * as z from 'zod/mini';
import { fileChange } from '../../session/changesByHand';
import { answered, id, wishesOf } from '../../wish';
import { fileLives } from '../blocks/lives';
import type { ContextPanel } from '../panel';

const { changes, looks, leaves } = wishesOf<ContextPanel>();

/** Counted from 1. */
const line = z.int().check(z.minimum(1));

/** What the panel may ask for about files. */
export const FILE_WISHES = {
  /**
   * Sets whether the excerpts always or never show a file, or lines of it; `auto` drops that choice.
   * `undo` undoes the user's last choice of them.
   */
  chooseFile: changes(
    {
      path: id,
      lines: z.exactOptional(z.strictObject({ first: line, last: z.int() })),
      choice: z.enum(['always', 'never', 'auto']),
      undo: z.exactOptional(z.literal(true)),
    },
    (choosing, { current }) => current.run.edit((window) => fileChange(window, choosing)),
  ),
  fetchFiles: looks({}, (_wish, { inspection }) => answered(fileLives(inspection.lifeFacts))),
  /** What a block of excerpts shows, also of one that was removed. */
  fetchExcerpts: looks({ blockId: id }, ({ blockId }, { inspection }) => {
    const shown = inspection.shownExcerpts(blockId);
    return shown === undefined
      ? 'The log does not say what this block shows of files, and why.'
      : answered(shown);
  }),
  openFile: leaves({ path: id, line: z.exactOptional(line) }, ({ path, line }, panel) =>
    panel.openFile(path, line),
  ),
};
