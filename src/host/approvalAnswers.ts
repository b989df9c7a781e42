import type { Uri } from 'vscode';
import type { ApprovalAnswer } from '../agent/tool';
import type { Refusal } from '../contextWindow/result';
import type { RuleScope } from '../contextWindow/approvalRule';
import type { AgentController } from './agentController';
import type { ApprovalRules } from './approvalRules';
import type { Proposals } from './proposals';

/** With a yes: the place of what is allowed from now on, and for how long. */
export interface ChosenRule {
  readonly choice: number;
  readonly scope: RuleScope;
}

/** Takes the user's answers, wherever they give them: in the view, on a diff, in a notification. */
export class ApprovalAnswers {
  constructor(
    private readonly parts: {
      readonly controller: () => Pick<AgentController, 'questions'>;
      readonly rules: ApprovalRules;
      readonly proposals: () => Pick<Proposals, 'openCallOf'>;
      tell(message: string): void;
    },
  ) {}

  /** Answers a question; a rule that cannot be made leaves it open, and says why. */
  async answer(toolUseId: string, answer: ApprovalAnswer, rule?: ChosenRule): Promise<Refusal> {
    if (answer.approved && rule !== undefined) {
      const refusal = await this.parts.rules.allow(toolUseId, rule.choice, rule.scope);
      if (refusal !== undefined) return refusal;
    }
    return this.parts.controller().questions.answerApproval(toolUseId, answer);
  }

  /** Answers from outside the view, where a refusal has no place of its own. */
  async answerElsewhere(toolUseId: string, approved: boolean): Promise<void> {
    const refusal = await this.answer(toolUseId, { approved });
    if (refusal !== undefined) this.parts.tell(refusal);
  }

  /** Answers the proposal whose diff this is; undefined for none. */
  async answerDiff(uri: Uri | undefined, approved: boolean): Promise<void> {
    const toolUseId = uri === undefined ? undefined : this.parts.proposals().openCallOf(uri);
    if (toolUseId !== undefined) return this.answerElsewhere(toolUseId, approved);
    this.parts.tell('No proposed edit in front waits for an answer.');
  }
}
