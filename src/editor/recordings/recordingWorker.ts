import { workerData } from 'node:worker_threads';
import { countsThrough, CachedEstimator } from '../../model/workerEstimator';
import { reportOfRecording } from '../../replay/inspectRecording';
import type { SessionReport } from '../../replay/inspectSession';
import { answerTask } from '../../replay/runInWorker';
import { readHere } from './recordingFile';
import { progressOf, replayRecording } from './recordingReplay';
import type { Counted, ReadResult, RecordingTask, ReplayResult } from './recordingThread';

type Done = ReadResult | Counted<ReplayResult | SessionReport | undefined>;

/** Entry of dist/recordingWorker.js: reads, replays or reports on one recording and ends. */
answerTask<number, Done>(async (progressed) => {
  const task = workerData as RecordingTask;
  if ('read' in task) return readHere(task.read);
  const { model, server, factors } = task.learned;
  const estimator = new CachedEstimator(model, countsThrough(task.counter), {
    server,
    store: { read: () => factors, write: () => undefined },
  });
  const result =
    'replay' in task
      ? await replayRecording(task.replay, estimator, progressed)
      : await reportOfRecording(task.report, estimator, {
          onReply: progressOf(task.report.transcript, 1, progressed),
        });
  if (result === 'stopped') throw new Error('It was stopped.');
  return { result, counts: estimator.counts };
});
