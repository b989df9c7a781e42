import type { Refusal } from '../../contextWindow/result';
import type { SourceView } from './state';

/** What the panel asks for that leads to another session. */
export interface SessionActions {
  /** Makes a session of everything up to a step, and shows it. */
  forkAt(step: number): Promise<Refusal>;
  /** Makes a session that goes on with this one's work, and shows it. */
  handOver(): Promise<Refusal>;
  /** Closes the session as over. */
  closeShown(): Promise<Refusal>;
  /** Shows a session this one is linked to. */
  openLinked(session: string): Promise<Refusal>;
}

/** Says why the session shown cannot be left; `done` names the action. */
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
