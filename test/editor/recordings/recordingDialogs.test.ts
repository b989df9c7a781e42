import { beforeEach, expect, it, vi } from 'vitest';

const shown = vi.hoisted(() => ({
  reports: [] as object[],
  cancel: () => undefined as void,
  options: {} as object,
}));

vi.mock('vscode', () => ({
  ProgressLocation: { Notification: 15 },
  window: {
    withProgress: (
      options: object,
      work: (progress: { report(step: object): void }, token: object) => Promise<unknown>,
    ) => {
      shown.options = options;
      return work(
        { report: (step) => void shown.reports.push(step) },
        {
          onCancellationRequested: (stop: () => void) => {
            shown.cancel = stop;
            return { dispose: () => (shown.cancel = () => undefined) };
          },
        },
      );
    },
  },
}));

const { withProgress } = await import('../../../src/editor/recordings/recordingDialogs');

beforeEach(() => {
  shown.reports.length = 0;
});

it('shows the share as a growing bar and in percent', async () => {
  const done = await withProgress('Plimsoll: replaying a.jsonl', async (_signal, progressed) => {
    for (const share of [0.1, 0.255, 1]) progressed(share);
    return 'done';
  });
  expect(done).toBe('done');
  expect(shown.options).toMatchObject({ title: 'Plimsoll: replaying a.jsonl', cancellable: true });
  expect(shown.reports).toEqual([
    { increment: 10, message: '10 %' },
    { increment: 15, message: '25 %' },
    { increment: 75, message: '100 %' },
  ]);
});

it('aborts the work when the user cancels', async () => {
  const work = withProgress(
    'Plimsoll: replaying a.jsonl',
    (signal) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped'))),
  );
  shown.cancel();
  expect(await work).toBe('stopped');
});
