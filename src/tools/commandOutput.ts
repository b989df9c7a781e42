import type { ToolOutput } from '../agent/tool';
import { BoundedOutput } from './boundedOutput';

/** What came of a command: its output, and a last line that says how it stands. */
export interface RanCommand extends Pick<ToolOutput, 'isError' | 'toldEnds'> {
  readonly text: string;
  readonly last: string;
  /** It ended by itself. */
  readonly hasExited: boolean;
}

/** Most characters of output that one reading gives. */
export const READ_CHARS = 20_000;

/** Output as it is told: cut in the middle, with what is left out. */
export function shortOutput({
  text,
  missed,
}: {
  readonly text: string;
  readonly missed: number;
}): string {
  const short = new BoundedOutput(READ_CHARS);
  short.add(text);
  const gone = missed === 0 ? '' : `[${missed} characters before this are gone]\n`;
  return `${gone}${short.text()}`;
}
