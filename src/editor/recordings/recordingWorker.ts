import { workerData } from 'node:worker_threads';
import { countsThrough, CachedEstimator } from '../../model/workerEstimator';
import { answerTask } from '../../replay/runInWorker';
import { readHere } from './recordingFile';
import { replayRecording } from './recordingReplay';
import type { CountedReplay, ReadResult, RecordingTask } from './recordingThread';

/** Entry of dist/recordingWorker.js: reads or replays one recording and ends. */
answerTask<number, ReadResult | CountedReplay>(async (progressed) => {
  const task = workerData as RecordingTask;
  if ('read' in task) return readHere(task.read);
  const { replay, counter, learned } = task;
  const { model, server, factors } = learned;
  const estimator = new CachedEstimator(model, countsThrough(counter), {
    server,
    store: { read: () => factors, write: () => undefined },
  });
  const result = await replayRecording(replay, estimator, progressed);
  if (result === 'stopped') throw new Error('It was stopped.');
  return { result, counts: estimator.counts };
});
