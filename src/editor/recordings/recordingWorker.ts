import { parentPort, workerData } from 'node:worker_threads';
import type { SessionEvent } from '../../contextWindow/event';
import { errorText, refused } from '../../contextWindow/result';
import { countsThrough, CachedEstimator } from '../../model/workerEstimator';
import { SessionFinder } from '../../recordings/lens/findSessions';
import { sessionBytes } from '../../recordings/lens/sessionBytes';
import { reportOfRecording } from '../../replay/inspectRecording';
import type { SessionReport } from '../../replay/inspectSession';
import { answerTask } from '../../replay/runInWorker';
import type { FindAnswer, FindRequest, FINDS_SESSIONS } from './findingThread';
import { readHere } from './recordingFile';
import { progressOf, replayRecording } from './recordingReplay';
import type {
  Counted,
  ReadResult,
  RecordingTask,
  ReplayResult,
  TextResult,
  WorkProgress,
} from './recordingThread';

type Done = TextResult | ReadResult | Counted<ReplayResult | SessionReport | undefined>;

/**
 * Entry of dist/recordingWorker.js: reads, replays or reports on one recording and ends, or finds
 * sessions.
 */
const given = workerData as RecordingTask | typeof FINDS_SESSIONS;
if ('findsSessions' in given) answerSearches();
else answerTask<WorkProgress, Done>((post) => doneOf(given, post));

async function doneOf(task: RecordingTask, post: (progress: WorkProgress) => void): Promise<Done> {
  if ('read' in task) return readHere(task.read);
  if ('text' in task) return textOf(task.text);
  const { model, server, factors } = task.learned;
  const estimator = new CachedEstimator(model, countsThrough(task.counter), {
    server,
    store: { read: () => factors, write: () => undefined },
  });
  const progressed = (share: number): void => post({ share });
  const replayed = (events: readonly SessionEvent[]): void => post({ events });
  const result =
    'replay' in task
      ? await replayRecording(task.replay, () => estimator.fork(), { progressed, replayed })
      : await reportOfRecording(task.report, estimator, {
          onReply: progressOf(task.report.transcript, 1, progressed),
        });
  if (result === 'stopped') throw new Error('It was stopped.');
  return { result, counts: estimator.counts };
}

function answerSearches(): void {
  const finder = new SessionFinder();
  const answer = (given: FindAnswer): void => parentPort?.postMessage(given);
  parentPort?.on('message', ({ id, search }: FindRequest) => {
    finder.find(...search).then(
      (found) => answer({ id, found }),
      (error: unknown) => answer({ id, problem: errorText(error) }),
    );
  });
}

async function textOf(file: string): Promise<TextResult> {
  try {
    return { ok: true, text: (await sessionBytes(file)).toString('utf8') };
  } catch (error) {
    return refused(errorText(error));
  }
}
