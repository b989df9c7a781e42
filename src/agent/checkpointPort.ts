import { diffLines } from 'diff';
import type { ContentName, FileChange } from '../contextWindow/fileChanges';
import type { PreparedCall } from './tool';

/** The file changes of a call; `isAll` is false when there are too many files to check. */
export interface FoundChanges {
  readonly files: readonly FileChange[];
  readonly isAll: boolean;
}

/** Saves versions of files around calls, so that they can be restored. */
export interface Checkpoints {
  /**
   * Saves the files that a call may change; undefined for a call that changes none. The returned
   * function reports the changes after the call and saves the new versions. Throws file system
   * errors.
   */
  before(
    call: Pick<PreparedCall, 'approval'>,
    signal: AbortSignal,
  ): Promise<((signal: AbortSignal) => Promise<FoundChanges>) | undefined>;
  /** Counts the changed lines between two versions; undefined when one is not text or not saved. */
  count(before: ContentName, after: ContentName): Promise<LineCounts | undefined>;
  /** Names the current version of a file without saving it. */
  now(path: string): Promise<ContentName>;
  /** Saves the current version of a file and names it. */
  keep(path: string): Promise<ContentName>;
  /** Saves a text in the encoding of another version, and names it. */
  keepText(text: string, like: ContentName): Promise<ContentName>;
  /** The text of a version, '' for no file; undefined when it is not saved or not text. */
  text(name: ContentName): Promise<string | undefined>;
  /** The bytes of a version; undefined when it is not saved. */
  content(name: ContentName): Promise<Uint8Array | undefined>;
}

/** The lines added and removed between two texts. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Time limit of a comparison; ms. */
const LONGEST_MS = 500;

/** Counts the changed lines between two texts; undefined over the time limit. */
export function lineCounts(before: string, after: string): LineCounts | undefined {
  return lineChanges(before, after, 0)?.counts;
}

interface LineChanges {
  readonly counts: LineCounts;
  /** The first changed lines, each with '+' or '-' in front. */
  readonly first: readonly string[];
}

/** Compares two texts by lines; undefined over the time limit. `most` limits the changed lines returned. */
export function lineChanges(before: string, after: string, most: number): LineChanges | undefined {
  const changes = diffLines(before, after, { timeout: LONGEST_MS });
  if (changes === undefined) return undefined;
  const count = (kind: keyof LineCounts) =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  const first: string[] = [];
  for (const { added, removed, value } of changes) {
    if (first.length >= most) break;
    if (!added && !removed) continue;
    const lines = value.replace(/\n$/, '').split('\n', most - first.length);
    first.push(...lines.map((line) => `${added ? '+' : '-'}${line}`));
  }
  return { counts: { added: count('added'), removed: count('removed') }, first };
}
