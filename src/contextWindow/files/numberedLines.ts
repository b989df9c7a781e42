/** A line as tools for reading files answer it: its number, a mark, its text. */
const NUMBERED = /^[ \t]*(\d+)(?:→|\t|: ?| ?\| ?)(.*)$/;

/** Lines of a file with the number of the first one, counted from 1. */
export interface NumberedLines {
  readonly first: number;
  readonly lines: readonly string[];
}

/** So many characters of a result tell whether lines with numbers begin in it. */
const BEGINNING = 4_000;

/** Says whether a result shows lines of a file, each behind its number. */
export function hasNumberedLines(text: string): boolean {
  return numberedLines(text.slice(0, BEGINNING)).length > 0;
}

/** A heading may come before the lines; a text that begins otherwise has none. */
const LONGEST_HEADING = 2;

/**
 * Finds the lines of a file in the answer of a tool: from the first line with a number on, as long as
 * numbers follow one another. What comes behind them is not of the file.
 */
export function numberedLines(text: string): readonly NumberedLines[] {
  const all = text.split(/\r?\n/);
  const start = all.slice(0, LONGEST_HEADING + 1).findIndex((line) => NUMBERED.test(line));
  if (start === -1) return [];
  const lines: string[] = [];
  let first = 0;
  for (const line of all.slice(start)) {
    const [, digits, rest] = NUMBERED.exec(line) ?? [];
    if (digits === undefined || rest === undefined) break;
    if (lines.length === 0) first = Number(digits);
    else if (Number(digits) !== first + lines.length) break;
    lines.push(rest);
  }
  return first === 0 ? [] : [{ first, lines }];
}
