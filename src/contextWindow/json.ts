/** A value that JSON can hold. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object of unknown shape, for example from JSON. */
type UnknownObject = Readonly<Record<string, unknown>>;

/** Says whether a value is an object with keys, neither null nor an array. */
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether objects and lists are nested deeper than this; works level by level, at any depth. */
export function isNestedDeeper(value: object, levels: number): boolean {
  let level: readonly object[] = [value];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > levels) return true;
    level = level
      .flatMap((one): unknown[] => Object.values(one))
      .filter((one): one is object => typeof one === 'object' && one !== null);
  }
  return false;
}
