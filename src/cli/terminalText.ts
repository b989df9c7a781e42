import { visibleLine } from '../contextWindow/visibleText';

/**
 * Characters that a terminal obeys or draws out of place: controls, formats (direction, zero
 * width), line and paragraph separators, lone surrogates. A line break and a tab are harmless.
 */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Makes a text safe to write to a terminal. Text from a model, a file or a server may move the
 * cursor, change colours or reverse the reading direction. Each such character becomes a mark, such
 * as ⟨ESC⟩ or ⟨U+202E⟩.
 */
export function terminalText(text: string): string {
  return text.replace(OBEYED, visibleLine);
}

/** Writes a value as JSON that is safe on a terminal and parses to the same value. */
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
 * An output that makes hidden characters visible on a terminal. A file or another program gets the
 * text unchanged, unless `always` is set because people read it.
 */
export function shownOn(output: TextOutput, always = false): TextOutput {
  const isTTY = output.isTTY === true;
  return {
    isTTY,
    write: (text) => output.write(always || isTTY ? terminalText(text) : text),
  };
}
