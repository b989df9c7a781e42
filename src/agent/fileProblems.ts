import { visibleLine } from '../contextWindow/visibleText';

/** A language server's message about a place in a file. */
export interface FileProblem {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** The server and code: "ts 2304". */
  readonly source?: string;
}

/** The errors and warnings of language servers. */
export interface Problems {
  /** The problems of a file or folder; `.` for the whole workspace. */
  in(path: string): readonly FileProblem[];
  /** Waits while servers may still report on the last watched change, at most two seconds. */
  settled(signal: AbortSignal): Promise<void>;
  /**
   * Checks a file that is about to change, also one without a tab. The returned function waits for
   * the next report and returns the new problems. Both together wait at most two seconds.
   */
  watch(path: string): Promise<(signal: AbortSignal) => Promise<FoundProblems>>;
  /**
   * Remembers all problems before a command runs. The returned function checks the files that it
   * changed, at most two seconds, and returns the problems that were not known before.
   */
  watchAll(): (paths: readonly string[], signal: AbortSignal) => Promise<readonly FileProblem[]>;
}

/** Problems after a change. */
export interface FoundProblems {
  readonly problems: readonly FileProblem[];
  /** False if the file was not checked before the change, so that some may be older. */
  readonly areNew: boolean;
}

/** Most problems listed after a change, and most characters of each. */
const MOST_AFTER_CHANGE = 20;
const LONGEST = 300;

/** Problems as lines, errors first, with the number of those over the limit. */
export function problemLines(problems: readonly FileProblem[], most = MOST_AFTER_CHANGE): string {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const warnings = problems.filter(({ severity }) => severity === 'warning');
  const lines = [...errors, ...warnings].slice(0, most).map(lineOf);
  const left = problems.length - lines.length;
  return [...lines, ...(left > 0 ? [`(${left} more)`] : [])].join('\n');
}

function lineOf({ path, line, severity, message, source }: FileProblem): string {
  const text = visibleLine(message.replace(/\s+/g, ' ').trim());
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
  return `${path}:${line}: ${severity}: ${short}${source === undefined ? '' : ` (${source})`}`;
}
