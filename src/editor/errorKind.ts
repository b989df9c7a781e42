import { constants } from 'node:os';

/** Names of errors that say nothing of what was worked on. */
const NAMES = new Set([
  'AbortError',
  'AggregateError',
  'AssertionError',
  'Error',
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SessionLogError',
  'SyntaxError',
  'TimeoutError',
  'TypeError',
  'URIError',
]);

/** Says of what kind an error is, such as `TypeError` or `Error (ENOENT)`: words of ours and of Node's alone. */
export function errorKind(error: unknown): string {
  if (!(error instanceof Error)) return 'message';
  const name = [error.name, error.constructor.name].find(
    (word) => NAMES.has(word) && word !== 'Error',
  );
  const code = 'code' in error ? String(error.code) : '';
  const isCode = Object.hasOwn(constants.errno, code);
  return `${name ?? 'Error'}${isCode ? ` (${code})` : ''}`;
}
