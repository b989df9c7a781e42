import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import * as z from 'zod/mini';
import { LASTING_WORDS, lastingChange, type LastingKind } from '../../agent/lastingFiles';
import type { Workspace } from '../../agent/workspace';
import { refused, type Result } from '../../contextWindow/result';
import { defineTool, failed, succeeded } from '../defineTool';
import { problemsAfter } from '../diagnostics';
import { freelyEditablePath } from './insideWorkspace';

export const moveFile = defineTool({
  name: 'move_file',
  description:
    'Moves or renames a file of the workspace, and makes folders for it. Nothing is overwritten, ' +
    'and what names the file is not changed. The user is asked first.',
  input: z.strictObject({
    path: z.string().check(z.describe('The file, relative to the workspace root.')),
    to: z.string().check(z.describe('Its new path, with the name of the file.')),
  }),
  async prepare({ path: given, to: wanted }, { workspace }) {
    const file = await movableFile(workspace, given, 'moved');
    if (!file.ok) return file;
    const target = await freelyEditablePath(workspace.root, wanted);
    if (!target.ok) return target;
    const { path, before } = file;
    const { path: to, kind } = target;
    if (kind !== 'missing') return refused(`${to} exists already; nothing was moved.`);
    const what =
      file.lasting ??
      lastingChange({ paths: [to, target.target], before: undefined, after: before ?? '' });
    return {
      ok: true,
      call: {
        approval: {
          kind: 'move',
          path,
          to,
          ...(what === undefined ? {} : { lasting: LASTING_WORDS[what] }),
        },
        action: `The move of ${path} to ${to}`,
        async run(signal) {
          const newProblems = problemsAfter(workspace, to);
          const moved = await workspace.moveFile(path, to);
          if (!moved.ok) return failed(moved.message);
          return succeeded(`Moved ${path} to ${to}.${await newProblems(signal)}`);
        },
      },
    };
  },
});

/** A file that may be moved or removed, once the user said yes. */
interface MovableFile {
  readonly path: string;
  /** Its text; undefined where it is none, or too long to be read. */
  readonly before: string | undefined;
  /** What goes with it that outlasts the session. */
  readonly lasting: LastingKind | undefined;
}

/**
 * Finds a file that the model named. Refuses folders, pipes and devices, links, and what has unsaved
 * changes, which nobody but the user may give up.
 */
export async function movableFile(
  workspace: Workspace,
  given: string,
  done: 'moved' | 'removed',
): Promise<Result<MovableFile>> {
  const inside = await freelyEditablePath(workspace.root, given);
  if (!inside.ok) return inside;
  const { path, kind, realPath, target } = inside;
  if (kind === 'missing') return refused(`${path} does not exist.`);
  if (kind === 'folder') {
    return refused(`${path} is a folder, and was not ${done}: only files are. Use a command.`);
  }
  if (kind !== 'file') return refused(`${path} is not a file.`);
  const named = resolve(workspace.root, path);
  if (join(await realpath(dirname(named)), basename(named)) !== realPath) {
    return refused(`${path} is a symbolic link, and was not ${done}. Use a command.`);
  }
  const read = await workspace.readFile(path);
  if (read.ok && read.unsaved === true) {
    return refused(
      `${path} has unsaved changes in the editor, and was not ${done}. Ask the user to save it.`,
    );
  }
  const before = read.ok ? read.text : undefined;
  // Without its text, what it did is gone, too.
  const lasting = lastingChange({ paths: [path, target], before: before ?? '', after: '{}' });
  return { ok: true, path, before, lasting };
}
