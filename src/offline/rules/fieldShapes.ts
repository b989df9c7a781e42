/**
 * Checks of one JSON value. Each returns the first fault as the API words it (`path: sentence`), or undefined. The sentences
 * are those of pydantic, which the API passes on: anthropics/claude-code#6696, #96152, home-assistant/core#147760,
 * Wei-Shaw/sub2api#225.
 */
export type Shape = (value: unknown, path: string) => string | undefined;

export type JsonObject = Readonly<Record<string, unknown>>;

/** The offline server shares no code with what it checks, so it has its own copy of this check. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const under = (path: string, key: string | number) => (path === '' ? `${key}` : `${path}.${key}`);

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`);

function orList(names: readonly string[]): string {
  const all = quoted(names);
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} or ${all.at(-1)}`;
}

/** Accepts text, optionally with a pattern or a range of lengths. */
export function text(
  limits: { readonly pattern?: RegExp; readonly min?: number; readonly max?: number } = {},
): Shape {
  return (value, path) => {
    if (typeof value !== 'string') return `${path}: Input should be a valid string`;
    if (value.length < (limits.min ?? 0)) {
      return `${path}: String should have at least ${limits.min} character${limits.min === 1 ? '' : 's'}`;
    }
    if (value.length > (limits.max ?? Infinity)) {
      return `${path}: String should have at most ${limits.max} characters`;
    }
    if (limits.pattern?.test(value) === false) {
      return `${path}: String should match pattern '${limits.pattern.source}'`;
    }
    return undefined;
  };
}

/** Accepts a whole number of at least `min`. */
export function integer(min: number): Shape {
  return (value, path) => {
    if (!Number.isInteger(value)) return `${path}: Input should be a valid integer`;
    return Number(value) < min
      ? `${path}: Input should be greater than or equal to ${min}`
      : undefined;
  };
}

/** Accepts true and false. */
export const boolean: Shape = (value, path) =>
  typeof value === 'boolean' ? undefined : `${path}: Input should be a valid boolean`;

/** Accepts any object. */
export const dictionary: Shape = (value, path) =>
  isObject(value) ? undefined : `${path}: Input should be a valid dictionary`;

/** Accepts one of a few words. */
export function oneOf(...words: readonly string[]): Shape {
  return (value, path) =>
    typeof value === 'string' && words.includes(value)
      ? undefined
      : `${path}: Input should be ${orList(words)}`;
}

/** Accepts null in addition to the given shape. */
export function nullable(shape: Shape): Shape {
  return (value, path) => (value === null ? undefined : shape(value, path));
}

/** Accepts text or a list of the given items. */
export function textOrList(item: Shape): Shape {
  const items = list(item);
  return (value, path) => (typeof value === 'string' ? undefined : items(value, path));
}

/** Accepts a list of the given items. */
export function list(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path}: Input should be a valid array`;
    for (const [index, element] of value.entries()) {
      const fault = item(element, under(path, index));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/** Accepts an object of exactly these fields; the required ones must be there. */
export function record(
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): Shape {
  return (value, path) => {
    if (!isObject(value)) return `${path}: Input should be an object`;
    for (const key of Object.keys(required)) {
      if (!Object.hasOwn(value, key)) return `${under(path, key)}: Field required`;
    }
    for (const [key, element] of Object.entries(value)) {
      const shape = Object.hasOwn(required, key)
        ? required[key]
        : Object.hasOwn(optional, key)
          ? optional[key]
          : undefined;
      if (shape === undefined) return `${under(path, key)}: Extra inputs are not permitted`;
      const fault = shape(element, under(path, key));
      if (fault !== undefined) return fault;
    }
    return undefined;
  };
}

/**
 * Accepts an object whose `type` names one of the given shapes; the type becomes part of the path.
 */
export function tagged(shapes: Readonly<Record<string, Shape>>): Shape {
  return (value, path) => {
    if (!isObject(value)) return `${path}: Input should be an object`;
    const tag = value['type'];
    if (tag === undefined) return `${under(path, 'type')}: Field required`;
    const shape = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined;
    if (shape === undefined) {
      return `${path}: Input tag '${String(tag)}' found using 'type' does not match any of the expected tags: ${quoted(Object.keys(shapes)).join(', ')}`;
    }
    return shape(value, under(path, String(tag)));
  };
}
