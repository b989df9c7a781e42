import type { AgentEvent } from '../../agent/agentEvent';
import type { TurnOutcome } from '../../contextWindow/event';
import type { Problem } from '../conversation/state';
import type { ControllerEffects } from './controllerEffects';

/** Hears what happens in a session, besides the views. */
export interface RunFollower {
  heard(event: AgentEvent): void;
  /** A turn is over. */
  ended(outcome: TurnOutcome): void;
  /** A turn could not begin; its prompt is put back into the queue. */
  refused(problem: Problem): void;
  /** A turn ended by a bug of ours, or a log that takes nothing more; the user was told. */
  broke(): void;
  /** The session rests, and another one is shown. */
  left(): void;
}

/** Those who follow one session. */
export class RunFollowers {
  readonly #all = new Set<RunFollower>();

  /** Tells them until the returned function is called. */
  add(follower: RunFollower): () => void {
    this.#all.add(follower);
    return () => this.#all.delete(follower);
  }

  /** Tells them that the session was left. */
  left(): void {
    for (const follower of this.#all) follower.left();
  }

  /** The effects of a session, of which the followers are told, too. */
  along(effects: ControllerEffects): ControllerEffects {
    const tell = (what: (follower: RunFollower) => void): void => {
      for (const follower of this.#all) what(follower);
    };
    return {
      ...effects,
      heard: (event) => {
        effects.heard(event);
        tell((follower) => follower.heard(event));
      },
      turnEnded: (outcome) => {
        effects.turnEnded(outcome);
        tell((follower) => follower.ended(outcome));
      },
      turnRefused: (problem) => {
        effects.turnRefused(problem);
        tell((follower) => follower.refused(problem));
      },
      report: (error) => {
        effects.report(error);
        tell((follower) => follower.broke());
      },
    };
  }
}
