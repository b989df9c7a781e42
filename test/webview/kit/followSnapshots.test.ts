import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { followSnapshots } from '../../../webview/kit/hostLink';

/** A state that is a word; patches add to it. */
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

describe('a state told whole and then in patches', () => {
  it('takes the patch of the number that comes next, one after the other', () => {
    const { state, asked, whole, patched } = scene();
    whole('a', 4);
    patched(5, 'b');
    patched(6, 'c');
    expect([state.value, asked]).toEqual(['abc', []]);
  });

  it('asks once for the whole where a patch is missing, and stays as it was until it is there', () => {
    const { state, asked, whole, patched } = scene();
    whole('a', 1);
    patched(3, 'c');
    patched(4, 'd');
    expect([state.value, asked]).toEqual(['a', ['a']]);
    whole('abcd', 5);
    patched(6, 'e');
    expect([state.value, asked]).toEqual(['abcde', ['a']]);
  });

  it('takes no patch that would have fitted the state it knew before something was missing', () => {
    const { state, whole, patched } = scene();
    whole('a', 1);
    patched(7, 'x');
    patched(2, 'b');
    expect(state.value).toBe('a');
  });

  it('asks where nothing was told yet, and where what was told has no number', () => {
    const { state, asked, whole, patched } = scene();
    patched(2, 'b');
    whole('a');
    patched(2, 'b');
    expect([state.value, asked]).toEqual(['a', ['nothing', 'a']]);
  });

  it('asks again where the whole does not come', () => {
    const { asked, patched } = scene();
    for (let number = 2; number < 13; number += 1) patched(number, 'b');
    expect(asked).toEqual(['nothing', 'nothing']);
  });
});
