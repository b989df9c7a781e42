import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { changedRange } from '../../../src/editor/tools/editorWorkspace';

vi.mock('vscode', () => ({}));

const applied = (before: string, after: string) => {
  const { start, end, replacement } = changedRange(before, after);
  return before.slice(0, start) + replacement + before.slice(end);
};

describe('the changed range', () => {
  it('turns one text into the other', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '\n', '\r\n', '🚢', '🚤'),
      maxLength: 12,
    });
    fc.assert(fc.property(text, text, (before, after) => applied(before, after) === after));
  });

  it('is as small as possible', () => {
    expect(changedRange('one two three', 'one 2 three')).toEqual({
      start: 4,
      end: 7,
      replacement: '2',
    });
    expect(changedRange('same', 'same').replacement).toBe('');
  });

  it('never splits a line break or a character', () => {
    expect(changedRange('a\r\nb', 'a\r\rb')).toMatchObject({ start: 1 });
    expect(changedRange('a\nb', 'a\r\nb')).toEqual({ start: 1, end: 2, replacement: '\r\n' });
    expect(changedRange('🚢', '🚤')).toEqual({ start: 0, end: 2, replacement: '🚤' });
  });
});
