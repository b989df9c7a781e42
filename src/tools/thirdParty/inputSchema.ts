import { refused, type Result } from '../../contextWindow/result';
import { isNestedDeeper, isObject } from '../../contextWindow/json';

type Schema = Readonly<Record<string, unknown>>;

/** Longest schema, characters of its JSON: about 12,000 tokens in every request. */
const LONGEST_SCHEMA = 50_000;

/** Deepest nesting of schemas. */
const DEEPEST = 40;

/** Deepest nesting of objects and lists in a schema: deeper JSON cannot be written again. */
const MOST_LEVELS = 200;

/** Parameter names that the API accepts. */
const PARAMETER = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Keywords that the API accepts inside a schema, but not at its top level. */
const NOT_AT_TOP = ['oneOf', 'anyOf', 'allOf', '$ref'] as const;

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const ONE =
  'additionalProperties additionalItems contains else if items not propertyNames then unevaluatedItems unevaluatedProperties'.split(
    ' ',
  );
const LISTS = 'allOf anyOf oneOf prefixItems'.split(' ');
const NAMED = '$defs definitions dependentSchemas patternProperties properties'.split(' ');

/**
 * Converts a tool's schema to one that the API accepts: an object in JSON Schema 2020-12. Older
 * drafts are converted; anything else is refused with a reason. Only reads the schema: its regular
 * expressions and references run in a worker, see `checkInput.ts`.
 */
export function usableSchema(given: unknown): Result<{ readonly schema: Schema }> {
  if (given !== undefined && !isObject(given)) return refused('its input schema is not an object');
  const { $schema: _dialect, ...whole } = given ?? {};
  const type = whole['type'] ?? 'object';
  if (type !== 'object') {
    return refused(`its input is of type ${JSON.stringify(type)}, but the API requires an object`);
  }
  const atTop = NOT_AT_TOP.find((keyword) => keyword in whole);
  if (atTop !== undefined) return refused(`its input schema has ${atTop} at its top level`);
  if (isNestedDeeper(whole, MOST_LEVELS))
    return refused(`its input schema is nested deeper than ${MOST_LEVELS} levels`);
  const { properties = {} } = whole;
  if (!isObject(properties)) return refused('the properties of its input schema are not an object');
  const bad = Object.keys(properties).find((name) => !PARAMETER.test(name));
  if (bad !== undefined) {
    return refused(`the API does not accept a parameter named ${JSON.stringify(bad.slice(0, 80))}`);
  }
  try {
    const schema = asToday({ ...whole, type, properties }, 0) as Schema;
    const length = JSON.stringify(schema).length;
    if (length > LONGEST_SCHEMA) {
      return refused(
        `its input schema has ${length.toLocaleString('en-US')} characters, more than ${LONGEST_SCHEMA.toLocaleString('en-US')}`,
      );
    }
    const lost = lostReference(schema, schema);
    if (lost !== undefined) return refused(`its input schema has no ${lost}, to which it refers`);
    return { ok: true, schema };
  } catch (error) {
    return refused(`its input schema cannot be used (${messageOf(error)})`);
  }
}

/** Converts a schema of an older draft to 2020-12; throws when that is impossible. */
function asToday(schema: unknown, depth: number): unknown {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw new Error('a part of it is not a schema');
  if (depth > DEEPEST) throw new Error(`it nests more than ${DEEPEST} schemas`);
  const ref = schema['$ref'];
  if (ref !== undefined && !(typeof ref === 'string' && ref.startsWith('#'))) {
    throw new Error('it refers to another document');
  }
  const { required } = schema;
  if (required !== undefined && !isTexts(required)) throw new Error('"required" is not a list');
  const within = (inner: unknown): unknown => asToday(inner, depth + 1);
  const entries = Object.entries(withoutTuples(schema)).map(([keyword, value]) => {
    if (ONE.includes(keyword)) return [keyword, within(value)] as const;
    if (LISTS.includes(keyword)) return [keyword, listOf(keyword, value).map(within)] as const;
    if (!NAMED.includes(keyword) || !isObject(value)) return [keyword, value] as const;
    const inner = Object.entries(value).map(([name, one]) => [name, within(one)] as const);
    return [keyword, Object.fromEntries(inner)] as const;
  });
  return withoutFlags(Object.fromEntries(entries));
}

/** The first reference by path that leads to nothing; names of anchors are not followed. */
function lostReference(part: unknown, whole: Schema): string | undefined {
  if (Array.isArray(part)) return firstOf(part, (one) => lostReference(one, whole));
  if (!isObject(part)) return undefined;
  const { $ref: ref } = part;
  if (typeof ref === 'string' && /^#(\/|$)/.test(ref) && !isThere(ref, whole)) return ref;
  return firstOf(Object.values(part), (one) => lostReference(one, whole));
}

function firstOf<T>(all: readonly T[], find: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isThere(ref: string, whole: Schema): boolean {
  let place: unknown = whole;
  for (const name of ref.split('/').slice(1)) {
    const key = decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return false;
    place = Reflect.get(place, key);
  }
  return typeof place === 'boolean' || isObject(place);
}

function listOf(keyword: string, value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new Error(`"${keyword}" is not a list`);
  return value;
}

/**
 * Up to draft 2019-09, `items` held a list of schemas and `additionalItems` the schema of the rest.
 */
function withoutTuples(schema: Schema): Schema {
  if (!Array.isArray(schema['items'])) return schema;
  const { items, additionalItems, ...others } = schema;
  const rest = additionalItems === undefined ? {} : { items: additionalItems };
  return { ...others, prefixItems: items, ...rest };
}

/** In draft 4, `exclusiveMinimum: true` excluded `minimum` itself. */
function withoutFlags(schema: Schema): Schema {
  const changed: Record<string, unknown> = { ...schema };
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof changed[flag] !== 'boolean') continue;
    const isExclusive = changed[flag];
    delete changed[flag];
    if (!isExclusive || changed[bound] === undefined) continue;
    changed[flag] = changed[bound];
    delete changed[bound];
  }
  return changed;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
