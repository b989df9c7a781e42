import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { lastingChange, type LastingKind } from '../agent/lastingFiles';
import type { Workspace } from '../agent/workspace';
import { refused, type Result } from '../contextWindow/result';
import { freelyEditablePath } from './insideWorkspace';

/** A file that may be moved or removed, once the user said yes. */
export interface MovableFile {
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
