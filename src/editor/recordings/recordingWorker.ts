import { workerData } from 'node:worker_threads';
import { errorText, refused } from '../../contextWindow/result';
import { countsThrough, CachedEstimator } from '../../model/workerEstimator';
import { sessionBytes } from '../../recordings/lens/sessionBytes';
import { reportOfRecording } from '../../replay/inspectRecording';
import type { SessionReport } from '../../replay/inspectSession';
import { answerTask } from '../../replay/runInWorker';
import { readHere } from './recordingFile';
import { progressOf, replayRecording } from './recordingReplay';
import type {
  Counted,
  ReadResult,
  RecordingTask,
  ReplayResult,
  TextResult,
} from './recordingThread';

type Done = TextResult | ReadResult | Counted<ReplayResult | SessionReport | undefined>;

/** Entry of dist/recordingWorker.js: reads, replays or reports on one recording and ends. */
answerTask<number, Done>(async (progressed) => {
  const task = workerData as RecordingTask;
  if ('read' in task) return readHere(task.read);
  if ('text' in task) return textOf(task.text);
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

async function textOf(file: string): Promise<TextResult> {
  try {
    return { ok: true, text: (await sessionBytes(file)).toString('utf8') };
  } catch (error) {
    return refused(errorText(error));
  }
}
