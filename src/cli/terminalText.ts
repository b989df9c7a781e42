import { visibleLine } from '../contextWindow/visibleText';

/**
 * What a terminal obeys instead of drawing it, or draws out of its place: controls, formats (of
 * direction, of no width), separators of lines and paragraphs, halves of a pair. A line break and a
 * tab do no harm.
 */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a text fit to be written to a terminal: whatever comes from a model, a file or a server may
 * hold what moves the cursor, changes colours or turns the reading direction. Each such character
 * becomes a mark, such as ⟨ESC⟩ or ⟨U+202E⟩.
 */
export function terminalText(text: string): string {
  return text.replace(OBEYED, visibleLine);
}

/** Writes a value as JSON that a terminal draws as it is, and that is read back as the same value. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(OBEYED, (found) =>
    [...Array(found.length).keys()]
      .map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Where text is written; `isTTY` is true for a terminal. */
export interface TextOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * An output that shows a person what is there: a terminal gets nothing to obey. A file or another
 * program gets the text as it is, unless it is `always` for people to read.
 */
export function shownOn(output: TextOutput, always = false): TextOutput {
  const isTTY = output.isTTY === true;
  return {
    isTTY,
    write: (text) => output.write(always || isTTY ? terminalText(text) : text),
  };
}
