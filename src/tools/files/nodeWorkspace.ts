import { rm } from 'node:fs/promises';
import { refused, type Result } from '../../contextWindow/result';
import type { ReadText, Workspace } from '../../agent/workspace';
import { pathFrom, type WorkspaceFolders } from '../../agent/workspaceFolders';
import { listFilesIn, searchTextIn } from '../search/fileSearch';
import { pathIn, projectFolders } from '../search/ignoreRules';
import { isEnvFile } from '../../agent/secrets/envFiles';
import { decoded, encoded, whyNotEncoded } from './encoding';
import { decodeText, LARGEST_FILE } from './textLines';
import { editablePath, insideWorkspace } from './insideWorkspace';
import { createText, moveWhole, readRegularFile, reasonOf, replaceText } from './fileOnDisk';
import { runProcess, startProcess } from '../processes/startedProcess';
import type { Sandbox } from '../processes/sandbox';

/** A workspace directly on the file system, for the CLI and tests. */
export function makeNodeWorkspace(place: {
  readonly folders: WorkspaceFolders;
  readonly rgPath?: string | undefined;
  /** The sandbox for commands; absent for none. */
  readonly sandbox?: Sandbox | undefined;
  /** Finds the sandbox that the user's settings ask for; called before the first command runs. */
  readonly findSandbox?: (
    roots: readonly string[],
  ) => Promise<Result<{ readonly sandbox: Sandbox }>>;
}): Workspace {
  const { folders } = place;
  const { root } = folders.first;
  let looked: Promise<Sandbox | undefined> | undefined;
  const found = () =>
    (looked ??= (
      place.findSandbox?.(folders.all.map((one) => one.root)) ?? Promise.resolve(undefined)
    ).then((result) => (result?.ok === true ? result.sandbox : undefined)));
  const sandboxFor = async (inSandbox: boolean): Promise<Sandbox | undefined> => {
    const sandbox = inSandbox ? await found() : place.sandbox;
    if (inSandbox && sandbox === undefined) throw new Error('There is no sandbox here.');
    return sandbox;
  };
  return {
    folders,
    readFile: (path) => readText(folders, path),
    writeFile: (path, text, mode) => writeText(folders, path, text, mode),
    moveFile: (path, to) => moveIn(folders, path, to),
    deleteFile: (path) => deleteIn(folders, path),
    listFiles: (query, signal) => listFilesIn(place, query, signal),
    envFiles: () => envFilesIn(folders),
    searchText: (query, signal) => searchTextIn(place, query, signal),
    runCommand: async (command, { inSandbox = false, ...options }) =>
      runProcess(command, { cwd: root, ...options, sandbox: await sandboxFor(inSandbox) }),
    startCommand: async (command, { inSandbox = false, cwd = root }) =>
      startProcess(command, { cwd, input: 'open', sandbox: await sandboxFor(inSandbox) }),
    sandbox: async () => (await found())?.guards,
  };
}

/** The `.env` files of the project, ignored ones included; none below ignored folders. */
async function envFilesIn(folders: WorkspaceFolders): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const one of folders.all) {
    for await (const folder of projectFolders(one.root, () => false)) {
      if (folder === 'cut') break;
      const own = folder.entries.filter((entry) => !entry.isDirectory() && isEnvFile(entry.name));
      paths.push(...own.map(({ name }) => pathFrom(one, pathIn(folder.path, name))));
    }
  }
  return paths;
}

async function readText(folders: WorkspaceFolders, path: string): Promise<ReadText> {
  const inside = await insideWorkspace(folders, path);
  if (!inside.ok) return inside;
  if (inside.kind === 'missing') return { ...refused(`${path} does not exist.`), isMissing: true };
  if (inside.kind !== 'file') return refused(`${path} is not a file.`);
  try {
    const read = await readRegularFile(inside.realPath, LARGEST_FILE);
    switch (read) {
      case 'notRegular':
        return refused(`${path} is not a file.`);
      case 'moved':
        return refused(`${path} has just moved. Call again.`);
      case 'tooLarge':
        return refused(
          `${path} is over ${LARGEST_FILE / 1_000_000} MB, too large to read. Search it with search_text.`,
        );
      default:
        return decodeText(read, path);
    }
  } catch (error) {
    return refused(`${path} could not be read: ${reasonOf(error)}.`);
  }
}

async function writeText(
  folders: WorkspaceFolders,
  path: string,
  text: string,
  mode: 'replace' | 'create',
): Promise<Result<unknown>> {
  const inside = await editablePath(folders, path);
  if (!inside.ok) return inside;
  if (mode === 'replace' && inside.kind !== 'file') {
    return refused(`${path} is not an existing file; nothing was written.`);
  }
  if (mode === 'create' && inside.kind !== 'missing') {
    return refused(`${path} already exists; nothing was written.`);
  }
  try {
    if (mode === 'create') await createText(inside.realPath, text);
    else {
      const now = await readRegularFile(inside.realPath, LARGEST_FILE);
      const { encoding = 'utf8' } = (now instanceof Buffer ? decoded(now) : undefined) ?? {};
      const bytes = encoded(text, encoding);
      if (bytes === undefined) {
        return refused(`${path} was not written: ${whyNotEncoded(text, encoding)}.`);
      }
      await replaceText(inside.realPath, bytes);
    }
    return { ok: true };
  } catch (error) {
    return refused(`${path} was not written: ${reasonOf(error)}.`);
  }
}

async function moveIn(
  folders: WorkspaceFolders,
  path: string,
  to: string,
): Promise<Result<unknown>> {
  const [from, target] = [await editablePath(folders, path), await editablePath(folders, to)];
  if (!from.ok) return from;
  if (!target.ok) return target;
  if (from.kind !== 'file') return refused(`${path} is not an existing file; nothing was moved.`);
  if (target.kind !== 'missing') return refused(`${to} already exists; nothing was moved.`);
  try {
    await moveWhole(from.realPath, target.realPath);
    return { ok: true };
  } catch (error) {
    return refused(`${path} was not moved: ${reasonOf(error)}.`);
  }
}

async function deleteIn(
  folders: WorkspaceFolders,
  path: string,
): Promise<Result<{ readonly isKept: boolean }>> {
  const inside = await editablePath(folders, path);
  if (!inside.ok) return inside;
  if (inside.kind !== 'file') {
    return refused(`${path} is not an existing file; nothing was deleted.`);
  }
  try {
    await rm(inside.realPath);
    return { ok: true, isKept: false };
  } catch (error) {
    return refused(`${path} was not deleted: ${reasonOf(error)}.`);
  }
}
