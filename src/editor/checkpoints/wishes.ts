import * as z from 'zod/mini';
import { answered, id, wishesOf } from '../wish';
import type { WorkspaceFiles } from './workspaceFiles';

const index = z.int().check(z.minimum(0));

/** `unchanged`: only files that nothing else changed since; `all`: those files, too. */
export const filesToRestore = z.enum(['unchanged', 'all']);

const ofTurn = { turn: index, path: z.exactOptional(id) };
const hunkOfTurn = { turn: index, path: id, before: id, after: id, hunk: index };

/** The object whose methods these wishes call. */
export interface FilesHost {
  readonly files: Pick<WorkspaceFiles, 'history' | 'openDiff'>;
}

const { changes, looks } = wishesOf<FilesHost>();

const NO_CHANGE = 'The turn did not change this file.';

/** What the page may ask for about the files that a turn changed. */
export const FILE_WISHES = {
  undoRestore: changes({}, (_wish, { files }) => files.history.undoRestore()),
  /** Keeps a turn's changes of its files, or of one of them. */
  keepFiles: changes(ofTurn, ({ turn, path }, { files }) => files.history.keep(turn, path)),
  /** Undoes them; gives the files that were skipped because something else changed them since. */
  undoFiles: changes({ ...ofTurn, files: filesToRestore }, async (wish, { files }) => {
    const undone = await files.history.undo(wish.turn, wish.path, wish.files === 'all');
    return undone.ok ? answered(undone.left) : undone.message;
  }),
  /** Gives the hunks that a turn changed in a file. */
  fetchHunks: looks({ turn: index, path: id }, async ({ turn, path }, { files }) => {
    const hunks = await files.history.hunks(turn, path);
    return hunks === undefined ? NO_CHANGE : answered(hunks);
  }),
  keepHunk: changes(hunkOfTurn, ({ turn, path, ...shown }, { files }) =>
    files.history.keepHunk(turn, path, shown),
  ),
  undoHunk: changes(hunkOfTurn, ({ turn, path, ...shown }, { files }) =>
    files.history.undoHunk(turn, path, shown),
  ),
  /** Opens the diff of a file since the start of a turn. */
  openTurnDiff: looks({ turn: index, path: id }, async ({ turn, path }, { files }) =>
    (await files.openDiff(turn, path)) ? undefined : NO_CHANGE,
  ),
};
