import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChangedFile, ChangesResult, ChangesSince } from '../../agent/returning';
import type { Workspace } from '../../agent/workspace';
import type { KnownFile } from '../../contextWindow/idle';
import { refused } from '../../contextWindow/result';
import { committedAt, type CommittedFiles } from '../processes/git';
import { insideWorkspace } from '../files/insideWorkspace';
import { readRegularFile } from '../files/fileOnDisk';

/** Most files below the root that are looked at. */
const MOST_FILES = 20_000;

/** Longest that is looked; ms. */
const LONGEST_MS = 5_000;

/** Files looked at at the same time. */
const AT_ONCE = 64;

/** A file is compared with what was committed up to this size; bytes. */
const LARGEST_COMPARED = 10_000_000;

/** Bounds of a search, which tests narrow. */
interface Bounds {
  readonly files: number;
  readonly ms: number;
}

/** Makes the search for what changed in a folder while nobody worked in it. */
export function makeChangesSince(
  { root, listFiles }: Pick<Workspace, 'root' | 'listFiles'>,
  bounds: Bounds = { files: MOST_FILES, ms: LONGEST_MS },
): ChangesSince {
  return async ({ since, known }, outer) => {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(bounds.ms)]);
    const listed = await listFiles({ path: '.', limit: bounds.files }, signal);
    const committed = listed.ok ? await committedAt(root, since, signal) : undefined;
    if (!listed.ok) return notKnown(signal, listed.message, bounds);
    const knownFiles = await insideOf(root, known);
    const paths = new Set([
      ...knownFiles.keys(),
      ...listed.paths,
      ...(committed?.contents.keys() ?? []),
    ]);
    const place: Place = { root, since, committed, known: knownFiles };
    const files = await changedAmong(place, [...paths], signal);
    if (files === undefined || signal.aborted) return notKnown(signal, '', bounds);
    return {
      ok: true,
      files: files.toSorted(knownFirst),
      isAll: !listed.more,
      by: committed === undefined ? 'times' : 'git',
    };
  };
}

function notKnown(signal: AbortSignal, message: string, { ms }: Bounds): ChangesResult {
  return refused(
    signal.aborted ? `looking took longer than ${ms / 1_000} seconds` : lowerFirst(message),
  );
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

interface Place {
  readonly root: string;
  readonly since: number;
  readonly committed: CommittedFiles | undefined;
  readonly known: ReadonlyMap<string, KnownFile>;
}

/** The files a session knew by their paths from the root; those outside the workspace are left out. */
async function insideOf(
  root: string,
  known: readonly KnownFile[],
): Promise<ReadonlyMap<string, KnownFile>> {
  const inside = new Map<string, KnownFile>();
  for (const file of known) {
    const found = await insideWorkspace(root, file.path);
    if (!found.ok) continue;
    const isEdited = file.isEdited || inside.get(found.path)?.isEdited === true;
    inside.set(found.path, { ...file, isEdited });
  }
  return inside;
}

/** Looks at files, some at a time; undefined when the signal aborts. */
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
  const { root, since, committed, known } = place;
  const isKnown = known.has(path);
  const stats = await stat(join(root, path)).catch(() => undefined);
  if (stats === undefined) {
    const isElsewhere = committed?.skipped.has(path) === true;
    const isGone = !isElsewhere && (await wentSince(root, path, since));
    return isGone ? { path, how: 'gone', isKnown } : undefined;
  }
  if (!stats.isFile() || stats.mtimeMs <= since) return undefined;
  // Git wrote it again, for example on the way to another branch and back. What the agent itself
  // changed was not as committed then: the same content means that the change was taken back.
  const content = known.get(path)?.isEdited === true ? undefined : committed?.contents.get(path);
  const isSame = content !== undefined && (await hasContent(join(root, path), stats.size, content));
  return isSame ? undefined : { path, how: 'written', isKnown };
}

/** Says whether a file went after a moment: the folder it was in has changed since. */
async function wentSince(root: string, path: string, since: number): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stats = await stat(join(root, folder)).catch(() => undefined);
    if (stats !== undefined) return stats.mtimeMs > since;
    if (folder === '.') return false;
  }
}

/** Compares a file with a content by the name that git gives it; line ends of Windows do not count. */
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
