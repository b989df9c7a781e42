import { textOfVisible } from '../../support/textOfVisible';

/** Reads a command back from the lines of its question. */
export function textOfQuestion(lines: readonly string[]): string {
  return textOfVisible(lines.map((line) => line.slice('  | '.length)).join('\n'));
}
