import { effect, signal } from '@preact/signals';
import { expect, it } from 'vitest';
import { frameTasks } from '../../../webview/kit/hostLink';

it('tasks of one frame run in order and are drawn once', () => {
  const frames: (() => void)[] = [];
  const soon = frameTasks((task) => frames.push(task));
  const shown = signal(0);
  const drawn: number[] = [];
  const stop = effect(() => void drawn.push(shown.value));
  for (const value of [1, 2, 3]) soon(() => (shown.value = value));
  expect(drawn).toEqual([0]);
  expect(frames).toHaveLength(1);
  frames.shift()!();
  expect(drawn).toEqual([0, 3]);
  soon(() => (shown.value = 4));
  expect(frames).toHaveLength(1);
  frames.shift()!();
  expect(drawn).toEqual([0, 3, 4]);
  stop();
});
