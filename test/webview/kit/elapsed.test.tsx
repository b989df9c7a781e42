// @vitest-environment happy-dom
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatElapsed, formatRunning, RunningTime } from '../../../webview/kit/runningTime';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('a finished duration', () => {
  it.each([
    [0, '0 ms'],
    [-5, '0 ms'],
    [12.4, '12 ms'],
    [999, '999 ms'],
    [999.6, '1.0 s'],
    [2449, '2.4 s'],
    [9949, '9.9 s'],
    [9950, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 00 s'],
    [185_000, '3 min 05 s'],
    [3_600_000, '1 h 00 min'],
    [3_725_000, '1 h 02 min'],
  ])('of %i ms reads %s', (ms, text) => {
    expect(plain(formatElapsed(ms))).toBe(text);
  });
});

describe('a running duration', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is shown in whole seconds, rounded down', () => {
    expect(plain(formatRunning(1999))).toBe('1 s');
    expect(plain(formatRunning(61_000))).toBe('1 min 01 s');
    expect(plain(formatRunning(-400))).toBe('0 s');
  });

  it('grows on screen and stops with its element', () => {
    vi.setSystemTime(10_000);
    const root = document.createElement('div');
    act(() => render(<RunningTime since={8_000} />, root));
    expect(plain(root.textContent!)).toBe('2 s');
    act(() => void vi.advanceTimersByTime(3_000));
    expect(plain(root.textContent!)).toBe('5 s');
    act(() => render(null, root));
    expect(vi.getTimerCount()).toBe(0);
  });
});
