import type { AgentDeps, PassReview } from '../../agent/agentDeps';
import type { ApprovalAnswer, ApprovalRequest } from '../../agent/tool';
import type { ToolUse } from '../../contextWindow/block';
import type { FurtherEdit } from '../../agent/editsTogether';
import { PassDesk } from './passDesk';
import { type PendingPass } from '../contextPanel/inspected';
import type { Refusal } from '../../contextWindow/result';

/** Where questions are shown. */
export interface QuestionEffects {
  /** Shows the user what they are asked about, until the returned function is called. */
  showProposal(
    use: ToolUse,
    request: ApprovalRequest,
    further?: readonly FurtherEdit[],
  ): () => void;
  /** What the user made of proposed edits, whole texts by the id of the call. */
  revisedTexts(): Readonly<Record<string, string>>;
  /** Calls for the user's answer to a pass, until the returned function is called. */
  showReview(): () => void;
}

/** Asks the user questions for the agent, and returns the answers. */
export class Questions {
  readonly #approvals = new ApprovalDesk();
  readonly #passes = new PassDesk();

  constructor(private readonly effects: QuestionEffects) {}

  /** The pass that waits for the user's answer. */
  get pendingPass(): PendingPass | undefined {
    return this.#passes.pending;
  }

  /** Says whether anything waits for the user's answer. */
  get isWaiting(): boolean {
    return this.#approvals.isWaiting || this.pendingPass !== undefined;
  }

  /** Says whether a question about this call waits for its answer. */
  isOpen(toolUseId: string): boolean {
    return this.#approvals.isOpen(toolUseId);
  }

  /** What the agent asks its questions through. */
  get ports(): Required<Pick<AgentDeps, 'approve' | 'reviewPass'>> {
    const { effects } = this;
    return {
      approve: (use, request, signal, further) =>
        shown(effects.showProposal(use, request, further), this.#approvals.ask(use.id, signal)),
      reviewPass: (proposed, signal) => {
        const review = this.#passes.ask(proposed, signal);
        return shown(effects.showReview(), review);
      },
    };
  }

  answerApproval(toolUseId: string, answer: ApprovalAnswer): Refusal {
    const { revisedTexts } = this.effects;
    const given = answer.approved ? { ...answer, revised: revisedTexts() } : answer;
    return this.#approvals.answer(toolUseId, given)
      ? undefined
      : 'This question has been answered already.';
  }

  /** Passes on the user's answer to the waiting pass; `id` says which pass the user read. */
  answerPass(id: number, review: PassReview): Refusal {
    return this.#passes.answer(id, review)
      ? undefined
      : 'This pass is no longer waiting for review.';
  }
}

async function shown<T>(hide: () => void, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    hide();
  }
}

/** Holds the questions the agent waits for, by the id of the tool call. */
class ApprovalDesk {
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

  get isWaiting(): boolean {
    return this.#open.size > 0;
  }

  isOpen(toolUseId: string): boolean {
    return this.#open.has(toolUseId);
  }

  /** Answers a question; false when it is not open (any more). */
  answer(toolUseId: string, answer: ApprovalAnswer): boolean {
    const settle = this.#open.get(toolUseId);
    settle?.(answer);
    return settle !== undefined;
  }
}
