import type { Estimator } from '../../agent/model';
import type { PendingPass } from './runFollowers';
import type { ContextWindow } from '../../contextWindow/window';
import type { SessionEvent } from '../../contextWindow/event';
import type { PolicyName } from '../../contextWindow/plan';
import type { Charge, Usage } from '../../contextWindow/account/spending';
import type { CapturedSession } from '../../recordings/captures/capturedCall';
import type { RecordedLoss } from '../../replay/losses/recordedLoss';
import type { RecordedMark } from '../../replay/recorded';
import type { Transcript } from '../../sessions/transcript';
import type { SourceView } from './state';
import type { SessionLinks, WindowView } from './state';
import type { ValidSettings } from '../../settings/windowBudget';

/** A session in the Context panel: the current one, or one from a file. */
export interface Inspected {
  readonly source: SourceView;
  readonly title: string;
  /** The sessions it continues, or that continue it; absent for none. */
  readonly links?: SessionLinks;
  /** The windows of the session; absent if it has no sub-agents. */
  readonly windows?: readonly WindowView[];
  readonly model: string;
  readonly offline: boolean;
  readonly events: readonly SessionEvent[];
  /** The present window: the fold of `events`. */
  readonly window: ContextWindow;
  readonly inForce: ValidSettings;
  /** The current policy; for a recording it may be one that only replays use. */
  readonly policy: PolicyName;
  readonly busy: boolean;
  /** The pass in review. */
  readonly pendingPass: PendingPass | undefined;
  /** The problems of the settings. */
  readonly problem: string | undefined;
  /** A pass waits for review in the current session, while this one is shown instead. */
  readonly reviewWaits?: boolean;
  /** The id in the file of a Plimsoll session, which has another name here. */
  readonly idInFile?: string;
  /** For a replay: its recording. */
  readonly transcript?: Transcript;
  /** For a recording: the requests that its agent was made to record. */
  readonly captured?: CapturedSession | undefined;
  /** What the compactions of the recording's own agent lost; absent or empty for none. */
  readonly losses?: readonly RecordedLoss[];
  /** Where the recording's own agent compacted. */
  readonly compactions?: readonly RecordedMark[];
  /**
   * The usage that the recording's API reported to its own agent, by step: that agent paid for it.
   */
  readonly recordedUsage?: ReadonlyMap<number, Usage>;
  /** For a recording: what its own agent was charged, by step. */
  readonly recordedCharges?: ReadonlyMap<number, readonly Charge[]>;
  /**
   * The simulated usage of Plimsoll's own requests in a replay, by step, with a simulated cache.
   */
  readonly simulatedUsage?: ReadonlyMap<number, Usage>;
  /** For a replay: the estimates for the recording's model; elsewhere those of the current model. */
  readonly estimator?: Pick<Estimator, 'estimate' | 'warm'>;
}

/** Names the shown session or recording; the name stays the same while it grows. */
export function nameOf({ window }: Pick<Inspected, 'window'>): string {
  return window.sessionId;
}

/** The log of the shown session, one event a line; for a session from a file, with its own id. */
export function logText({ events, idInFile }: Pick<Inspected, 'events' | 'idInFile'>): string {
  const lines = events.map((event) =>
    event.type === 'sessionStarted' && idInFile !== undefined
      ? { ...event, sessionId: idInFile }
      : event,
  );
  return lines.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** A moment of a session: a step, for its request, or 'now' for the next request. */
export type Moment = number | 'now';
