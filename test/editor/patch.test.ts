import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunksOf, PersistentList } from '../../src/contextWindow/persistentList';
import { byStretch } from '../../src/editor/chunks';
import { fieldPatch, listPatch, patchFields, patchList } from '../../src/editor/patch';

interface Row {
  readonly id: number;
  readonly label?: string;
  readonly cost?: number | null;
  readonly tools?: readonly string[];
  readonly tokens?: { readonly tokens: number; readonly exact?: boolean };
}

const ROW = fc.record(
  {
    id: fc.nat(12),
    label: fc.constantFrom('a', 'b'),
    cost: fc.constantFrom(null, 0, 1),
    tools: fc.array(fc.constantFrom('read', 'edit'), { maxLength: 2 }),
    tokens: fc.record(
      { tokens: fc.nat(3), exact: fc.boolean() },
      { requiredKeys: ['tokens'], noNullPrototype: true },
    ),
  },
  { requiredKeys: ['id'], noNullPrototype: true },
) as fc.Arbitrary<Row>;

const keyOf = ({ id }: Row) => id;
const posted = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const rows = (...ids: number[]): readonly Row[] => ids.map((id) => ({ id, label: `row ${id}` }));

describe('the patch of an object', () => {
  it('leads from any object to any other, also as JSON', () => {
    fc.assert(
      fc.property(ROW, ROW, (before, after) => {
        expect(patchFields(before, posted(fieldPatch(before, after)))).toEqual(after);
      }),
    );
  });

  it('contains only the changes, inside fields too', () => {
    const before: Row = { id: 1, label: 'a', cost: 1, tokens: { tokens: 5, exact: true } };
    const after: Row = { id: 1, cost: null, tokens: { tokens: 6, exact: true } };
    expect(fieldPatch(before, after)).toEqual({
      set: { cost: null },
      inside: { tokens: { set: { tokens: 6 } } },
      gone: ['label'],
    });
    expect(fieldPatch(before, posted(before))).toEqual({});
  });
});

describe('the patch of a list', () => {
  it('leads from each of many long lists to the next, and keeps equal items', () => {
    const change = fc.record({
      type: fc.constantFrom('put', 'alter', 'take', 'grow'),
      at: fc.nat(600),
      label: fc.constantFrom('a', 'b'),
    });
    const long = PersistentList.of(
      Array.from({ length: 500 }, (_, id): Row => ({ id, label: 'row' })),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
        let [list, there] = [long, posted(long.toArray())];
        let id = 1_000;
        for (const { type, at, label } of changes) {
          const before = list.toArray();
          id += 1;
          if (type === 'put') list = list.inserted(at, { id, label });
          else if (type === 'alter') list = list.withAll([[at, { ...list.at(at)!, label }]]);
          else if (type === 'take') list = list.filtered((row) => row !== list.at(at));
          else list = list.concat([{ id, label }]);
          const patch = posted(listPatch(before, list.toArray(), keyOf));
          expect(patch.length).toBeLessThanOrEqual(4);
          const after = patchList(there, patch);
          expect(after).toEqual(list.toArray());
          expect(chunksOf(after).flat()).toEqual(after);
          expect(chunksOf(after).length).toBeLessThan(20);
          const counted = byStretch((rows: readonly Row[]) => rows.length);
          expect(counted(after).reduce((sum, count) => sum + count, 0)).toBe(after.length);
          there = after as Row[];
        }
      }),
    );
  });

  it('keeps the chunks in which nothing changed', () => {
    const rowsOf = (length: number) => Array.from({ length }, (_, id): Row => ({ id }));
    const before = PersistentList.of(rowsOf(1_000));
    const after = before.withAll([[500, { id: 500, label: 'a' }]]).concat([{ id: 1_000 }]);
    const there = patchList(before.toArray(), listPatch(before.toArray(), after.toArray(), keyOf));
    const former = new Set(before.chunks);
    const made = chunksOf(there).filter((chunk) => !former.has(chunk));
    expect(made.flat().length).toBeLessThan(300);
  });

  it('leads from any list to any other, with duplicate keys too', () => {
    const list = fc.array(ROW, { maxLength: 12 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const patch = posted(listPatch(before, after, keyOf));
        expect(patchList(before, patch)).toEqual(after);
      }),
    );
  });

  it('keeps equal items, wherever items were inserted or removed', () => {
    const [one, two, three, four] = rows(1, 2, 3, 4) as [Row, Row, Row, Row];
    const summary: Row = { id: 9 };
    const longer: Row = { ...four, label: 'row 4, longer' };
    const patch = listPatch([one, two, three, four], [one, summary, three, longer], keyOf);
    expect(patch).toEqual([
      { keep: [0, 1] },
      { put: [summary] },
      { keep: [2, 3] },
      { alter: 3, set: { label: 'row 4, longer' } },
    ]);
    expect(patchList([one, two, three, four], patch)[2]).toBe(three);
  });

  it('is one stretch for an unchanged list of any length', () => {
    const ids = Array.from({ length: 1_000 }, (_, index) => index);
    expect(listPatch(rows(...ids), rows(...ids), keyOf)).toEqual([{ keep: [0, 1_000] }]);
  });
});
