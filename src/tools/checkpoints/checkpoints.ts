import {
  type Checkpoints,
  type FoundChanges,
  lineCounts,
  type LineCounts,
} from '../../agent/checkpointPort';
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';

import type { ApprovalRequest } from '../../agent/tool';
import {
  pathFrom,
  type FolderPlace,
  type WorkspaceFolder,
  type WorkspaceFolders,
} from '../../agent/workspaceFolders';
import {
  type ContentName,
  type FileChange,
  NO_FILE,
  UNKNOWN_CONTENT,
} from '../../contextWindow/fileChanges';
import { decoded, encoded } from '../files/encoding';
import { readRegularFile } from '../files/fileOnDisk';
import { followed } from '../files/insideWorkspace';
import { storedContent, type TrackedFile, trackedFiles } from '../processes/git';
import { isIgnored, pathIn, projectFolders, type WalkBounds } from '../search/ignoreRules';
import { type ContentStore, nameOf } from './contentStore';

/** Larger files are not saved; bytes. */
const LARGEST_KEPT = 5_000_000;

/** Saves versions of a workspace's files in a content store. */
export function makeCheckpoints(folders: WorkspaceFolders, store: ContentStore): Checkpoints {
  const keep = (path: string) => keepFile(folders.absolute(path), store);
  const arounds = folders.all.map((folder) => new FilesAround({ ...folder, folders }, store));
  const keepAll = async (paths: readonly string[]) => {
    const kept = new Map<string, ContentName>();
    for (const path of paths) kept.set(path, await keep(path));
    return kept;
  };
  return {
    async before({ approval }, signal) {
      // The effects of a third-party tool are as unknown as those of a command.
      if (approval !== undefined && ['command', 'input', 'tool'].includes(approval.kind)) {
        const real = folders.areNamed ? await followed(folders) : folders;
        const looked = arounds.map(async (around, index) => {
          const before = await around.look(signal);
          return async (after: AbortSignal) =>
            inWorkspace(
              real,
              real.all[index] ?? real.first,
              await around.changesSince(before, after),
            );
        });
        const looks = await Promise.all(looked);
        return async (after) => together(await Promise.all(looks.map((changes) => changes(after))));
      }
      const paths = pathsOf(approval);
      if (paths.length === 0) return undefined;
      const before = await keepAll(paths);
      // The edit also saves the user's unsaved changes, so that is the version before it.
      if (approval?.kind === 'edit' && approval.unsaved === true) {
        const onDisk = before.get(approval.path) ?? NO_FILE;
        before.set(approval.path, await keepText(store, approval.before ?? '', onDisk));
      }
      return async (): Promise<FoundChanges> => {
        const after = await keepAll(paths);
        const files = paths.flatMap((path): readonly FileChange[] => {
          const [was, is] = [before.get(path) ?? NO_FILE, after.get(path) ?? NO_FILE];
          return was === is && was !== UNKNOWN_CONTENT ? [] : [{ path, before: was, after: is }];
        });
        return { files, isAll: true };
      };
    },
    count: (before, after) => countLines(store, before, after),
    now: (path) => contentNow(folders.absolute(path)),
    keep,
    keepText: (text, like) => keepText(store, text, like),
    text: (name) => textOf(store, name),
    content: (name) => store.read(name),
  };
}

/** The workspace files that a call names; a profile is outside. */
function pathsOf(approval: ApprovalRequest | undefined): readonly string[] {
  switch (approval?.kind) {
    case 'edit':
      return approval.profile === undefined ? [approval.path] : [];
    case 'move':
      return [approval.path, approval.to];
    case 'delete':
      return [approval.path];
    default:
      return [];
  }
}

/**
 * Names a folder's changed files in the workspace; those of a folder inside it are that one's own.
 * The folders have their links followed: one may be open twice.
 */
function inWorkspace(
  folders: WorkspaceFolders,
  folder: WorkspaceFolder,
  { files, isAll }: FoundChanges,
): FoundChanges {
  const own = files.filter(
    ({ path }) => folders.placeOf(join(folder.root, path))?.folder === folder,
  );
  return { files: own.map((file) => ({ ...file, path: pathFrom(folder, file.path) })), isAll };
}

