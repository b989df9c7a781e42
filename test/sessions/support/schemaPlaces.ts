/** The parts of a zod schema that are used here. */
interface Schema {
  readonly def: {
    readonly type: string;
    readonly shape?: Readonly<Record<string, Schema>>;
    readonly innerType?: Schema;
    readonly element?: Schema;
    readonly options?: readonly Schema[];
    readonly discriminator?: string;
    readonly entries?: Readonly<Record<string, string>>;
    readonly values?: readonly unknown[];
  };
  readonly safeParse: (value: unknown) => { readonly success: boolean };
}

/** Every place a value of a schema can have: each field, each kind of a union, each word of a list. */
export function placesOf(schema: Schema, path = ''): readonly string[] {
  const { def } = schema;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape ?? {}).flatMap(([key, field]) =>
        placesOf(field, `${path}.${key}`),
      );
    case 'optional':
      return placesOf(def.innerType!, path);
    case 'nullable':
      return [`${path} = null`, ...placesOf(def.innerType!, path)];
    case 'array':
      return placesOf(def.element!, `${path}[]`);
    case 'union':
      return def.options!.flatMap((option) => placesOf(option, path + nameOf(schema, option)));
    case 'enum':
    case 'literal':
      return wordsOf(schema).map((word) => `${path} = ${word}`);
    default:
      return [path];
  }
}

/** The places that occur in a value of this schema. */
export function placesIn(schema: Schema, value: unknown, path = ''): readonly string[] {
  const { def } = schema;
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape ?? {}).flatMap(([key, field]) =>
        Object.hasOwn(value as object, key)
          ? placesIn(field, (value as Record<string, unknown>)[key], `${path}.${key}`)
          : [],
      );
    case 'optional':
      return placesIn(def.innerType!, value, path);
    case 'nullable':
      return value === null ? [`${path} = null`] : placesIn(def.innerType!, value, path);
    case 'array':
      return (value as readonly unknown[]).flatMap((each) =>
        placesIn(def.element!, each, `${path}[]`),
      );
    case 'union': {
      const option = def.options!.find((each) => each.safeParse(value).success)!;
      return placesIn(option, value, path + nameOf(schema, option));
    }
    case 'enum':
    case 'literal':
      return [`${path} = ${String(value)}`];
    default:
      return [path];
  }
}

/** Names a kind of a union by its words, else by its index. */
function nameOf({ def }: Schema, option: Schema): string {
  const told = option.def.shape?.[def.discriminator ?? ''];
  return `<${told === undefined ? def.options!.indexOf(option) : wordsOf(told).join('|')}>`;
}

function wordsOf({ def }: Schema): readonly string[] {
  return (def.values ?? Object.values(def.entries ?? {})).map(String);
}
