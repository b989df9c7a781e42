/** Where a text stops being JSON; line and column count from 1. */
export interface JsonProblem {
  readonly line: number;
  readonly column: number;
  /** True when all of it is JSON, only the end is missing. */
  readonly isCut: boolean;
  /** For example `unexpected "}"`. */
  readonly what: string;
}

type Expecting = 'value' | 'firstValue' | 'key' | 'firstKey' | 'colon' | 'next' | 'nothing';

const SPACE = /[ \t\r\n]*/y;
const TOKEN =
  /[{}[\]:,]|"[ !#-[\]-\u{10ffff}]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[ !#-[\]-\u{10ffff}]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/uy;

/** What is left of a number or a word when the file ends in the middle of it. */
const FRAGMENT = /^(?:-|\.|[eE][+-]?|t|tr|tru|f|fa|fal|fals|n|nu|nul)$/;

/**
 * Finds where a text stops being JSON; undefined when it is JSON.
 *
 * The engine's own message has a position only sometimes, and never a line in the Node of the editor.
 */
export function findJsonProblem(text: string): JsonProblem | undefined {
  const open: ('{' | '[')[] = [];
  let expecting: Expecting = 'value';
  let at = 0;
  for (;;) {
    at = skipped(SPACE, text, at);
    if (at === text.length) {
      return expecting === 'nothing' ? undefined : problemAt(text, at, true, 'it ends too early');
    }
    const end = skipped(TOKEN, text, at);
    const token = text.slice(at, end);
    const after: Expecting | undefined = token === '' ? undefined : step(expecting, token, open);
    if (after === undefined) return badToken(text, at, token);
    expecting = after;
    at = end;
  }
}

/** What may follow the token; undefined when the token may not stand here. */
function step(expecting: Expecting, token: string, open: ('{' | '[')[]): Expecting | undefined {
  const closed = (): Expecting => (open.length === 0 ? 'nothing' : 'next');
  switch (expecting) {
    case 'value':
    case 'firstValue':
      if (token === ']' && expecting === 'firstValue') {
        open.pop();
        return closed();
      }
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'firstKey' : 'firstValue';
      }
      return /^[}\]:,]$/.test(token) ? undefined : closed();
    case 'key':
    case 'firstKey':
      if (token === '}' && expecting === 'firstKey') {
        open.pop();
        return closed();
      }
      return token.startsWith('"') ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'next':
      if (token === ',') return open.at(-1) === '{' ? 'key' : 'value';
      if (token !== (open.at(-1) === '{' ? '}' : ']')) return undefined;
      open.pop();
      return closed();
    case 'nothing':
      return undefined;
  }
}

function badToken(text: string, at: number, token: string): JsonProblem {
  if (token === '' && text[at] === '"') {
    const isOpen = skipped(/"[^"\\]*(?:\\[^][^"\\]*)*"/y, text, at) === at;
    return problemAt(
      text,
      at,
      isOpen,
      isOpen ? 'a text that never ends' : 'a text with a bad character',
    );
  }
  const isCut = token === '' && FRAGMENT.test(text.slice(at, at + 5));
  return problemAt(
    text,
    at,
    isCut,
    `unexpected ${JSON.stringify(token === '' ? text[at] : token)}`,
  );
}

function problemAt(text: string, at: number, isCut: boolean, what: string): JsonProblem {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1, isCut, what };
}

/** Where the pattern's match from `at` ends; `at` when it does not match. */
function skipped(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
