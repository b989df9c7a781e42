import type { LeftOut } from './leftOut';
import { isObject, parsed } from './readJson';

/** Reads the arguments of a call written as a JSON text; what is no object is kept as it is. */
export function readCallArguments(
  written: unknown,
  leftOut: LeftOut,
): Readonly<Record<string, unknown>> {
  if (isObject(written)) return written;
  if (written === undefined || written === null || written === '') return {};
  const input = typeof written === 'string' ? parsed(written) : undefined;
  if (isObject(input)) return input;
  leftOut.add('unreadableInput');
  return { arguments: written };
}
