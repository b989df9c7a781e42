/** What going back would do to a file. */
export interface FileToRestore {
  readonly path: string;
  /** It gets another content, is made again, or goes. */
  readonly how: 'changes' | 'comes' | 'goes';
  /** Somebody else changed it since the agent did. */
  readonly isChangedSince?: true;
  /** Why it cannot be put back, in words; absent where it can. */
  readonly problem?: string;
}

/** A part of what a turn changed in a file. */
export interface HunkView {
  /** The first line of it in the file as the turn left it, counted from 1. */
  readonly line: number;
  /** Lines as they were and are, each with ' ', '+' or '-' before it; untrusted. */
  readonly lines: readonly string[];
}

/** The parts of what a turn changed in a file, between two contents. */
export interface HunksView {
  readonly before: string;
  readonly after: string;
  readonly hunks: readonly HunkView[];
  /** Why there are none to be shown, in words. */
  readonly problem?: string;
}

/** What a turn made of a file. */
export interface TurnFileView {
  readonly path: string;
  readonly how: 'made' | 'changed' | 'gone';
  /** Lines; absent where they cannot be counted. */
  readonly added?: number;
  readonly removed?: number;
  /** The user keeps what the turn made of it, or undid it. */
  readonly answer?: 'kept' | 'undone';
}
