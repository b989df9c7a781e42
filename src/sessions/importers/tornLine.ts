import { isObject, parsed } from './readJson';

/**
 * Leaves out the last line of a recording with one object on each line while that line is not whole:
 * its agent is writing it. A recording of any other form is left as it is.
 */
export function withoutTornLine(text: string): string {
  const end = text.lastIndexOf('\n');
  const last = text.slice(end + 1);
  if (end === -1 || last.trim() === '' || parsed(last) !== undefined) return text;
  const first = text.split('\n', 50).find((line) => line.trim() !== '');
  return first !== undefined && isObject(parsed(first)) ? text.slice(0, end + 1) : text;
}
