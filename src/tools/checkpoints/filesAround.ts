import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  NO_FILE,
  UNKNOWN_CONTENT,
  type ContentName,
  type FileChange,
} from '../../contextWindow/fileChanges';
import type { FoundChanges } from '../../agent/checkpoints';
import { storedContent, trackedFiles, type TrackedFile } from '../git';
import { isIgnored } from '../ignoreRules';
import { pathIn, projectFolders, type WalkBounds } from '../projectFolders';
import type { ContentStore } from './contentStore';

/** Most files that are looked at around a command, and the longest time for it; ms. */
const BOUNDS: WalkBounds = { entries: 40_000, ms: 2_000 };

/** Of files that git has not, as many are kept before a command: files, and bytes of them together. */
const MOST_KEPT = 4_000;
const MOST_KEPT_BYTES = 100_000_000;

/** Longest that git is asked for contents behind a command; ms. */
const LONGEST_READING_MS = 5_000;

/** Files looked at at the same time. */
const AT_ONCE = 64;

/** What changes with every write of a file; times in ms since the epoch. */
interface Stamp {
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** All of that, and which file it is. */
  readonly stamp: string;
}

/** How the files of the workspace are at a moment. */
export interface Looked {
  readonly files: ReadonlyMap<string, Stamp>;
  /** What git has of them, unchanged. */
  readonly tracked: ReadonlyMap<string, TrackedFile>;
  /** The names of the contents that were kept. */
  readonly kept: ReadonlyMap<string, ContentName>;
  readonly isAll: boolean;
}

/**
 * Finds out what a command did to the files of a folder: a look before, a look behind. What git has of a
 * file that is as it was committed or staged need not be kept before; git is only read.
 */
export class FilesAround {
  /** The content of each file as it was kept last, and the stamp it had then. */
  readonly #known = new Map<string, { readonly stamp: string; readonly name: ContentName }>();

  constructor(
    private readonly root: string,
    private readonly keep: (path: string) => Promise<ContentName>,
    private readonly store: ContentStore,
  ) {}

  async look(signal: AbortSignal): Promise<Looked> {
    const { files, isAll } = await this.#walk(BOUNDS);
    const tracked = new Map<string, TrackedFile>();
    for (const [path, file] of await trackedFiles(this.root, signal)) {
      // What git last saw is what lies there.
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
    // Who stops a command does not wait for a long look.
    const after = await this.#walk(signal.aborted ? { ...BOUNDS, ms: 300 } : BOUNDS);
    const reading = AbortSignal.timeout(LONGEST_READING_MS);
    const isAll = before.isAll && after.isAll;
    const files: FileChange[] = [];
    for (const [path, { stamp }] of after.files) {
      const was = before.files.get(path);
      // It may only have been beyond the bounds.
      if (was?.stamp === stamp || (was === undefined && !before.isAll)) continue;
      files.push({
        path,
        before: was === undefined ? NO_FILE : await this.#before(before, path, reading),
        after: await this.#keep(path, stamp),
      });
    }
    for (const path of before.files.keys()) {
      if (!after.isAll || after.files.has(path)) continue;
      // A rule may leave it out by now.
      const isThere = (await lstat(join(this.root, path)).catch(() => undefined)) !== undefined;
      if (isThere) continue;
      files.push({ path, before: await this.#before(before, path, reading), after: NO_FILE });
    }
    const changed = files.filter((file) => file.before !== file.after);
    return { files: changed.toSorted((a, b) => (a.path < b.path ? -1 : 1)), isAll };
  }

  async #keep(path: string, stamp: string): Promise<ContentName> {
    const name = await this.keep(path);
    this.#known.set(path, { stamp, name });
    return name;
  }

  /** The content that a file had at the look before. */
  async #before(
    { files, tracked, kept }: Looked,
    path: string,
    signal: AbortSignal,
  ): Promise<ContentName> {
    const known = kept.get(path);
    if (known !== undefined) return known;
    const file = tracked.get(path);
    const content = file && (await storedContent(this.root, file.blob, signal));
    const bytes = files.get(path)?.bytes;
    if (content === undefined) return UNKNOWN_CONTENT;
    // Where git makes something else of it on the way to the folder, it is not what lay there.
    const asWritten = [content, withWindowsLines(content)].find(({ length }) => length === bytes);
    return asWritten === undefined ? UNKNOWN_CONTENT : this.store.keep(asWritten);
  }

  async #walk(bounds: WalkBounds): Promise<Pick<Looked, 'files' | 'isAll'>> {
    const paths: string[] = [];
    let isAll = true;
    for await (const folder of projectFolders(this.root, () => false, bounds)) {
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
    const stats = await lstat(join(this.root, path)).catch(() => undefined);
    if (stats?.isFile() !== true) return undefined;
    const { ino, size: bytes, mtimeMs, ctimeMs } = stats;
    return { bytes, mtimeMs, ctimeMs, stamp: `${ino} ${bytes} ${mtimeMs} ${ctimeMs}` };
  }
}

/** Says whether a file is as git last saw it, told as git itself tells it. */
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
