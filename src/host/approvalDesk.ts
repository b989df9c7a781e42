import type { ApprovalAnswer } from '../agent/tool';

/** Holds the questions the agent waits for, by the id of the tool call. */
export class ApprovalDesk {
  readonly #open = new Map<string, (answer: ApprovalAnswer) => void>();

  /** Settles when the user answers, or with a no when the signal aborts. */
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

  /** Answers a question; false when it is not open (any more). */
  answer(toolUseId: string, answer: ApprovalAnswer): boolean {
    const settle = this.#open.get(toolUseId);
    settle?.(answer);
    return settle !== undefined;
  }
}
