import { isObject } from '../contextWindow/json';

/**
 * Reads the complete part of a JSON object that was cut off: its members up to the last one that
 * ended.
 *
 * Half a string or number is left out, never completed; `{}` when nothing is complete or the text
 * is not an object.
 */
export function wholeMembers(json: string): Readonly<Record<string, unknown>> {
  const end = endOfWhole(json);
  const value = parsed(json.slice(0, end) + closers(json.slice(0, end)));
  return isObject(value) ? value : {};
}

/** Where the last member that ended, or the object or list around it, ends; 0 for nowhere. */
function endOfWhole(json: string): number {
  let end = 0;
  for (const { char, at } of outsideStrings(json)) {
    if (char === '}' || char === ']') end = at + 1;
    else if (char === ',') end = at;
  }
  return end;
}

/** What closes everything that a text leaves open. */
function closers(json: string): string {
  const open: string[] = [];
  for (const { char } of outsideStrings(json)) {
    if (char === '{' || char === '[') open.push(char === '{' ? '}' : ']');
    else if (char === '}' || char === ']') open.pop();
  }
  return open.toReversed().join('');
}

function* outsideStrings(json: string): Generator<{ readonly char: string; readonly at: number }> {
  let isString = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (isString) {
      if (char === '\\') at += 1;
      else if (char === '"') isString = false;
    } else if (char === '"') {
      isString = true;
    } else {
      yield { char, at };
    }
  }
}

/** Parses a text; undefined when it is not JSON. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
