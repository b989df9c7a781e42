import type { LeftOut } from './leftOut';

type Schema = Readonly<Record<string, unknown>>;

/** The API takes the schema of a tool only as that of an object; other servers take it without saying so. */
export function objectSchema(schema: Schema, leftOut: LeftOut): Schema {
  if (schema['type'] === 'object') return schema;
  leftOut.add('openSchema');
  return { ...schema, type: 'object' };
}
