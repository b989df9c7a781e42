import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  byChunk,
  changesBetween,
  chunksOf,
  PersistentList,
  rememberedFold,
} from '../../src/contextWindow/persistentList';

type Change =
  | { readonly type: 'concat'; readonly items: readonly number[] }
  | { readonly type: 'with' | 'insert'; readonly at: number; readonly item: number }
  | { readonly type: 'slice'; readonly from: number; readonly to: number }
  | { readonly type: 'double'; readonly divisor: number };

const changes = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('concat' as const),
      items: fc.array(fc.nat(), { maxLength: 9 }),
    }),
    fc.record({
      type: fc.constantFrom('with' as const, 'insert' as const),
      at: fc.nat(40),
      item: fc.nat(),
    }),
    fc.record({
      type: fc.constant('slice' as const),
      from: fc.integer({ min: -9, max: 9 }),
      to: fc.integer({ min: -9, max: 60 }),
    }),
    fc.record({ type: fc.constant('double' as const), divisor: fc.integer({ min: 1, max: 9 }) }),
  ),
  { maxLength: 30 },
);

/** All intermediate lists, each with the array that it must equal. */
function lists(script: readonly Change[]) {
  let [list, array] = [PersistentList.of<number>([], 4), [] as readonly number[]];
  return script.map((change) => {
    switch (change.type) {
      case 'concat':
        [list, array] = [list.concat(change.items), [...array, ...change.items]];
        break;
      case 'with':
        list = list.withAll([[change.at, change.item]]);
        if (change.at < array.length) array = array.with(change.at, change.item);
        break;
      case 'insert':
        list = list.inserted(change.at, change.item);
        array = array.toSpliced(change.at, 0, change.item);
        break;
      case 'slice':
        [list, array] = [list.slice(change.from, change.to), array.slice(change.from, change.to)];
        break;
      case 'double': {
        const doubled = (item: number) => (item % change.divisor === 0 ? item * 2 : item);
        [list, array] = [list.mapped(doubled), array.map(doubled)];
        break;
      }
    }
    return { list, array };
  });
}

describe('a persistent list', () => {
  it('equals an array, and lists made from it never change it', () => {
    fc.assert(
      fc.property(changes, fc.nat(50), fc.integer({ min: 1, max: 5 }), (script, from, divisor) => {
        const is = (item: number) => item % divisor === 1;
        for (const { list, array } of lists(script)) {
          expect([...list]).toEqual(array);
          expect(list.toArray()).toEqual(array);
          expect(JSON.stringify(list)).toBe(JSON.stringify(array));
          expect(list.length).toBe(array.length);
          expect([list.at(from), list.at(-from - 1)]).toEqual([
            array.at(from),
            array.at(-from - 1),
          ]);
          expect(list.find(is)).toBe(array.find(is));
          expect(list.find(is, from)).toBe(array.slice(from).find(is));
          expect(list.findIndex(is)).toBe(array.findIndex(is));
          expect(list.findLast(is)).toBe(array.findLast(is));
          expect(list.findLastIndex(is)).toBe(array.findLastIndex(is));
          expect([list.some(is), list.every(is)]).toEqual([array.some(is), array.every(is)]);
          expect(list.filter(is)).toEqual(array.filter(is));
          expect([...list.filtered(is)]).toEqual(array.filter(is));
          expect(list.map((item, at) => [item, at])).toEqual(array.map((item, at) => [item, at]));
          expect(list.flatMap((item) => [item, 1])).toEqual(array.flatMap((item) => [item, 1]));
          expect(chunksOf(list.toArray())).toBe(list.chunks);
          expect(list.chunks.every(({ length }) => length > 0)).toBe(true);
        }
      }),
    );
  });

  it('shares unchanged chunks', () => {
    const list = PersistentList.of(
      Array.from({ length: 40 }, (_, at) => at),
      4,
    );
    const shared = (other: PersistentList<number>) =>
      other.chunks.filter((chunk) => list.chunks.includes(chunk)).length;
    expect(list.chunks).toHaveLength(10);
    expect(shared(list.concat([40]))).toBe(10);
    expect(shared(list.withAll([[7, 1]]))).toBe(9);
    expect(shared(list.inserted(7, 1))).toBe(9);
    expect(shared(list.mapped((item) => (item === 39 ? 0 : item)))).toBe(9);
    expect(shared(list.slice(0, 38))).toBe(9);
  });

  it('knows what differs in a list made from it', () => {
    const list = PersistentList.of([1, 2, 3, 4, 5, 6, 7, 8, 9], 4);
    expect(changesBetween(list, list)).toEqual([]);
    expect(changesBetween(list, list.withAll([[1, 20]]).concat([10]))).toEqual([20, 10]);
  });
});

describe('byChunk', () => {
  it('runs again for changed chunks only', () => {
    const work = vi.fn<(chunk: readonly number[]) => number>((chunk) => Math.max(...chunk));
    const greatest = byChunk(work);
    const list = PersistentList.of(
      Array.from({ length: 40 }, (_, at) => at),
      4,
    );
    expect(Math.max(...greatest(list))).toBe(39);
    work.mockClear();
    expect(Math.max(...greatest(list.concat([50])))).toBe(50);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('gives what the function gives for each chunk, for any lists in any order', () => {
    fc.assert(
      fc.property(changes, changes, (script, other) => {
        const work = (chunk: readonly number[]) => chunk.join();
        const joined = byChunk(work);
        const [ones, others] = [lists(script), lists(other)];
        for (const [at, { list }] of ones.entries()) {
          expect(joined(list)).toEqual(list.chunks.map(work));
          const beside = others[at]?.list;
          if (beside !== undefined) expect(joined(beside)).toEqual(beside.chunks.map(work));
        }
        for (const { list } of ones) expect(joined(list)).toEqual(list.chunks.map(work));
      }),
    );
  });

  it('gives the same results again for the same list', () => {
    const lengths = byChunk((chunk: readonly number[]) => ({ length: chunk.length }));
    const list = PersistentList.of([1, 2, 3], 2);
    expect(lengths(list)).toBe(lengths(list));
  });

  it('shares nothing between lists that both began empty', () => {
    const empty = PersistentList.of<number>();
    const [one, other] = [empty.concat([1]), empty.concat([2])];
    expect(one.known).not.toBe(other.known);
    expect(one.concat([3]).known).toBe(one.known);
  });
});

describe('rememberedFold', () => {
  const steps = (sum: string, item: number) => `${sum} ${item}`;

  it('equals a fold from the beginning, for any lists in any order', () => {
    fc.assert(
      fc.property(changes, changes, (script, other) => {
        const fold = rememberedFold('', steps);
        const [ones, others] = [lists(script), lists(other)];
        for (const [at, { list, array }] of ones.entries()) {
          expect(fold(list)).toBe(array.reduce(steps, ''));
          const beside = others[at];
          if (beside !== undefined) expect(fold(beside.list)).toBe(beside.array.reduce(steps, ''));
        }
      }),
    );
  });

  it('folds only the items by which a list grew', () => {
    const take = vi.fn(steps);
    const fold = rememberedFold('', take);
    const list = PersistentList.of(
      Array.from({ length: 38 }, (_, at) => at),
      4,
    );
    fold(list);
    take.mockClear();
    fold(list.concat([1]));
    fold(list.concat([1]).concat([2, 3]));
    expect(take).toHaveBeenCalledTimes(3);
  });
});
