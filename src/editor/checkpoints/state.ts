/** What a restore would do to a file. */
export interface FileToRestore {
  readonly path: string;
  /** It gets another content, is created again, or is deleted. */
  readonly how: 'changes' | 'comes' | 'goes';
  /** Something else changed it since the agent did. */
  readonly isChangedSince?: true;
  /** Why it cannot be restored, in words; absent if it can. */
  readonly problem?: string;
}

/** A hunk of a turn's change of a file. */
export interface HunkView {
  /** Its first line in the file as the turn left it, counted from 1. */
  readonly line: number;
  /** Lines that begin with ' ', '+' or '-'; untrusted. */
  readonly lines: readonly string[];
}

/** The hunks of a turn's change of a file, between two versions. */
export interface HunksView {
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly HunkView[];
  /** Why no hunks can be shown, in words. */
  readonly problem?: string;
}

/** A turn's change of a file. */
export interface TurnFileView {
  readonly path: string;
  readonly how: 'made' | 'changed' | 'gone';
  /** Lines; absent if they cannot be counted. */
  readonly added?: number;
  readonly removed?: number;
  /** Whether the user kept or undid the change. */
  readonly answer?: 'kept' | 'undone';
}
