import type { Result } from '../contextWindow/result';

/** How a command ended. */
export interface CommandOutcome {
  /** Null when it was killed. */
  readonly exitCode: number | null;
  /** Standard output and error as they came, interleaved; characters beyond the limit are cut in the middle and marked. */
  readonly output: string;
  readonly ended: 'exited' | 'timedOut' | 'stopped' | 'failedToStart';
  readonly durationMs: number;
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
  /**
   * Remembers what is said of a file, which is about to change. The function it gives waits until
   * that is said anew, no longer than two seconds, and gives what is new.
   */
  watch(path: string): (signal: AbortSignal) => Promise<readonly FileProblem[]>;
}

/** The project the agent works on. Paths are relative to the root, with forward slashes. */
export interface Workspace {
  /** Absolute path; the process's working directory for commands. */
  readonly root: string;
  /** Reads a text file as the user sees it: unsaved changes of an open editor included. */
  readFile(path: string): Promise<Result<{ readonly text: string; readonly unsaved?: true }>>;
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
    },
  ): Promise<CommandOutcome>;
  /** What commands may do in the sandbox of the system, as a sentence; undefined where it has none. */
  sandbox?(): Promise<string | undefined>;
}
