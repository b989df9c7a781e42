import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { followSnapshots } from '../../../webview/kit/hostLink';

/** The state is a word; patches append to it. */
function scene() {
  const state = signal<string | undefined>(undefined);
  const asked: string[] = [];
  const { whole, patched } = followSnapshots<string, string>(
    state,
    (before, more) => before + more,
    () => asked.push(state.value ?? 'nothing'),
  );
  return { state, asked, whole, patched };
}

describe('a state sent whole and then in patches', () => {
  it('applies patches in the order of their numbers', () => {
    const { state, asked, whole, patched } = scene();
    whole('a', 4);
    patched(5, 'b');
    patched(6, 'c');
    expect([state.value, asked]).toEqual(['abc', []]);
  });

  it('requests the whole state once if a patch is missing, and keeps the old state until it arrives', () => {
    const { state, asked, whole, patched } = scene();
    whole('a', 1);
    patched(3, 'c');
    patched(4, 'd');
    expect([state.value, asked]).toEqual(['a', ['a']]);
    whole('abcd', 5);
    patched(6, 'e');
    expect([state.value, asked]).toEqual(['abcde', ['a']]);
  });

  it('applies no later patch that fits the old state', () => {
    const { state, whole, patched } = scene();
    whole('a', 1);
    patched(7, 'x');
    patched(2, 'b');
    expect(state.value).toBe('a');
  });

  it('requests the whole state if none was sent, or one without a number', () => {
    const { state, asked, whole, patched } = scene();
    patched(2, 'b');
    whole('a');
    patched(2, 'b');
    expect([state.value, asked]).toEqual(['a', ['nothing', 'a']]);
  });

  it('requests the whole state again if it does not arrive', () => {
    const { asked, patched } = scene();
    for (let number = 2; number < 13; number += 1) patched(number, 'b');
    expect(asked).toEqual(['nothing', 'nothing']);
  });
});
