import type { FileProblem, Workspace } from '../agent/workspace';
import { visibleLine } from '../contextWindow/visibleText';

/** Most problems that are told behind an edit, and most characters of each. */
const MOST_NEW = 20;
const LONGEST = 300;

/**
 * Watches a file that is about to be edited. The function it gives says which errors and warnings
 * are new since, as text to be put behind what the tool answers; '' for none.
 */
export function problemsAfter(
  { problems }: Workspace,
  path: string,
): (signal: AbortSignal) => Promise<string> {
  const watched = problems?.watch(path);
  return async (signal) => {
    const found = (await watched?.(signal)) ?? [];
    if (found.length === 0) return '';
    return `\n\nNew problems in the file, as language servers tell them:\n${problemLines(found, MOST_NEW)}`;
  };
}

/** Problems as lines, errors first; those over the most are counted. */
export function problemLines(problems: readonly FileProblem[], most: number): string {
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
