import { describe, expect, it } from 'vitest';
import { OpenChanges } from '../../../src/editor/inFile/openChanges';
import { undoPrompt } from '../../../src/editor/session/promptUndo';
import { type Does, text, worked } from '../support/filesScene';

async function opened(...turns: readonly Does[]) {
  const scene = await worked(...turns);
  const open = new OpenChanges(scene.current, scene.history);
  const now = (path = 'a.txt') => open.in(path, scene.on(path) ?? '');
  const shown = async (path = 'a.txt') =>
    (await now(path)).map(({ turn, start, removed }) => `${turn}: ${start} -${removed}`);
  return { ...scene, open, now, shown };
}

const TWO = { 'a.txt': text({ 3: 'x', 20: 'y' }), 'b.txt': null };

describe('the open changes of a file', () => {
  it('are those of its turns that the user has not answered', async () => {
    const { open, shown } = await opened(TWO);
    expect(await shown()).toEqual(['1: 2 -line 3', '1: 19 -line 20']);
    expect(open.paths).toEqual(['a.txt', 'b.txt']);
  });

  it('are kept and undone in the log that the Agent view shows', async () => {
    const { open, now, shown, rows, on } = await opened(TWO);
    const [first] = await now();
    expect(await open.keep(first!)).toBeUndefined();
    expect(rows(1)).toEqual(['a.txt +1 -1 open', 'b.txt +0 -1 open']);
    const [second] = await now();
    expect(await shown()).toEqual(['1: 19 -line 20']);
    expect(await open.undo(second!)).toEqual({ ok: true, left: [] });
    expect(on('a.txt')).toBe(text({ 3: 'x' }));
    expect(await shown()).toEqual([]);
    expect(rows(1)).toEqual(['a.txt +1 -1 undone', 'b.txt +0 -1 open']);
  });

  it('keep their names when another one is answered, and equal lines have two', async () => {
    const { open, now } = await opened({ 'a.txt': text({ 3: 'x', 12: 'x', 20: 'y' }) });
    const [first, , last] = await now();
    await open.keep(first!);
    const names = (await now()).map(({ id }) => id);
    expect(names.at(-1)).toBe(last!.id);
    const before = ['same', '1', '2', '3', '4', '5', '6', '7', '8', 'same', ''].join('\n');
    const twins = await opened(
      { 'a.txt': before },
      { 'a.txt': before.replaceAll('same', 'other') },
    );
    const [upper, lower] = (await twins.now()).filter(({ turn }) => turn === 2);
    expect(upper!.id).not.toBe(lower!.id);
    await twins.open.keep(upper!);
    const left = (await twins.now()).filter(({ turn }) => turn === 2);
    expect(left.map(({ id }) => id)).toEqual([lower!.id]);
  });

  it('go when the Agent view answers', async () => {
    const { history, open, shown } = await opened(TWO);
    await shown();
    await history.keep(1, undefined);
    expect([await shown(), open.paths]).toEqual([[], []]);
  });

  it('refuse an answer to a change that is no longer shown', async () => {
    const { open, now } = await opened(TWO);
    const [first] = await now();
    await open.keep(first!);
    expect(await open.keep(first!)).toMatch(/Look again/);
    expect(await open.undo(first!)).toMatchObject({ ok: false });
  });

  it('show lines of two turns once, as the newer one', async () => {
    const { now, open, shown } = await opened(
      { 'a.txt': text({ 3: 'x', 20: 'y' }) },
      { 'a.txt': text({ 3: 'x again', 20: 'y' }) },
    );
    expect(await shown()).toEqual(['2: 2 -x', '1: 19 -line 20']);
    // The older change is in the file again.
    await open.undo((await now())[0]!);
    expect(await shown()).toEqual(['1: 2 -line 3', '1: 19 -line 20']);
  });

  it('are undone together, with what the user wrote since only after a question', async () => {
    const { open, on, write } = await opened(
      { 'a.txt': text({ 3: 'x' }) },
      { 'a.txt': text({ 3: 'x', 20: 'y' }) },
    );
    write('a.txt', text({ 3: 'x', 20: 'y', 28: 'mine' }));
    expect(await open.undoFile('a.txt', false)).toEqual({ ok: true, left: ['a.txt'] });
    expect(on('a.txt')).toBe(text({ 3: 'x', 20: 'y', 28: 'mine' }));
    expect(await open.undoFile('a.txt', true)).toEqual({ ok: true, left: [] });
    expect(on('a.txt')).toBe(text());
  });

  it('are kept together', async () => {
    const { open, shown, rows } = await opened(
      { 'a.txt': text({ 3: 'x' }) },
      { 'a.txt': text({ 3: 'x', 20: 'y' }) },
    );
    expect(await open.keepFile('a.txt')).toBeUndefined();
    expect(await shown()).toEqual([]);
    expect([1, 2].flatMap(rows)).toEqual(['a.txt +1 -1 kept', 'a.txt +1 -1 kept']);
  });

  it('delete a created file if it is undone', async () => {
    const { now, open, on } = await opened({ 'c.txt': 'one\ntwo\n' });
    const [whole, ...others] = await now('c.txt');
    expect([whole!.added, others]).toEqual([[0, 1], []]);
    await open.undo(whole!);
    expect(on('c.txt')).toBeUndefined();
  });

  it('are not those of another session, of an undone prompt or of a read-only session', async () => {
    const { current, open, shown } = await opened(TWO);
    const { session } = current.run;
    current.openSession(undefined);
    expect([await shown(), open.paths]).toEqual([[], []]);
    current.openSession(session, 'Another window has it open.');
    expect(await shown()).toEqual([]);
    current.openSession(undefined);
    current.openSession(session);
    expect(await shown()).toHaveLength(2);
    const undone = await undoPrompt(current.run, 'prompt-1', current.run.window.step);
    expect(undone).toMatchObject({ ok: true });
    expect(await shown()).toEqual([]);
  });
});
