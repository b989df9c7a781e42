import type { PersistentMap } from './persistentMap';

/** What the user says of a file or of some of its lines; `auto` takes that back. */
export const FILE_CHOICES = ['always', 'never', 'auto'] as const;
export type FileChoice = (typeof FILE_CHOICES)[number];

/** Lines of a file, counted from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** Lines that the user has chosen to be shown, or not. */
export interface ChosenLines extends Lines {
  readonly choice: Exclude<FileChoice, 'auto'>;
}

/** What the user says of one file: of the whole of it, and of lines, which goes before. */
export interface ChosenFile {
  readonly whole?: Exclude<FileChoice, 'auto'>;
  /** Oldest first: where two say something of a line, the newer one holds. */
  readonly lines: readonly ChosenLines[];
}

/** What the user says of files, by path. */
export type FileChoices = PersistentMap<string, ChosenFile>;

/** One choice of the user. */
export interface Choosing {
  readonly path: string;
  /** Absent for the whole file. */
  readonly lines?: Lines;
  readonly choice: FileChoice;
}

/** The user has chosen; `undoes`: it takes their last choice of the same lines back. */
export interface FileChosen extends Choosing {
  readonly type: 'fileChosen';
  readonly undoes?: true;
}