function together(found: readonly FoundChanges[]): FoundChanges {
  return {
    files: found.flatMap(({ files }) => files),
    isAll: found.every(({ isAll }) => isAll),
  };
}

/** Saves a file as it is on disk and names its content; `file` is an absolute path. */
async function keepFile(file: string, store: ContentStore): Promise<ContentName> {
  const read = await readFileAt(file);
  return typeof read === 'string' ? read : store.keep(read);
}

/** Names a file's current content without saving it. */
async function contentNow(file: string): Promise<ContentName> {
  const read = await readFileAt(file);
  return typeof read === 'string' ? read : nameOf(read);
}

async function readFileAt(file: string): Promise<Buffer | ContentName> {
  if ((await lstat(file).catch(() => undefined)) === undefined) return NO_FILE;
  const read = async () => readRegularFile(await realpath(file), LARGEST_KEPT);
  const content = await read().catch(() => undefined);
  return content instanceof Buffer ? content : UNKNOWN_CONTENT;
}

/** A saved content as text, '' for no file; undefined when it is not saved or not text. */
async function textOf(store: ContentStore, name: ContentName): Promise<string | undefined> {
  if (name === NO_FILE) return '';
  const content = await store.read(name);
  return content === undefined ? undefined : decoded(Buffer.from(content))?.text;
}

/** Saves a text in the encoding of another version. */
async function keepText(
  store: ContentStore,
  text: string,
  like: ContentName,
): Promise<ContentName> {
  const other = like === NO_FILE ? undefined : await store.read(like);
  const { encoding = 'utf8' } = (other && decoded(Buffer.from(other))) ?? {};
  return store.keep(encoded(text, encoding) ?? Buffer.from(text, 'utf8'));
}

async function countLines(
  store: ContentStore,
  before: ContentName,
  after: ContentName,
): Promise<LineCounts | undefined> {
  const [one, other] = [await textOf(store, before), await textOf(store, after)];
  return one === undefined || other === undefined ? undefined : lineCounts(one, other);
}

/** Most files checked around a command, and its time limit; ms. */
const BOUNDS: WalkBounds = { entries: 40_000, ms: 2_000 };

/** Limits for saving files that git does not have, before a command: files and total bytes. */
const MOST_KEPT = 4_000;
const MOST_KEPT_BYTES = 100_000_000;

/** Time limit for reading contents from git after a command; ms. */
const LONGEST_READING_MS = 5_000;

/** Files checked in parallel. */
const AT_ONCE = 64;

/** Data that changes with every write of a file; times in ms since the epoch. */
interface Stamp {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** The same, and the file's identity. */
  readonly stamp: string;
}

/** The state of the workspace's files at a moment. */
interface Looked {
  readonly files: ReadonlyMap<string, Stamp>;
  /** Files that git has unchanged. */
  readonly tracked: ReadonlyMap<string, TrackedFile>;
  /** Names of the saved contents. */
  readonly kept: ReadonlyMap<string, ContentName>;
  readonly isAll: boolean;
}

/**
 * Finds a command's changes to the files of a folder by comparing before and after. Files that
 * match git's commit or index need not be saved before; git is only read.
 */
class FilesAround {
  /** The last saved content of each file, and its stamp then. */
  readonly #known = new Map<string, { readonly stamp: string; readonly name: ContentName }>();

  constructor(
    private readonly place: FolderPlace,
    private readonly store: ContentStore,
  ) {}

