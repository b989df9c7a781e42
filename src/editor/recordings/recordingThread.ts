import { createHash } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import type { Estimator } from '../../agent/model';
import type { SessionEvent } from '../../contextWindow/event';
import { errorText, refused, type Refused, type Result } from '../../contextWindow/result';
import { ANTHROPIC, type LearnedFactors } from '../../model/calibration';
import type { WorkerEstimator } from '../../model/workerEstimator';
import type { CapturedSession } from '../../recordings/captures/capturedCall';
import type { CaptureFolders, CapturesRead } from '../../recordings/captures/joinCaptures';
import type { OwnSession } from '../../recordings/plimsoll';
import type { InspectedRecording } from '../../replay/inspectRecording';
import type { SessionReport } from '../../replay/inspectSession';
import type { RecordedLoss } from '../../replay/losses/recordedLoss';
import { modelOf } from '../../replay/recording';
import type { Replayed } from '../../replay/replay';
import type { ReplaySettings } from '../../replay/replaySettings';
import { runInWorker } from '../../replay/runInWorker';
import type { Transcript } from '../../sessions/transcript';

/** A file to read, or the text that a followed file has grown to. */
export interface ReadTask {
  readonly file: string;
  readonly grown?: string;
  /** Where its agent's requests may have been captured; absent for nowhere. */
  readonly captures?: CaptureFolders;
  /** The captures as far as they were read before the file grew. */
  readonly capturesRead?: CapturesRead;
}

/** A recording, or why it is not shown. */
export type ReadResult = ({ readonly ok: true } & RecordingRead) | NotShown;

/** The text of a session, or why it cannot be read. */
export type TextResult = Result<{ readonly text: string }>;

/** A recording to replay. */
export interface ReplayTask {
  readonly transcript: Transcript;
  readonly settings: ReplaySettings;
}

/** What the panel needs of a replay in addition to its events; plain data. */
export interface ReplayResult extends Pick<
  Replayed,
  'marks' | 'recordedUsage' | 'recordedCharges' | 'simulatedUsage'
> {
  /** What the compactions of its agent lost. */
  readonly losses: readonly RecordedLoss[];
  /** What the recording lacks of its agent's requests; undefined if it seems complete. */
  readonly lacks: string | undefined;
}

/** Takes the share of the work that is done, 0..1. */
export type Progressed = (share: number) => void;

/** Receives a replay while it runs, so that its end leaves little to do. */
export interface ReplayWatch {
  readonly progressed: Progressed;
  /** Takes the next events; all have come when the result comes. */
  readonly replayed: (events: readonly SessionEvent[]) => void;
}

/** What a replay or report posts while it runs. */
export type WorkProgress =
  { readonly share: number } | { readonly events: readonly SessionEvent[] };

/** Estimates for the model of a recording. */
export type RecordingEstimator = Pick<Estimator, 'estimate' | 'warm'>;

/** Reads and replays recordings; the signal stops it. */
export interface RecordingWork {
  read(task: ReadTask, signal: AbortSignal): Promise<ReadResult | 'stopped'>;
  /** The text of a session in a database; throws if it cannot be read. */
  text(file: string): Promise<string>;
  replay(
    task: ReplayTask,
    watch: ReplayWatch,
    signal: AbortSignal,
  ): Promise<ReplayResult | 'stopped'>;
  /** The estimates of its replays, for what the panel weighs itself. */
  estimatorOf(transcript: Transcript): RecordingEstimator;
  /** Reports on it as its own agent ran it; undefined if it has no such step. */
  report(
    task: InspectedRecording,
    progressed: Progressed,
    signal: AbortSignal,
  ): Promise<SessionReport | 'stopped' | undefined>;
}

/** The task of one worker. */
export type RecordingTask =
  | { readonly read: ReadTask }
  | { readonly text: string }
  | ({ readonly replay: ReplayTask } & CountingInWorker)
  | ({ readonly report: InspectedRecording } & CountingInWorker);

/** The way to the tokenizer, and what this editor has learned. */
interface CountingInWorker {
  readonly counter: MessagePort | undefined;
  readonly learned: LearnedFactors;
}

/** A result of a worker, with its counts of texts. */
export interface Counted<T> {
  readonly result: T;
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Works in a thread for each task, so that a large file neither blocks the editor nor stays in its
 * heap. `workerPath` is the path of dist/recordingWorker.js.
 */
export function recordingThread(
  workerPath: string,
  estimator: Pick<
    WorkerEstimator,
    'startCounter' | 'openCounter' | 'learned' | 'takeCounts' | 'weighedFor'
  >,
): RecordingWork {
  /** The texts of another agent are weighed for its own model, as on the command line. */
  const learnedFor = (transcript: Transcript): LearnedFactors => {
    const { learned } = estimator;
    const model = modelOf(transcript) ?? learned.model;
    return model === learned.model ? learned : { ...learned, model, server: ANTHROPIC };
  };
  /** The panel weighs the same texts. */
  const counted = async <T>(
    work: { readonly replay: ReplayTask } | { readonly report: InspectedRecording },
    { progressed, replayed }: Pick<ReplayWatch, 'progressed'> & Partial<ReplayWatch>,
    signal: AbortSignal,
  ): Promise<T | 'stopped'> => {
    const counter = estimator.openCounter();
    const { transcript } = 'replay' in work ? work.replay : work.report;
    const task: RecordingTask = { ...work, counter, learned: learnedFor(transcript) };
    const transferList = counter === undefined ? [] : [counter];
    const run = { task, transferList };
    const take = (progress: WorkProgress): void => {
      if ('share' in progress) progressed(progress.share);
      else replayed?.(progress.events);
    };
    const done = await runInWorker<WorkProgress, Counted<T>>(workerPath, run, take, signal);
    if (done === 'stopped') return done;
    estimator.takeCounts(done.counts);
    return done.result;
  };
  return {
    async read(read, signal) {
      const task: RecordingTask = { read };
      estimator.startCounter();
      try {
        return await runInWorker<never, ReadResult>(workerPath, { task }, () => undefined, signal);
      } catch (error) {
        const message = `${read.file} could not be read. ${errorText(error)} Try again.`;
        return { ...refused(message), cause: 'other' };
      }
    },
    async text(file) {
      const run = { task: { text: file } satisfies RecordingTask };
      const never = new AbortController().signal;
      const read = await runInWorker<never, TextResult>(workerPath, run, () => undefined, never);
      if (read === 'stopped') throw new Error('it was stopped');
      if (!read.ok) throw new Error(read.message);
      return read.text;
    },
    estimatorOf: (transcript) => estimator.weighedFor(learnedFor(transcript)),
    replay: (replay, watch, signal) => counted({ replay }, watch, signal),
    report: (report, progressed, signal) => counted({ report }, { progressed }, signal),
  };
}

/** A recording that is not shown. */
export interface NotShown extends Refused {
  /**
   * The user stopped it; its file was deleted or is no recording; or it may be shown another time.
   */
  readonly cause: 'stopped' | 'lost' | 'other';
}

/** A recording as read from its file; `digest` identifies the text. */
export interface RecordingRead {
  readonly transcript: Transcript;
  readonly digest: string;
  /** Present for a Plimsoll session: then `transcript` is its conversation. */
  readonly own?: OwnSession;
  /** Present for a recording of another agent. */
  readonly captured?: CapturedSession;
  readonly capturesRead?: CapturesRead;
}

/** A short hash of a text, to compare it with another. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
