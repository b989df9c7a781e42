import type { AgentDeps } from '../agent/agentDeps';
import type { PassReview } from '../agent/passReview';
import type { ApprovalAnswer, ApprovalRequest } from '../agent/tool';
import type { ToolUse } from '../contextWindow/block';
import { ApprovalDesk } from './approvalDesk';
import { PassDesk, type PendingPass } from './passDesk';
import type { Refusal } from './refusal';

/** Where questions are shown. */
export interface QuestionEffects {
  /** Shows the user what they are asked about, until the returned function is called. */
  showProposal(use: ToolUse, request: ApprovalRequest): () => void;
  /** Calls for the user's word on a pass, until the returned function is called. */
  showReview(): () => void;
}

/** Asks the user for the agent, and hands the answers back. */
export class Questions {
  readonly #approvals = new ApprovalDesk();
  readonly #passes = new PassDesk();

  constructor(private readonly effects: QuestionEffects) {}

  /** The pass that waits for the user's word. */
  get pendingPass(): PendingPass | undefined {
    return this.#passes.pending;
  }

  /** What the agent asks through. */
  get ports(): Required<Pick<AgentDeps, 'approve' | 'reviewPass'>> {
    const { effects } = this;
    return {
      approve: (use, request, signal) =>
        shown(effects.showProposal(use, request), this.#approvals.ask(use.id, signal)),
      reviewPass: (draft, signal) => {
        const review = this.#passes.ask(draft, signal);
        return shown(effects.showReview(), review);
      },
    };
  }

  answerApproval(toolUseId: string, answer: ApprovalAnswer): Refusal {
    return this.#approvals.answer(toolUseId, answer)
      ? undefined
      : 'This question has been answered already.';
  }

  /** Gives the user's word on the pass that waits; `draft` says which one was read. */
  answerPass(draft: number, review: PassReview): Refusal {
    return this.#passes.answer(draft, review) ? undefined : 'This pass no longer waits.';
  }
}

async function shown<T>(hide: () => void, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } finally {
    hide();
  }
}
