/** Splits a text into its lines; a line break at the end opens no further line. */
export function linesOf(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Makes every line break a plain `\n`. */
export function withPlainBreaks(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Names the line break most of the text uses. */
export function mainLineBreak(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Writes lines with their numbers, a tab between: `12\ttext`. */
export function numbered(lines: readonly string[], firstNumber: number): string {
  return lines.map((line, index) => `${firstNumber + index}\t${line}`).join('\n');
}
