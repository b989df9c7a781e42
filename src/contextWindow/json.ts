/** A value that JSON can hold. */
export type JsonValue =
  string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An object of unknown shape, for example from JSON. */
type UnknownObject = Readonly<Record<string, unknown>>;

/** Says whether a value is an object with keys, neither null nor an array. */
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
