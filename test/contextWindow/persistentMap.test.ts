import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PersistentMap } from '../../src/contextWindow/persistentMap';

const changes = fc.array(fc.array(fc.tuple(fc.nat(30), fc.option(fc.nat(), { nil: undefined }))));

it('a persistent map and every map it was made from equal plain maps', () => {
  fc.assert(
    fc.property(changes, (all) => {
      let map = PersistentMap.of<number, number>();
      const plain = new Map<number, number>();
      const former: (readonly [PersistentMap<number, number>, ReadonlyMap<number, number>])[] = [];
      for (const some of all) {
        map = map.with(some);
        for (const [key, value] of some) {
          if (value === undefined) plain.delete(key);
          else plain.set(key, value);
        }
        former.push([map, new Map(plain)]);
      }
      for (const [made, expected] of former) {
        expect(new Map(made)).toEqual(expected);
        expect(made.size).toBe(expected.size);
        for (let key = 0; key <= 30; key += 1) {
          expect(made.get(key)).toBe(expected.get(key));
          expect(made.has(key)).toBe(expected.has(key));
        }
      }
    }),
    { numRuns: 40 },
  );
});

it('a persistent map knows which keys changed since the map it was made from, and of no other', () => {
  const one = PersistentMap.of([
    [1, 'a'],
    [2, 'b'],
  ]);
  const two = one.with([
    [2, 'c'],
    [1, undefined],
    [3, 'd'],
  ]);
  expect(two.changedSince(one)).toEqual([2, 1, 3]);
  expect(two.with([[3, 'e']]).changedSince(two)).toEqual([3]);
  expect(two.with([[3, 'e']]).changedSince(one)).toBeUndefined();
  expect(one.changedSince(two)).toBeUndefined();
});
