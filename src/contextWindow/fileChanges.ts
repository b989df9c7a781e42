/**
 * Names the content of a file: its SHA-256 in hex, `none` where there is no file, `unknown` where it
 * was too large to be kept, or could not be read.
 */
export type ContentName = string;

export const NO_FILE: ContentName = 'none';
export const UNKNOWN_CONTENT: ContentName = 'unknown';

/** How a file was before and after something happened. Paths are relative to the workspace. */
export interface FileChange {
  readonly path: string;
  readonly before: ContentName;
  readonly after: ContentName;
}

export const FILE_ANSWERS = ['kept', 'undone'] as const;

/** What a turn made of a file, and what the user said of it since. */
export interface TurnFile extends FileChange {
  /** Lines; absent where they cannot be counted. */
  readonly added?: number;
  readonly removed?: number;
  /** The user keeps what the turn made of it, or undid it. */
  readonly answer?: (typeof FILE_ANSWERS)[number];
}

/** Several changes of files as one of each: how it was first, and how it was last. */
export function joinedChanges(changes: readonly FileChange[]): readonly FileChange[] {
  const joined = new Map<string, FileChange>();
  for (const { path, before, after } of changes) {
    joined.set(path, { path, before: joined.get(path)?.before ?? before, after });
  }
  return [...joined.values()].filter(({ before, after }) => before !== after);
}
