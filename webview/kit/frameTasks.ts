import { batch } from '@preact/signals';

/**
 * Collects tasks and runs them together, in order, before the next frame is drawn: what came
 * several times within one frame is drawn once.
 */
export function frameTasks(
  beforeFrame: (task: () => void) => void = (task) => void requestAnimationFrame(task),
): (task: () => void) => void {
  let waiting: (() => void)[] = [];
  const runAll = (): void => {
    const due = waiting;
    waiting = [];
    batch(() => {
      for (const task of due) task();
    });
  };
  return (task) => {
    waiting.push(task);
    if (waiting.length === 1) beforeFrame(runAll);
  };
}