  async look(signal: AbortSignal): Promise<Looked> {
    const { files, isAll } = await this.#walk(BOUNDS);
    const tracked = new Map<string, TrackedFile>();
    for (const [path, file] of await trackedFiles(this.place, signal)) {
      // The file is as git last saw it.
      const now = files.get(path);
      if (now !== undefined && isAsTracked(now, file)) tracked.set(path, file);
    }
    const kept = new Map<string, ContentName>();
    let [left, bytesLeft] = [MOST_KEPT, MOST_KEPT_BYTES];
    for (const [path, { stamp, bytes }] of files) {
      if (signal.aborted) break;
      if (tracked.has(path)) continue;
      const known = this.#known.get(path);
      if (known?.stamp === stamp) {
        kept.set(path, known.name);
        continue;
      }
      left -= 1;
      bytesLeft -= bytes;
      if (left < 0 || bytesLeft < 0) break;
      kept.set(path, await this.#keep(path, stamp));
    }
    return { files, tracked, kept, isAll };
  }

  async changesSince(before: Looked, signal: AbortSignal): Promise<FoundChanges> {
    // A user who stops a command does not want to wait for a long check.
    const after = await this.#walk(signal.aborted ? { ...BOUNDS, ms: 300 } : BOUNDS);
    const reading = AbortSignal.timeout(LONGEST_READING_MS);
    const isAll = before.isAll && after.isAll;
    const files: FileChange[] = [];
    for (const [path, { stamp }] of after.files) {
      const was = before.files.get(path);
      // It may only have been outside the bounds.
      if (was?.stamp === stamp || (was === undefined && !before.isAll)) continue;
      files.push({
        path,
        before: was === undefined ? NO_FILE : await this.#before(before, path, reading),
        after: await this.#keep(path, stamp),
      });
    }
    for (const path of before.files.keys()) {
      if (!after.isAll || after.files.has(path)) continue;
      // It may be ignored by now.
      const isThere =
        (await lstat(join(this.place.root, path)).catch(() => undefined)) !== undefined;
      if (isThere) continue;
      files.push({ path, before: await this.#before(before, path, reading), after: NO_FILE });
    }
    const changed = files.filter((file) => file.before !== file.after);
    return { files: changed.toSorted((a, b) => (a.path < b.path ? -1 : 1)), isAll };
  }

  async #keep(path: string, stamp: string): Promise<ContentName> {
    const name = await keepFile(join(this.place.root, path), this.store);
    this.#known.set(path, { stamp, name });
    return name;
  }

  /** The content of a file at the earlier check. */
  async #before(
    { files, tracked, kept }: Looked,
    path: string,
    signal: AbortSignal,
  ): Promise<ContentName> {
    const known = kept.get(path);
    if (known !== undefined) return known;
    const file = tracked.get(path);
    const content = file && (await storedContent(this.place, file.blob, signal));
    const bytes = files.get(path)?.bytes;
    if (content === undefined) return UNKNOWN_CONTENT;
    // If git converts the file on checkout, its content is not what was on disk.
    const asWritten = [content, withWindowsLines(content)].find(({ length }) => length === bytes);
    return asWritten === undefined ? UNKNOWN_CONTENT : this.store.keep(asWritten);
  }

  async #walk(bounds: WalkBounds): Promise<Pick<Looked, 'files' | 'isAll'>> {
    const paths: string[] = [];
    let isAll = true;
    for await (const folder of projectFolders(this.place.root, () => false, bounds)) {
      if (folder === 'cut') {
        isAll = false;
        break;
      }
      for (const entry of folder.entries) {
        const path = pathIn(folder.path, entry.name);
        if (entry.isFile() && !isIgnored(folder.rules, path, false)) paths.push(path);
      }
    }
    const files = new Map<string, Stamp>();
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const batch = paths.slice(from, from + AT_ONCE);
      const looked = async (path: string) => [path, await this.#stampOf(path)] as const;
      for (const [path, stamp] of await Promise.all(batch.map(looked))) {
        if (stamp !== undefined) files.set(path, stamp);
      }
    }
    return { files, isAll };
  }

  async #stampOf(path: string): Promise<Stamp | undefined> {
    const stats = await lstat(join(this.place.root, path)).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    const { ino, size: bytes, mtimeMs, ctimeMs } = stats;
    return { bytes, mtimeMs, ctimeMs, stamp: `${ino} ${bytes} ${mtimeMs} ${ctimeMs}` };
  }
}

/** Whether a file is as git last saw it, by git's own comparison. */
function isAsTracked({ bytes, mtimeMs, ctimeMs }: Stamp, file: TrackedFile): boolean {
  return (
    bytes === file.bytes &&
    Math.floor(mtimeMs) === file.mtimeMs &&
    Math.floor(ctimeMs) === file.ctimeMs
  );
}

function withWindowsLines(content: Buffer): Buffer {
  return Buffer.from(content.toString('latin1').replace(/(?<!\r)\n/g, '\r\n'), 'latin1');
}
