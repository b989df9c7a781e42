import { diffLines } from 'diff';
import type { ContentName, FileChange } from '../contextWindow/fileChanges';
import type { PreparedCall } from './tool';

/** What a call did to files; `isAll` is false where too many files are there to look at all of them. */
export interface FoundChanges {
  readonly files: readonly FileChange[];
  readonly isAll: boolean;
}

/** Keeps how files were before calls changed them, so that they can be put back. */
export interface Checkpoints {
  /**
   * Keeps the files that a call may change. The function it gives says what the call did to them, and
   * keeps that as well; undefined for a call that changes none. It throws what the file system says.
   */
  before(
    call: Pick<PreparedCall, 'approval'>,
    signal: AbortSignal,
  ): Promise<((signal: AbortSignal) => Promise<FoundChanges>) | undefined>;
  /** Counts lines between two contents; undefined where one of them is no text or not kept. */
  count(before: ContentName, after: ContentName): Promise<LineCounts | undefined>;
  /** Names the content that a file has now; nothing is kept. */
  now(path: string): Promise<ContentName>;
  /** Keeps the content that a file has now, and names it. */
  keep(path: string): Promise<ContentName>;
  /** Keeps a text, and names it. */
  keepText(text: string): Promise<ContentName>;
  /** Gives a content as text, '' for no file; undefined where it is not kept any more, or is no text. */
  text(name: ContentName): Promise<string | undefined>;
  /** Gives a content; undefined where it is not kept any more. */
  content(name: ContentName): Promise<Uint8Array | undefined>;
}

/** How many lines one text has that another has not, and the other way round. */
export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Longest that lines are compared, ms. */
const LONGEST_MS = 500;

/** Counts the lines between two texts; undefined over the time limit, rather than guessed. */
export function lineCounts(before: string, after: string): LineCounts | undefined {
  const changes = diffLines(before, after, { timeout: LONGEST_MS });
  if (changes === undefined) return undefined;
  const count = (kind: keyof LineCounts) =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0);
  return { added: count('added'), removed: count('removed') };
}
