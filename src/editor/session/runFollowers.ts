import type { ProposedPass } from '../../agent/agentDeps';
import type { AgentEvent } from '../../agent/agentEvent';
import type { FurtherEdit } from '../../agent/approvals/editsTogether';
import type { ApprovalRequest } from '../../agent/tool';
import type { ToolUse } from '../../contextWindow/block';
import type { TurnOutcome } from '../../contextWindow/event';
import type { Problem } from './state';

/** The pass the user is asked about, with the number by which it is answered. */
export interface PendingPass {
  readonly id: number;
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

/** Hears what happens in a session; a follower has the methods that concern it. */
export interface RunFollower {
  /** What the views show of the session has changed. */
  changed?(): void;
  /** The window shows texts that were not counted yet. */
  textsChanged?(): void;
  heard?(event: AgentEvent): void;
  ended?(outcome: TurnOutcome): void;
  /** A turn could not begin; its prompt is back in the queue. */
  refused?(problem: Problem): void;
  /** A turn ended by a bug of ours, or by a log that takes no more events. */
  broke?(error: unknown): void;
  /** The agent asks; the returned function is called once the question is settled. */
  asked?(question: Question): () => void;
  /** The session rests, and another one is shown. */
  left?(): void;
}

/** Announces what happens in a session to those who follow it. */
export class RunFollowers implements Required<RunFollower> {
  readonly #all = new Set<RunFollower>();

  /** Announces to a follower until the returned function is called. */
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
