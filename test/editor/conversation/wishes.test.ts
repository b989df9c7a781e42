import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { AGENT_WISHES, parseAgentPost } from '../../../src/editor/conversation/wishes';
import { CONTEXT_WISHES, parseContextPost } from '../../../src/editor/contextPanel/wishes';
import type { Wishes } from '../../../src/editor/wish';
import { AGENT_SAMPLES, CONTEXT_SAMPLES } from '../support/someWishes';

interface Page {
  readonly wishes: Wishes;
  readonly samples: Readonly<Record<string, object>>;
  /** The wish of a page's post; undefined if it is not one. */
  readonly parse: (wish: unknown) => unknown;
}

const taken = (
  received: ReturnType<typeof parseAgentPost> | ReturnType<typeof parseContextPost>,
): unknown => (received.type === 'post' ? received.post.wish : undefined);

const PAGES: Readonly<Record<string, Page>> = {
  'the Agent view': {
    wishes: AGENT_WISHES,
    samples: AGENT_SAMPLES,
    parse: (wish) => taken(parseAgentPost({ number: 1, wish })),
  },
  'the Context panel': {
    wishes: CONTEXT_WISHES,
    samples: CONTEXT_SAMPLES,
    parse: (wish) => taken(parseContextPost({ session: 'one', number: 1, wish })),
  },
};

describe.each(Object.entries(PAGES))('the wishes of %s', (_page, { wishes, samples, parse }) => {
  it('are those that the page sends', () => {
    expect(Object.keys(wishes).toSorted()).toEqual(Object.keys(samples).toSorted());
  });

  describe.each(Object.entries(wishes))('%s', (type, { fields }) => {
    it('is parsed as it is sent', () => {
      const sample = { type, ...samples[type] };
      expect(parse(sample)).toEqual(sample);
      fc.assert(
        fc.property(valueOf(fields), (value) => {
          const wish = { type, ...(value as object) };
          expect(parse(wish)).toEqual(wish);
        }),
        { numRuns: 30 },
      );
    });

    it('is rejected with an additional key, at any depth', () => {
      const sample = { type, ...samples[type] };
      for (const wish of withOneMore(sample)) expect(parse(wish)).toBeUndefined();
    });

    it('is rejected without one of its fields', () => {
      const { shape } = fields;
      for (const key of Object.keys(shape)) {
        const { [key]: _left, ...rest } = { type, ...samples[type] } as Record<string, unknown>;
        const isOptional = defOf(shape[key] as z.core.$ZodType).type === 'optional';
        expect(parse(rest) !== undefined).toBe(isOptional);
      }
    });
  });
});

describe('a post that is not a wish', () => {
  it('is reported with what an answer has to repeat, if it can be read', () => {
    const to = { session: 'one', number: 7 };
    expect(parseContextPost({ ...to, wish: { type: 'deleteEverything' } })).toEqual({
      type: 'unknown',
      problem: 'no wish of this page',
      to,
    });
    expect(parseContextPost({ ...to, wish: { type: 'toString' } })).toMatchObject({ to });
    expect(parseContextPost({ ...to, wish: { type: 'undoPass', number: 0 } })).toEqual({
      type: 'unknown',
      problem: 'undoPass (number.too_small)',
      to,
    });
    expect(parseContextPost({ number: 7, wish: { type: 'announceReady' } })).toEqual({
      type: 'unknown',
      problem: 'no post (session.invalid_type)',
    });
    expect(parseAgentPost({ ...to, wish: { type: 'announceReady' } })).toEqual({
      type: 'unknown',
      problem: 'no post (unrecognized_keys)',
    });
  });

  it('is reported without its content', () => {
    const wish = { type: 'pinBlock', blockId: { secret: 'sk-1' } };
    expect(JSON.stringify(parseContextPost({ session: 'one', number: 7, wish }))).not.toMatch(
      /secret|sk-1/,
    );
  });
});

/** The objects with one more key than this one, at any depth. */
function withOneMore(value: object): readonly object[] {
  const within = Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && key !== 'summaries'
      ? withOneMore(inner).map((more) => ({ ...value, [key]: more }))
      : [],
  );
  return [{ ...value, extra: true }, ...within];
}

const defOf = (schema: z.core.$ZodType) => (schema as z.core.$ZodTypes)._zod.def;

/** Any value that one of our schemas accepts. */
function valueOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return fc.string({ minLength: 1, maxLength: 50 });
    case 'number':
      return fc.integer({ min: 1, max: 1_000_000 });
    case 'boolean':
      return fc.boolean();
    case 'literal':
      return fc.constantFrom(...def.values);
    case 'enum':
      return fc.constantFrom(...Object.values(def.entries));
    case 'union':
      return fc.oneof(...def.options.map(valueOf));
    case 'nullable':
      return fc.option(valueOf(def.innerType));
    case 'optional':
      return valueOf(def.innerType);
    case 'array':
      return fc.array(valueOf(def.element), { maxLength: 5 });
    case 'record':
      // No block has this id, and the schema drops it, since it would set the prototype of the
      // result.
      return fc.dictionary(
        (valueOf(def.keyType) as fc.Arbitrary<string>).filter((key) => key !== '__proto__'),
        valueOf(def.valueType),
        { maxKeys: 5, noNullPrototype: true },
      );
    case 'object': {
      const { shape } = def;
      const isNeeded = (key: string) => defOf(shape[key]!).type !== 'optional';
      const parts = Object.entries(shape).map(([key, part]) => [key, valueOf(part)] as const);
      return fc.record(Object.fromEntries(parts), {
        requiredKeys: Object.keys(shape).filter(isNeeded),
        noNullPrototype: true,
      });
    }
    default:
      throw new Error(`No wish has a field of the type ${def.type} yet.`);
  }
}
