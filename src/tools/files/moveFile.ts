import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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
    'Moves or renames a file of the workspace and creates folders for it. It does not overwrite ' +
    'files or change references to the file. The user approves it first.',
  input: z.strictObject({
    path: z.string().check(z.describe('The file, relative to the workspace root.')),
    to: z.string().check(z.describe('Its new path, including the file name.')),
  }),
  async prepare({ path: given, to: wanted }, { workspace }) {
    const file = await movableFile(workspace, given, 'moved');
    if (!file.ok) return file;
    const target = await freelyEditablePath(workspace.folders, wanted);
    if (!target.ok) return target;
    const { path, before } = file;
    const { path: to, kind, byGit } = target;
    if (kind !== 'missing') return refused(`${to} already exists; nothing was moved.`);
    const what =
      file.lasting ??
      lastingChange({
        paths: target.names,
        before: undefined,
        after: before ?? '',
        byGit,
      });
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
          const newProblems = await problemsAfter(workspace, to);
          const moved = await workspace.moveFile(path, to);
          if (!moved.ok) return failed(moved.message);
          return succeeded(`Moved ${path} to ${to}.${await newProblems(signal)}`);
        },
      },
    };
  },
});

/** A file that may be moved or deleted after approval. */
interface MovableFile {
  readonly path: string;
  /** Its text; undefined when it is not text or too long to read. */
  readonly before: string | undefined;
  /** The lasting effect of its removal. */
  readonly lasting: LastingKind | undefined;
}

/**
 * Finds a file that the model named. Refuses folders, pipes, devices and links. Refuses files with
 * unsaved changes, which only the user may discard.
 */
export async function movableFile(
  workspace: Workspace,
  given: string,
  done: 'moved' | 'deleted',
): Promise<Result<MovableFile>> {
  const inside = await freelyEditablePath(workspace.folders, given);
  if (!inside.ok) return inside;
  const { path, kind, realPath, names, byGit } = inside;
  if (kind === 'missing') return refused(`${path} does not exist.`);
  if (kind === 'folder') {
    return refused(
      `${path} is a folder and was not ${done}: this works only for files. Use a command.`,
    );
  }
  if (kind !== 'file') return refused(`${path} is not a file.`);
  const named = workspace.folders.absolute(path);
  if (join(await realpath(dirname(named)), basename(named)) !== realPath) {
    return refused(`${path} is a symbolic link and was not ${done}. Use a command.`);
  }
  const read = await workspace.readFile(path);
  if (read.ok && read.unsaved === true) {
    return refused(
      `${path} has unsaved changes in the editor and was not ${done}. Ask the user to save it.`,
    );
  }
  const before = read.ok ? read.text : undefined;
  // Without its text, its lasting effect is gone too.
  const lasting = lastingChange({
    paths: names,
    before: before ?? '',
    after: '{}',
    byGit,
  });
  return { ok: true, path, before, lasting };
}
