import { describe, expect, it } from 'vitest';
import { text, worked } from '../support/filesScene';

const note = ({ events }: { readonly events: readonly object[] }): string =>
  JSON.stringify(events.findLast((event) => 'source' in event));

describe('the files of a turn', () => {
  it('are listed at its end, each once, compared with its start', async () => {
    const { rows } = await worked({ 'a.txt': text({ 3: 'x' }), 'b.txt': null, 'c.txt': 'c\n' });
    expect(rows(1)).toEqual(['a.txt +1 -1 open', 'b.txt +0 -1 open', 'c.txt +1 -0 open']);
  });

  it('are none if a turn left everything as it was', async () => {
    const { current } = await worked({ 'a.txt': text() });
    expect(current.run.events.map(({ type }) => type)).not.toContain('turnFiles');
  });

  it('are kept or undone one by one, and the model is told of an undo', async () => {
    const { history, on, rows, current } = await worked({
      'a.txt': text({ 3: 'x' }),
      'b.txt': null,
      'c.txt': 'c\n',
    });
    expect(await history.keep(1, 'a.txt')).toBeUndefined();
    expect(await history.undo(1, 'b.txt', false)).toEqual({ ok: true, left: [] });
    expect(on('b.txt')).toBe('b\n');
    expect(rows(1)).toEqual(['a.txt +1 -1 kept', 'b.txt +0 -1 undone', 'c.txt +1 -0 open']);
    expect(note(current.run)).toContain('- b.txt (exists again)');
    // The rest of it.
    expect(await history.undo(1, undefined, false)).toEqual({ ok: true, left: [] });
    expect([on('a.txt'), on('c.txt')]).toEqual([text({ 3: 'x' }), undefined]);
    expect(await history.undo(1, undefined, false)).toMatchObject({ ok: false });
  });

  it('are named if something else changed them since, and written only after a confirmation', async () => {
    const { history, write, on, unsaved } = await worked({
      'a.txt': text({ 3: 'x' }),
      'b.txt': 'B',
    });
    write('a.txt', 'by something else');
    unsaved.add('b.txt');
    expect(await history.undo(1, undefined, false)).toEqual({ ok: true, left: ['a.txt', 'b.txt'] });
    expect([on('a.txt'), on('b.txt')]).toEqual(['by something else', 'B']);
    expect(await history.undo(1, 'a.txt', true)).toEqual({ ok: true, left: [] });
    expect(on('a.txt')).toBe(text());
  });
});

describe("a hunk of a turn's change", () => {
  const two = { 'a.txt': text({ 3: 'x', 20: 'y' }) };

  it('is undone alone, and changes elsewhere by something else stay', async () => {
    const { history, write, on, rows } = await worked(two);
    const { before, after, hunks } = (await history.hunks(1, 'a.txt'))!;
    expect(hunks.map(({ line }) => line)).toEqual([1, 17]);
    expect(hunks[0]!.lines).toContain('+x');
    write('a.txt', text({ 3: 'x', 20: 'y', 29: 'theirs' }));
    expect(await history.undoHunk(1, 'a.txt', { before, after, hunk: 0 })).toBeUndefined();
    expect(on('a.txt')).toBe(text({ 20: 'y', 29: 'theirs' }));
    expect(rows(1)).toEqual(['a.txt +2 -2 open']);
    expect(await history.undoHunk(1, 'a.txt', { before, after, hunk: 0 })).toMatch(/Look again/);
  });

  it('is not undone if its own lines changed since', async () => {
    const { history, write, on } = await worked(two);
    const { before, after } = (await history.hunks(1, 'a.txt'))!;
    write('a.txt', text({ 3: 'theirs', 20: 'y' }));
    expect(await history.undoHunk(1, 'a.txt', { before, after, hunk: 0 })).toBe(
      'a.txt was changed there since, or has unsaved changes. Nothing was undone.',
    );
    expect(on('a.txt')).toBe(text({ 3: 'theirs', 20: 'y' }));
  });

  it('is kept: the rest is compared with it, and an undo keeps it', async () => {
    const { history, on, rows } = await worked(two);
    const { before, after } = (await history.hunks(1, 'a.txt'))!;
    expect(await history.keepHunk(1, 'a.txt', { before, after, hunk: 0 })).toBeUndefined();
    expect(rows(1)).toEqual(['a.txt +1 -1 open']);
    const left = (await history.hunks(1, 'a.txt'))!;
    expect(left.hunks).toHaveLength(1);
    expect(await history.undo(1, 'a.txt', false)).toEqual({ ok: true, left: [] });
    expect(on('a.txt')).toBe(text({ 3: 'x' }));
  });

  it('keeps the file if it is the last hunk', async () => {
    const { history, rows } = await worked({ 'a.txt': text({ 3: 'x' }) });
    const { before, after } = (await history.hunks(1, 'a.txt'))!;
    await history.keepHunk(1, 'a.txt', { before, after, hunk: 0 });
    expect(rows(1)).toEqual(['a.txt +1 -1 kept']);
  });
});

