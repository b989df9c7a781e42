import type { AgentDeps, PassReview, ProposedPass } from '../../agent/agentDeps';
import type { ApprovalAnswer } from '../../agent/tool';
import type { Refusal } from '../../contextWindow/result';
import type { PendingPass, RunFollowers } from './runFollowers';

/** Asks the user questions for the agent, and returns the answers. */
export class Questions {
  readonly #approvals = new OpenApprovals();
  readonly #passes = new OpenReview();

  constructor(private readonly followers: RunFollowers) {}

  /** The pass in review. */
  get pendingPass(): PendingPass | undefined {
    return this.#passes.pending;
  }

  /** Whether any question waits for the user. */
  get isWaiting(): boolean {
    return this.#approvals.isWaiting || this.pendingPass !== undefined;
  }

  /** Whether a question about this call waits for its answer. */
  isOpen(toolUseId: string): boolean {
    return this.#approvals.isOpen(toolUseId);
  }

  /** The channel of the agent's questions. */
  get ports(): Required<Pick<AgentDeps, 'approve' | 'reviewPass'>> {
    return {
      approve: (use, request, signal, further = []) => {
        const settle = this.followers.asked({ type: 'approval', use, request, further });
        return this.#approvals.ask(use.id, signal).finally(settle);
      },
      reviewPass: (proposed, signal) => {
        const isAgain = this.#passes.isPlanning;
        const review = this.#passes.ask(proposed, signal);
        // The user looks at it already.
        if (isAgain) return review.finally(() => this.followers.changed());
        return review.finally(this.followers.asked({ type: 'pass' }));
      },
    };
  }

  answerApproval(toolUseId: string, answer: ApprovalAnswer): Refusal {
    return this.#approvals.answer(toolUseId, answer)
      ? undefined
      : 'This question has been answered already.';
  }

  /** Passes on the user's answer to the pass in review; `id` says which pass the user read. */
  answerPass(id: number, review: PassReview): Refusal {
    return this.#passes.answer(id, review)
      ? undefined
      : 'This plan no longer waits for review: it was answered, or planned again.';
  }
}

/** Holds the questions the agent waits for, by the id of the tool call. */
class OpenApprovals {
  readonly #open = new Map<string, (answer: ApprovalAnswer) => void>();

  /** Resolves when the user answers, or with a denial when the signal aborts. */
  ask(toolUseId: string, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (signal.aborted) return Promise.resolve({ approved: false });
    return new Promise((resolve) => {
      const settle = (answer: ApprovalAnswer) => {
        this.#open.delete(toolUseId);
        signal.removeEventListener('abort', deny);
        resolve(answer);
      };
      const deny = () => settle({ approved: false });
      signal.addEventListener('abort', deny);
      this.#open.set(toolUseId, settle);
    });
  }

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  isOpen(toolUseId: string): boolean {
    return this.#open.has(toolUseId);
  }

  /** Answers a question; false if it is no longer open. */
  answer(toolUseId: string, answer: ApprovalAnswer): boolean {
    const settle = this.#open.get(toolUseId);
    settle?.(answer);
    return settle !== undefined;
  }
}

/** Counted across all sessions: an answer to one session's pass never counts for another's. */
let asked = 0;

/** Holds the pass in review; there is at most one, since the agent waits meanwhile. */
export class OpenReview {
  #pending: PendingPass | undefined;
  #settle: ((review: PassReview) => void) | undefined;

  get pending(): PendingPass | undefined {
    return this.#pending;
  }

  /** Says whether the pass is being planned again around spared blocks: it is asked about again. */
  get isPlanning(): boolean {
    return this.#pending !== undefined && this.#settle === undefined;
  }

  /** Resolves with the user's answer, or with `postpone` when the signal aborts. */
  ask(proposed: ProposedPass, signal: AbortSignal): Promise<PassReview> {
    if (signal.aborted) {
      this.#pending = undefined;
      return Promise.resolve({ type: 'postpone' });
    }
    const id = ++asked;
    this.#pending = { id, reviewId: this.#pending?.reviewId ?? id, proposed };
    return new Promise((resolve) => {
      const settle = (review: PassReview) => {
        // A pass that is planned again stays on screen until then.
        if (review.type !== 'spare') this.#pending = undefined;
        else if (this.#pending !== undefined) {
          this.#pending = { ...this.#pending, isPlanning: true };
        }
        this.#settle = undefined;
        signal.removeEventListener('abort', postpone);
        if (review.type === 'spare') {
          signal.addEventListener('abort', () => (this.#pending = undefined), { once: true });
        }
        resolve(review);
      };
      const postpone = () => settle({ type: 'postpone' });
      signal.addEventListener('abort', postpone);
      this.#settle = settle;
    });
  }

  /** Passes on the user's answer to a pass; false if the pass is no longer waiting. */
  answer(id: number, review: PassReview): boolean {
    if (this.#pending?.id !== id || this.#settle === undefined) return false;
    this.#settle(review);
    return true;
  }
}
