import { describe, expect, it } from 'vitest';
import { treeOf } from '../../src/tools/processes/processTree';

describe('treeOf', () => {
  const process = (pid: number, parent: number, group: number, session = 1, marked = false) => ({
    pid,
    parent,
    group,
    session,
    started: 'now',
    marked,
  });

  it('includes group, session, marked ones, and all their descendants, but no stranger', () => {
    const tree = treeOf(10, [
      process(10, 1, 10, 10),
      process(11, 10, 10, 10),
      process(12, 1, 10, 10), // orphaned, same group
      process(13, 1, 13, 10), // orphaned, own group, same session
      process(20, 12, 20, 20), // own session, parent known
      process(21, 20, 20, 20),
      process(30, 1, 30, 30, true), // orphaned, own session, marked
      process(31, 30, 31, 31),
      process(40, 1, 40, 40),
    ]);
    expect(tree.toSorted()).toEqual([10, 11, 12, 13, 20, 21, 30, 31]);
  });

  it('includes processes known from before, but not another process with the same id', () => {
    const known = new Map([
      [50, 'now'],
      [60, 'before'],
    ]);
    expect(treeOf(10, [process(50, 1, 50, 50), process(60, 1, 60, 60)], known)).toEqual([50]);
  });
});
