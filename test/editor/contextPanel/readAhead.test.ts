import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ReadAhead } from '../../../src/editor/contextPanel/inspection';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function scene(wasRead = true) {
  const done: string[] = [];
  const work: Promise<unknown>[] = [];
  const ahead = new ReadAhead(
    { readAhead: async () => (done.push('read'), wasRead), countMoves: async () => undefined },
    { changed: () => void done.push('changed') },
    { run: (each) => void work.push(Promise.resolve(each())) },
  );
  return {
    ahead,
    done,
    after: async (ms: number) => {
      vi.advanceTimersByTime(ms);
      await Promise.all(work);
    },
  };
}

describe('reading ahead the files that the next pass would show', () => {
  it('waits until the session is idle, and reports that the next pass may have changed', async () => {
    const { ahead, done, after } = scene();
    for (let time = 0; time < 5; time += 1) {
      ahead.request();
      await after(250);
    }
    expect(done).toEqual([]);
    await after(50);
    expect(done).toEqual(['read', 'changed']);
    await after(1_000);
    expect(done).toHaveLength(2);
  });

  it('reports nothing if it read nothing', async () => {
    const { ahead, done, after } = scene(false);
    ahead.request();
    await after(300);
    expect(done).toEqual(['read']);
  });

  it('ends with the window', async () => {
    const { ahead, done, after } = scene();
    ahead.request();
    ahead.cancel();
    await after(1_000);
    expect(done).toEqual([]);
  });
});
