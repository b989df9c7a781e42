import type { ProposedPass } from '../../agent/agentDeps';
import type { AgentEvent } from '../../agent/agentEvent';
import type { FurtherEdit } from '../../agent/approvals/editsTogether';
import type { ApprovalRequest } from '../../agent/tool';
import type { ToolUse } from '../../contextWindow/block';
import type { TurnOutcome } from '../../contextWindow/event';
import type { Problem } from './state';

/** The pass in review, with the id that its answer needs: each plan that is shown has its own. */
export interface PendingPass {
  readonly id: number;
  /** The id of the first plan; it stays while the pass is planned again around spared blocks. */
  readonly reviewId: number;
  /** The pass is being planned again: no answer counts until then. */
  readonly isPlanning?: true;
  readonly proposed: ProposedPass;
}

/** A question of the agent that waits for the user. */
export type Question =
  | {
      readonly type: 'approval';
      readonly use: ToolUse;
      readonly request: ApprovalRequest;
      /** Edits of the same reply that are proposed together with this one. */
      readonly further: readonly FurtherEdit[];
    }
  | { readonly type: 'pass' };

/** Receives the events of a session; a follower has the methods that it needs. */
export interface RunFollower {
  /** The state in the views has changed. */
  changed?(): void;
  /** The window has texts that were not counted yet. */
  textsChanged?(): void;
  heard?(event: AgentEvent): void;
  ended?(outcome: TurnOutcome): void;
  /** A turn could not begin; its prompt is back in the queue. */
  refused?(problem: Problem): void;
  /** A turn was ended by a bug of ours, or by a log that cannot be written. */
  broke?(error: unknown): void;
  /** The agent asks; the returned function is called once the question is settled. */
  asked?(question: Question): () => void;
  /** The session is idle, and another one is shown. */
  left?(): void;
}

/** Sends the events of a session to its followers. */
export class RunFollowers implements Required<RunFollower> {
  readonly #all = new Set<RunFollower>();

  /** Sends events to a follower until the returned function is called. */
  add(follower: RunFollower): () => void {
    this.#all.add(follower);
    return () => this.#all.delete(follower);
  }

  changed(): void {
    for (const follower of this.#all) follower.changed?.();
  }

  textsChanged(): void {
    for (const follower of this.#all) follower.textsChanged?.();
  }

  heard(event: AgentEvent): void {
    for (const follower of this.#all) follower.heard?.(event);
  }

  ended(outcome: TurnOutcome): void {
    for (const follower of this.#all) follower.ended?.(outcome);
  }

  refused(problem: Problem): void {
    for (const follower of this.#all) follower.refused?.(problem);
  }

  broke(error: unknown): void {
    for (const follower of this.#all) follower.broke?.(error);
  }

  asked(question: Question): () => void {
    const settled = [...this.#all].map((follower) => follower.asked?.(question));
    return () => {
      for (const settle of settled) settle?.();
    };
  }

  left(): void {
    for (const follower of this.#all) follower.left?.();
  }
}
