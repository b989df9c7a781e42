/** A text in which a search of what left found something: the handle that brings the text back. */
export interface RecallHit {
  readonly handle: string;
  /** '' for none. */
  readonly label: string;
  /** First line that matches, counted from 1, and the characters before it. */
  readonly line: number;
  readonly offset: number;
}

const HEADING = /^(\S+)(?: \(.*\))?: line \d+ begins at offset \d+$/gm;

/** Writes the line above what was found in one text. */
export function hitHeading({ handle, label, line, offset }: RecallHit): string {
  const name = label === '' ? handle : `${handle} (${label})`;
  return `${name}: line ${line} begins at offset ${offset}`;
}

/**
 * Reads the handles from the answer to a search, in its order. Found lines stand behind their number,
 * so that none of them can be taken for a heading of a handle there is.
 */
export function handlesFound(answer: string): readonly string[] {
  return [...answer.matchAll(HEADING)].flatMap(([, handle]) => handle ?? []);
}
