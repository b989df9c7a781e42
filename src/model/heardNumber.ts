/** No number of tokens is larger than this: what a server says beyond it is a mistake or an attack. */
export const MOST_TOKENS = 1_000_000_000;

/** Says whether a value from a server can be a number of tokens, or of anything else it counts. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= MOST_TOKENS;
}

/** Names a value from a server in a message for the user, however long it is. */
export function shownValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${value === null ? 'null' : typeof value}`;
}
