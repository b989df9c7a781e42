import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { refused, type Result } from '../../contextWindow/result';
import type { ReadText, Workspace } from '../../agent/workspace';
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
  readonly root: string;
  readonly rgPath?: string | undefined;
  /** The sandbox for commands; absent for none. */
  readonly sandbox?: Sandbox | undefined;
  /** Finds the sandbox that the user's settings ask for; called before the first command runs. */
  readonly findSandbox?: (root: string) => Promise<Result<{ readonly sandbox: Sandbox }>>;
}): Workspace {
  const root = resolve(place.root);
  let looked: Promise<Sandbox | undefined> | undefined;
  const found = () =>
    (looked ??= (place.findSandbox?.(root) ?? Promise.resolve(undefined)).then((result) =>
      result?.ok === true ? result.sandbox : undefined,
    ));
  const sandboxFor = async (inSandbox: boolean): Promise<Sandbox | undefined> => {
    const sandbox = inSandbox ? await found() : place.sandbox;
    if (inSandbox && sandbox === undefined) throw new Error('There is no sandbox here.');
    return sandbox;
  };
  return {
    root,
    readFile: (path) => readText(root, path),
    writeFile: (path, text, mode) => writeText(root, path, text, mode),
    moveFile: (path, to) => moveIn(root, path, to),
    deleteFile: (path) => deleteIn(root, path),
    listFiles: (query, signal) => listFilesIn({ ...place, root }, query, signal),
    envFiles: () => envFilesIn(root),
    searchText: (query, signal) => searchTextIn({ ...place, root }, query, signal),
    runCommand: async (command, { inSandbox = false, ...options }) =>
      runProcess(command, { ...options, cwd: root, sandbox: await sandboxFor(inSandbox) }),
    startCommand: async (command, { inSandbox = false }) =>
      startProcess(command, { cwd: root, input: 'open', sandbox: await sandboxFor(inSandbox) }),
    sandbox: async () => (await found())?.guards,
  };
}

/** The `.env` files of the project, ignored ones included; none below ignored folders. */
async function envFilesIn(root: string): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const folder of projectFolders(root, () => false)) {
    if (folder === 'cut') break;
    const own = folder.entries.filter((entry) => !entry.isDirectory() && isEnvFile(entry.name));
    paths.push(...own.map(({ name }) => pathIn(folder.path, name)));
  }
  return paths;
}

async function readText(root: string, path: string): Promise<ReadText> {
  const inside = await insideWorkspace(root, path);
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
  root: string,
  path: string,
  text: string,
  mode: 'replace' | 'create',
): Promise<Result<unknown>> {
  const inside = await editablePath(root, path);
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

async function moveIn(root: string, path: string, to: string): Promise<Result<unknown>> {
  const [from, target] = [await editablePath(root, path), await editablePath(root, to)];
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

async function deleteIn(root: string, path: string): Promise<Result<{ readonly isKept: boolean }>> {
  const inside = await editablePath(root, path);
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
