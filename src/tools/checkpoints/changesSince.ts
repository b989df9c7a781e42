import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChangedFile, ChangesResult, ChangesSince } from '../../agent/returning';
import type { Workspace } from '../../agent/workspace';
import type { WorkspaceFolder, WorkspaceFolders } from '../../agent/workspaceFolders';
import type { KnownFile } from '../../contextWindow/idle';
import { refused } from '../../contextWindow/result';
import { committedAt, type CommittedFiles } from '../processes/git';
import { insideWorkspace } from '../files/insideWorkspace';
import { readRegularFile } from '../files/fileOnDisk';

/** Most files checked below the root. */
const MOST_FILES = 20_000;

/** Time limit; ms. */
const LONGEST_MS = 5_000;

/** Files checked in parallel. */
const AT_ONCE = 64;

/** Larger files are not compared with their committed version; bytes. */
const LARGEST_COMPARED = 10_000_000;

/** Bounds of a search; tests use smaller ones. */
interface Bounds {
  readonly files: number;
  readonly ms: number;
}

/** Makes the search for files of the workspace that changed while a session was idle. */
export function makeChangesSince(
  { folders, listFiles }: Pick<Workspace, 'folders' | 'listFiles'>,
  bounds: Bounds = { files: MOST_FILES, ms: LONGEST_MS },
): ChangesSince {
  return async ({ since, known }, outer) => {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(bounds.ms)]);
    const listed = await listFiles({ path: '.', limit: bounds.files }, signal);
    const committed = listed.ok ? await committedIn(folders, since, signal) : NOTHING_COMMITTED;
    if (!listed.ok) return notKnown(signal, listed.message, bounds);
    const knownFiles = await insideOf(folders, known);
    const paths = new Set([...knownFiles.keys(), ...listed.paths, ...committed.contents.keys()]);
    const place: Place = { folders, since, committed, known: knownFiles };
    const files = await changedAmong(place, [...paths], signal);
    if (files === undefined || signal.aborted) return notKnown(signal, '', bounds);
    return {
      ok: true,
      files: files.toSorted(knownFirst),
      isAll: !listed.more,
      by: committed.isAll ? 'git' : 'times',
    };
  };
}

function notKnown(signal: AbortSignal, message: string, { ms }: Bounds): ChangesResult {
  return refused(
    signal.aborted ? `the search took longer than ${ms / 1_000} seconds` : lowerFirst(message),
  );
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/** What git has of the workspace's folders; `isAll` is false if it is unknown of one of them. */
interface Committed extends CommittedFiles {
  readonly isAll: boolean;
}

const NOTHING_COMMITTED: Committed = { contents: new Map(), skipped: new Set(), isAll: false };

/** The committed files of all folders, by their paths in the workspace. */
async function committedIn(
  folders: WorkspaceFolders,
  since: number,
  signal: AbortSignal,
): Promise<Committed> {
  const found = folders.all.map(async (folder) => {
    const place = { root: folder.root, folders };
    return { folder, committed: await committedAt(place, since, signal) };
  });
  const all = await Promise.all(found);
  const nameIn = (folder: WorkspaceFolder, path: string) =>
    folders.pathOf(join(folder.root, path)) ?? path;
  return {
    contents: new Map(
      all.flatMap(({ folder, committed }) =>
        [...(committed?.contents ?? [])].map(
          ([path, content]) => [nameIn(folder, path), content] as const,
        ),
      ),
    ),
    skipped: new Set(
      all.flatMap(({ folder, committed }) =>
        [...(committed?.skipped ?? [])].map((path) => nameIn(folder, path)),
      ),
    ),
    isAll: all.every(({ committed }) => committed !== undefined),
  };
}

interface Place {
  readonly folders: WorkspaceFolders;
  readonly since: number;
  readonly committed: Committed;
  readonly known: ReadonlyMap<string, KnownFile>;
}

/** The session's known files by path from the root, without those outside the workspace. */
async function insideOf(
  folders: WorkspaceFolders,
  known: readonly KnownFile[],
): Promise<ReadonlyMap<string, KnownFile>> {
  const inside = new Map<string, KnownFile>();
  for (const file of known) {
    const found = await insideWorkspace(folders, file.path);
    if (!found.ok) continue;
    const isEdited = file.isEdited || inside.get(found.path)?.isEdited === true;
    inside.set(found.path, { ...file, isEdited });
  }
  return inside;
}

/** Checks files, a few in parallel; undefined when the signal aborts. */
async function changedAmong(
  place: Place,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly ChangedFile[] | undefined> {
  const found: ChangedFile[] = [];
  for (let from = 0; from < paths.length; from += AT_ONCE) {
    if (signal.aborted) return undefined;
    const batch = paths.slice(from, from + AT_ONCE).map((path) => changeOf(place, path));
    for (const change of await Promise.all(batch)) if (change !== undefined) found.push(change);
  }
  return found;
}

async function changeOf(place: Place, path: string): Promise<ChangedFile | undefined> {
  const { folders, since, committed, known } = place;
  const absolute = folders.absolute(path);
  const isKnown = known.has(path);
  const stats = await stat(absolute).catch(() => undefined);
  if (stats === undefined) {
    const isElsewhere = committed.skipped.has(path);
    const isGone = !isElsewhere && (await wentSince(folders, absolute, since));
    return isGone ? { path, how: 'gone', isKnown } : undefined;
  }
  if (!stats.isFile() || stats.mtimeMs <= since) return undefined;
  // Git rewrote the file, for example by switching to another branch and back. If the agent had
  // changed it, the committed content means that the change was undone.
  const content = known.get(path)?.isEdited === true ? undefined : committed.contents.get(path);
  const isSame = content !== undefined && (await hasContent(absolute, stats.size, content));
  return isSame ? undefined : { path, how: 'written', isKnown };
}

/** Whether a file was deleted after a moment: its folder has changed since. */
async function wentSince(
  folders: WorkspaceFolders,
  absolute: string,
  since: number,
): Promise<boolean> {
  for (
    let folder = dirname(absolute);
    folders.pathOf(folder) !== undefined;
    folder = dirname(folder)
  ) {
    const stats = await stat(folder).catch(() => undefined);
    if (stats !== undefined) return stats.mtimeMs > since;
  }
  return false;
}

/** Compares a file with git's name of a content; Windows line ends do not count. */
async function hasContent(file: string, size: number, name: string): Promise<boolean> {
  if (size > LARGEST_COMPARED) return false;
  const read = async () => readRegularFile(await realpath(file), LARGEST_COMPARED);
  const bytes = await read().catch(() => undefined);
  if (!(bytes instanceof Buffer)) return false;
  if (gitName(bytes, name.length) === name) return true;
  const text = bytes.toString('latin1');
  if (!text.includes('\r\n')) return false;
  return gitName(Buffer.from(text.replaceAll('\r\n', '\n'), 'latin1'), name.length) === name;
}

function gitName(bytes: Buffer, length: number): string {
  const hash = createHash(length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

function knownFirst(one: ChangedFile, other: ChangedFile): number {
  if (one.isKnown !== other.isKnown) return one.isKnown ? -1 : 1;
  return one.path < other.path ? -1 : 1;
}
