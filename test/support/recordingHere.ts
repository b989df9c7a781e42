import type { Estimator } from '../../src/agent/model';
import { readHere } from '../../src/editor/recordings/recordingFile';
import { replayRecording } from '../../src/editor/recordings/recordingReplay';
import { sessionBytes } from '../../src/recordings/lens/sessionBytes';
import { reportOfRecording } from '../../src/replay/inspectRecording';
import type { RecordingWork } from '../../src/editor/recordings/recordingThread';

/** Reads, replays and reports on recordings in this thread. */
export function recordingHere(estimator: Pick<Estimator, 'estimate' | 'warm'>): RecordingWork {
  return {
    read: readHere,
    text: async (file) => (await sessionBytes(file)).toString('utf8'),
    estimatorOf: () => estimator,
    replay: (task, watch, signal) => replayRecording(task, () => estimator, watch, signal),
    report: (task, _progressed, signal) => reportOfRecording(task, estimator, { signal }),
  };
}
