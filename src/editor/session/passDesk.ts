import type { PendingPass } from '../contextPanel/inspected';
import type { ProposedPass, PassReview } from '../../agent/agentDeps';

/** Counted over all sessions: an answer to the pass of one is never taken for that of another. */
let asked = 0;

/**
 * Holds the pass the user is asked about; there is at most one, since the agent waits meanwhile.
 */
export class PassDesk {
  #pending: PendingPass | undefined;
  #settle: ((review: PassReview) => void) | undefined;

  get pending(): PendingPass | undefined {
    return this.#pending;
  }

  /** Settles with the user's answer, or with `postpone` when the signal aborts. */
  ask(proposed: ProposedPass, signal: AbortSignal): Promise<PassReview> {
    if (signal.aborted) return Promise.resolve({ type: 'postpone' });
    this.#pending = { id: ++asked, proposed };
    return new Promise((resolve) => {
      const settle = (review: PassReview) => {
        this.#pending = undefined;
        this.#settle = undefined;
        signal.removeEventListener('abort', postpone);
        resolve(review);
      };
      const postpone = () => settle({ type: 'postpone' });
      signal.addEventListener('abort', postpone);
      this.#settle = settle;
    });
  }

  /** Passes on the user's answer to a pass; false when the pass is not waiting (any more). */
  answer(id: number, review: PassReview): boolean {
    if (this.#pending?.id !== id) return false;
    this.#settle?.(review);
    return true;
  }
}
