import {
  type FoundMemory,
  type ProjectMemory,
  MEMORY_PATH,
} from '../../agent/memory/projectMemory';
import type { Workspace } from '../../agent/workspace';
import { pathIn, projectFolders, rulesDownTo } from '../search/ignoreRules';
import { insideWorkspace } from './insideWorkspace';

const NAMES = ['AGENTS.md', 'CLAUDE.md'] as const;

/** A text up to this length that names the other file only refers to it; characters. */
const LONGEST_REFERENCE = 200;

/** Reads project memory through a workspace, as the user sees the files, and never outside it. */
export function makeProjectMemory(workspace: Workspace): ProjectMemory {
  const root = async () => withoutRepeats(await filesOf(workspace, ''));
  return {
    root,
    everywhere: () => everywhereIn(workspace),
    async of(path) {
      const folders = await foldersOf(workspace.root, path);
      if (folders.length === 0) return [];
      const outer = await root();
      const found = await Promise.all(folders.map((folder) => filesOf(workspace, folder)));
      // Skips a copy of an outer folder's file and a link to it.
      return withoutRepeats([...outer, ...found.flat()]).filter((file) => !outer.includes(file));
    },
  };
}

/** The files of all folders, each on its own. */
async function everywhereIn(workspace: Workspace): Promise<readonly FoundMemory[]> {
  const paths: string[] = [];
  for await (const folder of projectFolders(workspace.root, isMemoryFolder)) {
    if (folder === 'cut' || paths.length >= MOST_LISTED) break;
    for (const { name } of folder.entries) {
      if (NAMES.some((one) => one === name)) paths.push(pathIn(folder.path, name));
      if (isMemoryFolder(name)) paths.push(pathIn(folder.path, MEMORY_PATH));
    }
  }
  return (await Promise.all(paths.map((path) => readMemory(workspace, path)))).flat();
}

/** Most files listed; a project has a handful. */
const MOST_LISTED = 500;

/** Whether a path is the folder of the file that `remember` writes to. */
function isMemoryFolder(path: string): boolean {
  return path.split('/').at(-1) === MEMORY_PATH.split('/')[0];
}

/**
 * The folders from the root (excluded) down to a path. Ignored folders and installed packages give
 * no instructions: other people wrote them.
 */
async function foldersOf(root: string, path: string): Promise<readonly string[]> {
  const inside = await insideWorkspace(root, path).catch(() => undefined);
  if (inside?.ok !== true || inside.target === '.') return [];
  const segments = inside.target.split('/');
  const depth = inside.kind === 'folder' ? segments.length : segments.length - 1;
  const folder = segments.slice(0, depth).join('/');
  if (segments.includes('node_modules')) return [];
  if ((await rulesDownTo(root, folder)) === undefined) return [];
  return segments.slice(0, depth).map((_, index) => segments.slice(0, index + 1).join('/'));
}

/**
 * The files of one folder, with the file that `remember` writes last; a file that only refers to
 * the other is left out.
 */
async function filesOf(workspace: Workspace, folder: string): Promise<readonly FoundMemory[]> {
  const read = (name: string) => readMemory(workspace, folder === '' ? name : `${folder}/${name}`);
  const found = (await Promise.all(NAMES.map(read))).flat();
  const told = found.filter((file) => !found.some((other) => refersTo(file, other)));
  return [...(told.length > 0 ? told : found), ...(await read(MEMORY_PATH))];
}

/** One file, or nothing when it is missing or blank. */
async function readMemory(workspace: Workspace, path: string): Promise<readonly FoundMemory[]> {
  const inside = await insideWorkspace(workspace.root, path).catch(() => undefined);
  if (inside === undefined) return [];
  if (!inside.ok) return [{ path, problem: `${path} leads outside the workspace.` }];
  if (inside.kind === 'missing' || inside.kind === 'folder') return [];
  if (inside.kind === 'other') return [{ path, problem: `${path} is not a regular file.` }];
  const read = await workspace.readFile(path);
  if (!read.ok) return [{ path, problem: read.message }];
  const text = read.text.replace(/^\uFEFF/, '');
  return text.trim() === '' ? [] : [{ path, text }];
}

function refersTo(file: FoundMemory, other: FoundMemory): boolean {
  if (file === other || !('text' in file) || !('text' in other)) return false;
  const name = other.path.split('/').at(-1) ?? '';
  const said = file.text.split('\n').filter((line) => line.trim() !== '' && !/^#+\s/.test(line));
  return said.length === 1 && file.text.length <= LONGEST_REFERENCE && file.text.includes(name);
}

function withoutRepeats(found: readonly FoundMemory[]): readonly FoundMemory[] {
  const texts = new Set<string>();
  return found.filter((file) => {
    if (!('text' in file)) return true;
    const text = file.text.trim();
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  });
}
