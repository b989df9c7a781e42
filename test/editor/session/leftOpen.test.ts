import { expect, it } from 'vitest';
import { LeftOpen } from '../../../src/editor/session/workLeft';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';

const run = (sessionId: string) => ({ window: { ...EMPTY_WINDOW, sessionId } });

it('a window stores which session it showed, and which others were at work when it closed', () => {
  const kept = new Map<string, unknown>();
  let writes = 0;
  const memento = {
    get: (key: string, none?: unknown) => kept.get(key) ?? none,
    update: async (key: string, value: unknown) => {
      writes += 1;
      kept.set(key, value);
    },
  };
  const open = () => new LeftOpen(memento as never, (work) => void work());
  const first = open();
  expect([first.shown.get(), first.atWork]).toEqual([undefined, []]);
  first.shown.set('a.jsonl');
  first.shown.set('a.jsonl');
  first.noteWork([]);
  first.noteWork([run('b'), run('c')]);
  first.noteWork([run('b'), run('c')]);
  expect(writes).toBe(2);
  first.noteWork([run('c')]);
  first.close();
  first.noteWork([]);
  const second = open();
  expect([second.shown.get(), second.atWork]).toEqual(['a.jsonl', ['c']]);
  second.noteWork([]);
  expect(open().atWork).toEqual([]);
});
