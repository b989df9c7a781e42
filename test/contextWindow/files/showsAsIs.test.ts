import { describe, expect, it } from 'vitest';
import type { BlockId, HiddenFile } from '../../../src/contextWindow/block';
import { asOnDisk } from '../../../src/contextWindow/files/asOnDisk';
import { afterRead, unknownFile } from '../../../src/contextWindow/files/knownFile';
import { showsAsIs } from '../../../src/contextWindow/files/pageIn';
import { PersistentMap } from '../../../src/contextWindow/persistentMap';
import type { Excerpts } from '../../../src/contextWindow/plan';
import { numbered, seenAt } from './support/files';

const LINES = ['a', 'b', 'c', 'd'];
const KNOWN = afterRead(unknownFile('a.ts'), [numbered(LINES, 1)], seenAt(1));
const SCORE = { why: { editedAt: 0, readAt: 1, seenAt: 1 }, score: 1, touch: 1, near: 0, seen: 1 };

const view = (more: object = {}, hidden: readonly HiddenFile[] = []): Excerpts => ({
  id: 'files-1' as BlockId,
  step: 1,
  shown: [{ path: 'a.ts', first: 2, text: 'b\nc', ...SCORE, ...more }],
  hidden,
  tokens: 1,
});

const filesWith = (text: string | undefined) => PersistentMap.of([['a.ts', asOnDisk(KNOWN, text)]]);

describe('showsAsIs', () => {
  it('is true while the lines are where the excerpts say', () => {
    expect(showsAsIs(view(), filesWith('a\nb\nc\nd\nmore'))).toBe(true);
  });

  it.each([
    ['one of its lines changed', 'a\nb\nother\nd'],
    ['its lines have moved', 'new\na\nb\nc\nd'],
    ['the file was deleted', undefined],
    ['it should say that something else changed the file', 'a\nb\nc'],
  ])('is false if %s', (_, text) => {
    expect(showsAsIs(view(), filesWith(text))).toBe(false);
  });

  it('also checks the files that are not shown', () => {
    const gone: HiddenFile = { path: 'b.ts', readAt: 1, editedAt: 0, onDisk: 'deleted' };
    const files = filesWith(LINES.join('\n'));
    expect(showsAsIs(view({}, [gone]), files)).toBe(false);
    const without = files.with([['b.ts', asOnDisk(unknownFile('b.ts'), undefined)]]);
    expect(showsAsIs(view({}, [gone]), without)).toBe(true);
  });

  it('is true although something else changed a file of which nothing is shown', () => {
    const hidden: HiddenFile = { path: 'b.ts', readAt: 1, editedAt: 0 };
    const changed = asOnDisk({ ...KNOWN, path: 'b.ts' }, 'other');
    const files = filesWith(LINES.join('\n')).with([['b.ts', changed]]);
    expect(changed.onDisk).toBe('changedOutside');
    expect(showsAsIs(view({}, [hidden]), files)).toBe(true);
  });
});
