import { expect, it, onTestFinished, vi } from 'vitest';
import { makeLineSearch } from '../../src/tools/search/lineSearch';

it('is given up by the time that it had, however long a busy machine takes', () => {
  const search = makeLineSearch('b$');
  if (!search.ok) throw new Error(search.message);
  // Each look at the clock is a minute later than the one before.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 60_000));
  onTestFinished(() => clock.mockRestore());
  const found = [1, 2, 3].map(() => search.matchesIn(['a b', 'b a']));
  expect(found).toEqual(Array(3).fill([{ line: 1, text: 'a b', at: 2 }]));
});
