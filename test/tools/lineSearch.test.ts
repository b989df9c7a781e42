import { expect, it, onTestFinished, vi } from 'vitest';
import { makeLineSearch } from '../../src/tools/search/lineSearch';

it('a line search is given up by its own running time, however busy the machine is', () => {
  const search = makeLineSearch('b$');
  if (!search.ok) throw new Error(search.message);
  // The clock advances by a minute with each call.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
  onTestFinished(() => clock.mockRestore());
  const found = [1, 2, 3].map(() => search.matchesIn(['a b', 'b a']));
  expect(found).toEqual(Array(3).fill([{ line: 1, text: 'a b', at: 2 }]));
});
