import { Validator } from '@cfworker/json-schema';
import { errorText } from '../../contextWindow/result';
import type { InputToCheck } from './checkInput';

/** Most problems of an input reported together. */
const MOST_PROBLEMS = 5;

/** Wrappers around the actual errors: a schema with a part that does not match. */
const AROUND = new Set(['properties', 'items', 'prefixItems', 'allOf', '$ref', 'false']);

/** The problem of an input; undefined when it is valid. May take any time: see `checkInput`. */
export function problemOf({ schema, input }: InputToCheck): string | undefined {
  try {
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(input);
    if (valid) return undefined;
    const inner = errors.filter(({ keyword }) => !AROUND.has(keyword));
    const told = (inner.length === 0 ? errors : inner).slice(0, MOST_PROBLEMS);
    return told
      .map(({ instanceLocation, error }) => {
        const place = instanceLocation.replace(/^#\/?/, '');
        return `${place === '' ? '' : `${place}: `}${error.replace(/\.$/, '')}`;
      })
      .join('; ');
  } catch (error) {
    return `it could not be checked (${errorText(error).slice(0, 200)})`;
  }
}
