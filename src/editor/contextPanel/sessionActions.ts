import type { Refusal } from '../../contextWindow/result';
import type { SourceView } from '../session/state';

/** The panel's requests that lead to another session. */
export interface SessionActions {
  /** Forks the session at a step, and shows the fork. */
  forkAt(step: number): Promise<Refusal>;
  /** Starts a session that continues this one's work, and shows it. */
  handOver(): Promise<Refusal>;
  /** Closes the session as over. */
  closeShown(): Promise<Refusal>;
  /** Shows a linked session. */
  openLinked(session: string): Promise<Refusal>;
}

/** Why the current session cannot be left; `done` names the action. */
export function whyNotLeft(source: SourceView, isBusy: boolean, done: string): Refusal {
  if (source.type === 'recording') {
    return source.format === 'plimsoll'
      ? `A session opened from a file cannot be ${done}. Open it from the list of sessions for that.`
      : `A recording of another agent cannot be continued. Only sessions can be ${done}.`;
  }
  return isBusy
    ? `The agent is working. The session can be ${done} when its turn has ended. Nothing was done.`
    : undefined;
}