describe('two turns that changed one file', () => {
  const both = [
    { 'a.txt': text({ 3: 'x', 20: 'y' }) },
    { 'a.txt': text({ 3: 'x', 20: 'y', 10: 'z', 28: 'w' }) },
  ];

  it('keep the earlier change and its answers open if a part of the later one is undone', async () => {
    const { history, on, rows } = await worked(...both);
    const { before, after } = (await history.hunks(2, 'a.txt'))!;
    expect(await history.undoHunk(2, 'a.txt', { before, after, hunk: 0 })).toBeUndefined();
    expect(on('a.txt')).toBe(text({ 3: 'x', 20: 'y', 28: 'w' }));
    expect([1, 2].map(rows)).toEqual([['a.txt +2 -2 open'], ['a.txt +1 -1 open']]);
  });

  it('keep the earlier change open if the later one is undone whole', async () => {
    const { history, on, rows } = await worked(...both);
    await history.undo(2, 'a.txt', false);
    expect(on('a.txt')).toBe(text({ 3: 'x', 20: 'y' }));
    expect([1, 2].map(rows)).toEqual([['a.txt +2 -2 open'], ['a.txt +2 -2 undone']]);
    expect(await history.undo(1, 'a.txt', false)).toEqual({ ok: true, left: [] });
    expect(on('a.txt')).toBe(text());
  });

  it('are both undone if the earlier one is undone over the later one', async () => {
    const { history, on, rows } = await worked(...both);
    expect(await history.undo(1, 'a.txt', true)).toEqual({ ok: true, left: [] });
    expect(on('a.txt')).toBe(text());
    expect([1, 2].map(rows)).toEqual([['a.txt +2 -2 undone'], ['a.txt +2 -2 undone']]);
  });

  it('have their earlier answers again after the restore is undone', async () => {
    const { history, rows } = await worked(...both);
    await history.keep(1, 'a.txt');
    await history.restore({ type: 'prompt', turn: 1 }, false, true);
    expect([1, 2].map(rows)).toEqual([['a.txt +2 -2 undone'], ['a.txt +2 -2 undone']]);
    expect(await history.undoRestore()).toBeUndefined();
    expect([1, 2].map(rows)).toEqual([['a.txt +2 -2 kept'], ['a.txt +2 -2 open']]);
  });
});

describe('going back to a moment', () => {
  const TURNS = [
    { 'a.txt': text({ 1: 'one' }) },
    { 'a.txt': text({ 1: 'two' }), 'c.txt': 'c\n' },
    { 'b.txt': null },
  ] as const;

  it('first lists what it would do', async () => {
    const { history, write } = await worked(...TURNS);
    write('c.txt', 'theirs');
    expect(await history.plan({ type: 'prompt', turn: 2 })).toEqual([
      { path: 'a.txt', how: 'changes' },
      { path: 'c.txt', how: 'goes', isChangedSince: true },
      { path: 'b.txt', how: 'comes' },
    ]);
    expect(await history.plan({ type: 'step', step: 4 })).toEqual([
      { path: 'b.txt', how: 'comes' },
    ]);
    expect(await history.plan({ type: 'step', step: 9 })).toEqual([]);
  });

  it('restores every file, says which files were skipped, and can be undone', async () => {
    const { history, write, on, rows, restored, current } = await worked(...TURNS);
    write('c.txt', 'theirs');
    expect(await history.restore({ type: 'prompt', turn: 1 }, false, true)).toBe(
      'Skipped because something else changed them: c.txt.',
    );
    expect([on('a.txt'), on('b.txt'), on('c.txt')]).toEqual([text(), 'b\n', 'theirs']);
    expect([1, 2, 3].map(rows)).toEqual([
      ['a.txt +1 -1 undone'],
      ['a.txt +1 -1 undone', 'c.txt +1 -0 open'],
      ['b.txt +0 -1 undone'],
    ]);
    expect(restored()).toBe(2);
    expect(note(current.run)).toContain('The user restored files');
    expect(await history.undoRestore()).toBeUndefined();
    expect([on('a.txt'), on('b.txt')]).toEqual([text({ 1: 'two' }), undefined]);
    expect([1, 3].map(rows)).toEqual([['a.txt +1 -1 open'], ['b.txt +0 -1 open']]);
    expect(restored()).toBeUndefined();
    expect(await history.undoRestore()).toBe(
      'No files were restored, so there is nothing to undo.',
    );
  });

  it('keeps what the turn had done before the step', async () => {
    const { history, on, rows } = await worked({ 'a.txt': text({ 1: 'one' }), 'b.txt': 'B\n' });
    expect(await history.restore({ type: 'step', step: 2 }, false, false)).toBeUndefined();
    expect([on('a.txt'), on('b.txt')]).toEqual([text({ 1: 'one' }), 'b\n']);
    expect(rows(1)).toEqual(['a.txt +1 -1 open', 'b.txt +1 -1 undone']);
  });
});
