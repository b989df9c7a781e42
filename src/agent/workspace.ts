import type { Refusal, Refused, Result } from '../contextWindow/result';
import type { Problems } from './fileProblems';
import type { WorkspaceFolders } from './workspaceFolders';

export interface CommandOutcome {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  /** Standard output and error, interleaved; the middle of a long output is cut and marked. */
  readonly output: string;
  readonly ended: 'exited' | 'timedOut' | 'stopped' | 'failedToStart' | 'moved';
  readonly durationMs: number;
  /** The running command, when it was moved to the background. */
  readonly running?: StartedCommand;
}

/** How a shell command ended; unknown without an exit code and a signal. */
export interface CommandExit {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** The system's name of the signal. */
  readonly signal?: string;
}

/** A running shell command, with everything it started. */
export interface StartedCommand {
  /** Settles when it and every process found below it have ended. */
  readonly ended: Promise<CommandExit>;
  /** Passes its output to this listener alone from now on. */
  listen(onOutput: (text: string) => void): void;
  /** Types into its standard input; returns why it could not, as part of a sentence. */
  write(text: string): Promise<Refusal>;
  /** Ends its whole process tree; settles when that is done. */
  stop(): Promise<void>;
}

/** The text of a file, or why it could not be read; `isMissing` when it does not exist. */
export type ReadText =
  | {
      readonly ok: true;
      readonly text: string;
      readonly unsaved?: true;
      /** How the file is encoded; absent for UTF-8. */
      readonly encoding?: string;
    }
  | (Refused & { readonly isMissing?: true });

/** What a search of file contents found. */
export interface FoundText {
  readonly lines: readonly string[];
  readonly more: boolean;
  /** The file that was searched when time ran out. */
  readonly lateAt?: string;
}

/** The project the agent works on. Paths are those of its `folders`, with forward slashes. */
export interface Workspace {
  readonly folders: WorkspaceFolders;
  /** Reads a text file as the user sees it, unsaved editor changes included. */
  readFile(path: string): Promise<ReadText>;
  /** Replaces the whole text of a file or creates one; the editor can undo it. */
  writeFile(path: string, text: string, mode: 'replace' | 'create'): Promise<Result<unknown>>;
  /** Moves a file to a path where nothing exists; the editor can undo it. */
  moveFile(path: string, to: string): Promise<Result<unknown>>;
  /** Deletes a file: to the trash if there is one (`isKept`), otherwise permanently. */
  deleteFile(path: string): Promise<Result<{ readonly isKept: boolean }>>;
  /** Absent without an editor. */
  readonly problems?: Problems;
  /** Lists at most `limit` files below a folder, sorted in each folder, without ignored ones. */
  listFiles(
    query: { readonly path: string; readonly glob?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<Result<{ readonly paths: readonly string[]; readonly more: boolean }>>;
  /** Paths of the `.env` files, as far as the workspace can be walked in a second. */
  envFiles?(): Promise<readonly string[]>;
  /** Searches file contents with a ripgrep pattern; at most `limit` lines as `path:line:text`. */
  searchText(
    query: {
      readonly pattern: string;
      readonly path: string;
      readonly glob?: string;
      readonly limit: number;
    },
    signal: AbortSignal,
  ): Promise<Result<FoundText>>;
  /** Runs a shell command; an abort or the timeout (ms) kills its whole process tree. */
  runCommand(
    command: string,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onOutput: (text: string) => void;
      /** Environment variables in addition to the usual ones. */
      readonly variables?: Readonly<Record<string, string>>;
      /** Runs it in the sandbox that `sandbox` describes. */
      readonly inSandbox?: boolean;
      /** When this aborts, the command is `moved` to the background and keeps running. */
      readonly moveOn?: AbortSignal;
      /** The folder it runs in, absolute; absent for the first one. */
      readonly cwd?: string;
    },
  ): Promise<CommandOutcome>;
  /** Starts a shell command that keeps running; absent when that is impossible. */
  startCommand?(
    command: string,
    options: { readonly inSandbox?: boolean; readonly cwd?: string },
  ): Promise<Result<{ readonly started: StartedCommand }>>;
  /** What the system's sandbox allows commands, as a sentence; undefined without a sandbox. */
  sandbox?(): Promise<string | undefined>;
}
