import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { GitSettings } from '../../agent/gitSettings';
import { isProtected, type LastingKind } from '../../agent/lastingFiles';
import { memoryPathIn } from '../../agent/memory/projectMemory';
import type { WorkspaceFolders } from '../../agent/workspaceFolders';
import { refused, type Result } from '../../contextWindow/result';
import { unseenIn, visibleLine } from '../../contextWindow/visibleText';

interface InsidePath {
  /** As the folders name it, with forward slashes; `.` for the whole workspace. */
  readonly path: string;
  /** Absolute, with every symbolic link followed; a missing end is appended. */
  readonly realPath: string;
  /** Like `path`, with every symbolic link followed. */
  readonly target: string;
  /** All its names: these two, and those in other folders around it. */
  readonly names: readonly string[];
  readonly kind: 'file' | 'folder' | 'other' | 'missing';
}

/** No system supports longer paths; characters. */
const LONGEST_PATH = 4_096;

/**
 * Resolves a path from the model. Refuses paths outside the workspace, and names with invisible
 * characters: the user could not see what they approve.
 */
export async function insideWorkspace(
  folders: WorkspaceFolders,
  path: string,
): Promise<Result<InsidePath>> {
  const wanted = folders.areNamed
    ? `beginning with the name of a folder, such as ${visibleLine(folders.first.name)}/`
    : 'relative to its root';
  const outside = (why: string) =>
    refused(`"${visibleLine(path)}" ${why}. Give a path inside the workspace, ${wanted}.`);
  if (path.length > LONGEST_PATH) {
    return refused(`A path has at most ${LONGEST_PATH} characters; this one has ${path.length}.`);
  }
  if (path.trim() === '') return outside('names no file');
  const unseen = unseenIn(path);
  if (unseen !== undefined) {
    return outside(`contains ${unseen}, which is invisible; no tool takes such a path`);
  }
  const isNamed = folders.namesFolder(path);
  // A folder of the workspace may have such a name.
  if (!isNamed && /^~([/\\]|$)/.test(path)) {
    return outside('is in the home folder, outside the workspace');
  }
  const drive = process.platform === 'win32' ? /^[a-z]:(?![/\\])/i : /^[a-z]:/i;
  if (!isNamed && drive.test(path)) return outside('names a drive, outside the workspace');

  const realFolders = await followed(folders);
  if (folders.isWhole(path)) {
    const { root } = realFolders.first;
    return { ok: true, path: '.', realPath: root, target: '.', names: ['.'], kind: 'folder' };
  }
  const absolute = folders.absolute(path);
  const named = [folders, realFolders].flatMap((one) => one.pathsOf(absolute));
  const [first] = named;
  if (first === undefined) {
    const isUnnamed = folders.areNamed && !isNamed && !leadsOut(path);
    return outside(isUnnamed ? 'names no folder of this workspace' : 'is outside the workspace');
  }
  const real = await realPathOf(absolute);
  if (real === undefined) return outside('is, or goes through, a symbolic link that leads nowhere');
  const targets = realFolders.pathsOf(real);
  const [target] = targets;
  if (target === undefined) return outside('leads outside the workspace through a symbolic link');
  return {
    ok: true,
    path: first,
    realPath: real,
    target,
    names: [...new Set([first, ...named, ...targets])],
    kind: await kindOf(real),
  };
}

/** Whether a path is absolute, or leads out of where it begins. */
function leadsOut(path: string): boolean {
  return isAbsolute(path) || /^\.\.(?:[/\\]|$)/.test(normalize(path));
}

/** A path that a tool may write. */
interface EditablePath extends InsidePath {
  /** Set when the settings of its repository name it: git runs or reads it. */
  readonly byGit: LastingKind | undefined;
}

/**
 * Like `insideWorkspace`, but also refuses files that the agent may read and never write;
 * `.plimsoll/memory.md` is allowed for `remember`.
 */
export async function editablePath(
  folders: WorkspaceFolders,
  path: string,
): Promise<Result<EditablePath>> {
  const found = await insideWorkspace(folders, path);
  if (!found.ok) return found;
  const inside = { ...found, byGit: new GitSettings(folders).kindOf(found.realPath) };
  const memory = memoryPathIn(folders);
  if (inside.path === memory && inside.target === memory) return inside;
  const segments = inside.names.flatMap((name) => name.split('/'));
  const guarded = segments.find(isProtected);
  if (guarded === undefined) return inside;
  return refused(
    `${inside.path} is protected: no tool edits or creates files in a ${guarded} folder, ` +
      'because the editor, git and later sessions act on them. Ask the user to change it.',
  );
}

/**
 * Like `editablePath`, for tools that write any text: `remember` alone writes memory, one line at a
 * time.
 */
export async function freelyEditablePath(
  folders: WorkspaceFolders,
  path: string,
): Promise<Result<EditablePath>> {
  const inside = await editablePath(folders, path);
  if (!inside.ok || inside.path !== memoryPathIn(folders)) return inside;
  return refused(
    `${inside.path} is protected: add a line to it with remember; only the user can change the rest.`,
  );
}

/** The folders without links; one of several may be missing. */
export async function followed(folders: WorkspaceFolders): Promise<WorkspaceFolders> {
  const real = new Map<string, string>();
  for (const { root } of folders.all) {
    real.set(root, await (folders.areNamed ? realpath(root).catch(() => root) : realpath(root)));
  }
  return folders.movedTo((root) => real.get(root) ?? root);
}

/** Follows the links of the nearest existing parent; undefined when a link is broken. */
async function realPathOf(absolute: string): Promise<string | undefined> {
  const missing: string[] = [];
  for (let path = absolute; ; path = dirname(path)) {
    const exists = await lstat(path).then(
      () => true,
      () => false,
    );
    if (exists) {
      const real = await realpath(path).catch(() => undefined);
      return real === undefined ? undefined : join(real, ...missing);
    }
    if (dirname(path) === path) return undefined;
    missing.unshift(basename(path));
  }
}

async function kindOf(realPath: string): Promise<InsidePath['kind']> {
  const found = await stat(realPath).catch(() => undefined);
  if (found === undefined) return 'missing';
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : 'other';
}
