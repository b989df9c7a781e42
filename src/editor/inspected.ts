import type { PendingPass } from './session/runFollowers';
import type { ContextWindow } from '../contextWindow/window';
import type { SessionEvent } from '../contextWindow/event';
import type { PolicyName } from '../contextWindow/plan';
import type { Usage } from '../contextWindow/account/spending';
import type { Transcript } from '../sessions/transcript';
import type { SourceView } from './contextPanel/state';
import type { SessionLinks } from './sessions/state';
import type { ValidSettings } from '../settings/windowBudget';

/** A session the Context panel looks at: the current one, or one from a file. */
export interface Inspected {
  readonly source: SourceView;
  readonly title: string;
  /** The sessions it goes on with or in; absent for none. */
  readonly links?: SessionLinks;
  readonly model: string;
  readonly offline: boolean;
  readonly events: readonly SessionEvent[];
  /** The window as it is now: what `events` fold to. */
  readonly window: ContextWindow;
  readonly inForce: ValidSettings;
  /** The policy in force; for a recording it may be one that only replays have. */
  readonly policy: PolicyName;
  readonly busy: boolean;
  /** The pass that waits for the user's answer. */
  readonly pendingPass: PendingPass | undefined;
  /** What is wrong with the settings. */
  readonly problem: string | undefined;
  /** A pass waits for the user's answer in the current session, while this is shown instead. */
  readonly reviewWaits?: boolean;
  /** The id in the file of a session of Plimsoll's own, which goes by another here. */
  readonly idInFile?: string;
  /** Of a replay: the recording that was replayed. */
  readonly transcript?: Transcript;
  /** Where the recording's own agent compacted. */
  readonly compactions?: readonly RecordedCompaction[];
  /** What the recording's API reported to its own agent, by step: that is what the agent paid. */
  readonly recordedUsage?: ReadonlyMap<number, Usage>;
  /** What Plimsoll's own requests would have taken in a replay, by step, with a simulated cache. */
  readonly simulatedUsage?: ReadonlyMap<number, Usage>;
}

/** Names what is looked at; the name stays the same while a session or a recording grows. */
export function nameOf({ window }: Pick<Inspected, 'window'>): string {
  return window.sessionId;
}

/** The log of what is shown, one event a line; a session opened from a file has its own id in it. */
export function logText({ events, idInFile }: Pick<Inspected, 'events' | 'idInFile'>): string {
  const lines = events.map((event) =>
    event.type === 'sessionStarted' && idInFile !== undefined
      ? { ...event, sessionId: idInFile }
      : event,
  );
  return lines.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** A compaction by the agent of a recording, before the step with that number. */
export interface RecordedCompaction {
  readonly step: number;
  readonly summary?: string;
  /** Tool results it cleared. */
  readonly cleared?: number;
  /** Prompts and steps it kept in addition to its summary. */
  readonly kept?: number;
}

/**
 * A moment of a session: a step, for its request, or 'now' for the request that would be sent next.
 */
export type Moment = number | 'now';
