import type { Refusal, Refused, Result } from '../contextWindow/result';

/** How a command ended. */
export interface CommandOutcome {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  /** Standard output and error as they came, interleaved; characters beyond the limit are cut in the middle and marked. */
  readonly output: string;
  readonly ended: 'exited' | 'timedOut' | 'stopped' | 'failedToStart' | 'moved';
  readonly durationMs: number;
  /** For one that was moved to the background: what goes on. */
  readonly goesOn?: StartedCommand;
}

/** How a shell command ended; without an exit code and a signal nothing is known of it. */
export interface CommandExit {
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  /** The signal, as the system names it. */
  readonly signal?: string;
}

/** A shell command that runs, with everything it starts. */
export interface StartedCommand {
  /** Settles when it and all that is found of what it started has ended. */
  readonly ended: Promise<CommandExit>;
  /** Passes on what it writes from now on, to this listener alone. */
  listen(onOutput: (text: string) => void): void;
  /** Types into its standard input; says why that cannot be done, as a part of a sentence. */
  write(text: string): Promise<Refusal>;
  /** Ends its whole process tree; settles when that is done. */
  stop(): Promise<void>;
}

/** What a language server says of a place in a file. */
export interface FileProblem {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** Who says so: "ts 2304". */
  readonly source?: string;
}

/** The errors and warnings of language servers. */
export interface Problems {
  /** Those of a file or folder, `.` for all of the workspace. */
  in(path: string): readonly FileProblem[];
  /** Waits while servers may still tell of the last change that was watched, no longer than two seconds. */
  settled(signal: AbortSignal): Promise<void>;
  /**
   * Remembers what is said of a file, which is about to change. The function it gives waits until
   * that is said anew, no longer than two seconds, and gives what is new.
   */
  watch(path: string): (signal: AbortSignal) => Promise<readonly FileProblem[]>;
}

/** The text of a file, or why there is none; `isMissing`: there is no such file. */
export type ReadText =
  | { readonly ok: true; readonly text: string; readonly unsaved?: true }
  | (Refused & { readonly isMissing?: true });

/** The project the agent works on. Paths are relative to the root, with forward slashes. */
export interface Workspace {
  /** Absolute path; the process's working directory for commands. */
  readonly root: string;
  /** Reads a text file as the user sees it: unsaved changes of an open editor included. */
  readFile(path: string): Promise<ReadText>;
  /** Replaces the whole text of an existing file, or makes a new one; undoable in the editor. */
  writeFile(path: string, text: string, mode: 'replace' | 'create'): Promise<Result<unknown>>;
  /** Gives an existing file another path, where nothing is yet; undoable in the editor. */
  moveFile(path: string, to: string): Promise<Result<unknown>>;
  /** Removes a file: into the trash where there is one (`isKept`), else for good. */
  deleteFile(path: string): Promise<Result<{ readonly isKept: boolean }>>;
  /** Absent where no editor is. */
  readonly problems?: Problems;
  /** Lists files below a folder, ignored ones left out, sorted; at most `limit`. */
  listFiles(
    query: { readonly path: string; readonly glob?: string; readonly limit: number },
    signal: AbortSignal,
  ): Promise<Result<{ readonly paths: readonly string[]; readonly more: boolean }>>;
  /** Searches file contents with a ripgrep pattern; lines as `path:line:text`, at most `limit`. */
  searchText(
    query: {
      readonly pattern: string;
      readonly path: string;
      readonly glob?: string;
      readonly limit: number;
    },
    signal: AbortSignal,
  ): Promise<Result<{ readonly lines: readonly string[]; readonly more: boolean }>>;
  /** Runs a shell command; on abort or timeout (ms) its whole process tree is killed. */
  runCommand(
    command: string,
    options: {
      readonly timeoutMs: number;
      readonly signal: AbortSignal;
      readonly onOutput: (text: string) => void;
      /** Variables of its environment, besides those that every command has. */
      readonly variables?: Readonly<Record<string, string>>;
      /** Runs it in the sandbox that `sandbox` told of. */
      readonly inSandbox?: boolean;
      /** Once this aborts, the command is waited for no longer: it is `moved`, and goes on. */
      readonly moveOn?: AbortSignal;
    },
  ): Promise<CommandOutcome>;
  /** Starts a shell command that goes on, whoever waits; absent where none can. */
  startCommand?(
    command: string,
    options: { readonly inSandbox?: boolean },
  ): Promise<Result<{ readonly started: StartedCommand }>>;
  /** What commands may do in the sandbox of the system, as a sentence; undefined where it has none. */
  sandbox?(): Promise<string | undefined>;
}
