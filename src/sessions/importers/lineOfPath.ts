/** Where a value stands in a JSON text: the keys and indices that lead to it. */
export type JsonPath = readonly PropertyKey[];

/** A bracket, a comma or a colon, a text, or a number or word. */
const TOKEN = /[{}[\],:]|"[^"\\]*(?:\\[^][^"\\]*)*"|[^\s{}[\],:"]+/g;

interface Open {
  /** Of the value that comes next; undefined where an object names it first. */
  key: string | number | undefined;
  readonly isOnPath: boolean;
}

/**
 * Finds the line, counted from 1, on which the value under a path begins; where the path leads on to
 * what is not there, that of what should hold it. The text is JSON.
 */
export function lineOfPath(text: string, path: JsonPath): number {
  const open: Open[] = [];
  let at = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const around = open.at(-1);
    if (token === ':') continue;
    if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ',') {
      if (around !== undefined) {
        around.key = typeof around.key === 'number' ? around.key + 1 : undefined;
      }
    } else if (around !== undefined && around.key === undefined) {
      around.key = String(JSON.parse(token));
    } else {
      const depth = open.length;
      const isOnPath =
        around === undefined ||
        (around.isOnPath && depth <= path.length && String(path[depth - 1]) === String(around.key));
      // Of two values with one key the later is the one that was read.
      if (isOnPath) at = index;
      if (token === '{') open.push({ key: undefined, isOnPath });
      if (token === '[') open.push({ key: 0, isOnPath });
    }
  }
  return text.slice(0, at).split('\n').length;
}
