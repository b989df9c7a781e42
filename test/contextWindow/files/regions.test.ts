import { PersistentMap } from '../../../src/contextWindow/persistentMap';
import { describe, expect, it } from 'vitest';
import { afterEdit, afterRead, unknownFile } from '../../../src/contextWindow/files/knownFile';
import {
  bestRegions,
  headingsOf,
  joinedRegions,
  regionsOf,
  regionTokens,
} from '../../../src/contextWindow/files/regions';
import { numbered, seenAt } from './support/files';

const LINES = Array.from({ length: 100 }, (_, at) => `const line${at + 1} = ${at + 1};`);
const READ = afterRead(unknownFile('a.ts'), [numbered(LINES, 1)], seenAt(1));
const EDITED = afterEdit(READ, [{ before: 'const line50 = 50;', after: 'gone();' }], seenAt(4));
/** An overhead of twenty tokens around each text. */
const estimate = (text: string) => Math.ceil(text.length / 3) + 20;

describe('the regions of a file', () => {
  it('have twelve lines each, split at the same numbers wherever a read began', () => {
    const part = afterRead(unknownFile('a.ts'), [numbered(LINES.slice(19, 40), 20)], seenAt(1));
    expect(
      regionsOf(part, 2, false, PersistentMap.of()).map(({ first, lines }) => [
        first,
        lines.length,
      ]),
    ).toEqual([
      [20, 5],
      [25, 12],
      [37, 4],
    ]);
    expect(regionsOf(READ, 2, false, PersistentMap.of()).map(({ first }) => first)).toContain(25);
  });

  it('have the highest score at the newest edit, decreasing with the distance', () => {
    const regions = regionsOf(EDITED, 5, false, PersistentMap.of());
    const best = regions.toSorted((a, b) => b.score - a.score);
    expect(best[0]?.first).toBe(49);
    expect(regions.map(({ near }) => near > 0)).toContain(true);
    const [one, other] = [regions.find(({ first }) => first === 61), regions[0]];
    expect(one!.near).toBeGreaterThan(other!.near);
  });

  it('lose score with every step, and gain it if the file is named', () => {
    const [now] = regionsOf(EDITED, 5, false, PersistentMap.of());
    const [later] = regionsOf(EDITED, 50, false, PersistentMap.of());
    const [named] = regionsOf(EDITED, 50, true, PersistentMap.of());
    expect(later!.score).toBeLessThan(now!.score);
    expect(named!.score).toBeGreaterThan(later!.score);
  });
});

describe('the chosen regions', () => {
  it('are the best ones that fit, with the overhead counted once', () => {
    const regions = regionsOf(EDITED, 5, false, PersistentMap.of());
    const sizes = regions.map((region) => regionTokens(region, estimate));
    const all = sizes.reduce((sum, size) => sum + size, 0);
    expect(all).toBeLessThanOrEqual(estimate(`${LINES.join('\n')}\n`));
    expect(bestRegions(regions, all, estimate)).toHaveLength(regions.length);
    expect(bestRegions(regions, 0, estimate)).toEqual([]);
  });

  it('are joined under one heading if they are adjacent', () => {
    const regions = regionsOf(READ, 2, false, PersistentMap.of());
    const some = [regions[3]!, regions[0]!, regions[1]!];
    expect(joinedRegions(some).map(({ first, text }) => [first, text.split('\n').length])).toEqual([
      [1, 24],
      [37, 12],
    ]);
    expect(headingsOf(some)).toEqual([
      { path: 'a.ts', first: 1, text: '' },
      { path: 'a.ts', first: 37, text: '' },
    ]);
  });
});
