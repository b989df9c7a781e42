import type { Uri } from 'vscode';
import type { ApprovalAnswer } from '../../agent/tool';
import type { Refusal } from '../../contextWindow/result';
import type { RuleScope } from '../../contextWindow/approvalRule';
import type { AgentController } from '../session/agentController';
import type { ApprovalRules } from './approvalRules';
import type { Proposals } from './proposals';
import type { SessionRun } from '../session/sessionRun';

/** With a yes: the place of what is allowed from now on, and for how long. */
export interface ChosenRule {
  readonly choice: number;
  readonly scope: RuleScope;
}

/** Takes the user's answers, wherever they give them: in the view, on a diff, in a notification. */
export class ApprovalAnswers {
  constructor(
    private readonly parts: {
      readonly controller: () => Pick<AgentController, 'asking' | 'shown'>;
      /** The standing answers of a session. */
      readonly rulesOf: (run: SessionRun) => ApprovalRules;
      readonly proposals: () => Pick<Proposals, 'openCallOf'>;
      tell(message: string): void;
    },
  ) {}

  /** Answers a question of a session, the one shown unless said otherwise; a rule that cannot be made leaves it open, and says why. */
  async answer(
    toolUseId: string,
    answer: ApprovalAnswer,
    rule?: ChosenRule,
    run = this.parts.controller().shown,
  ): Promise<Refusal> {
    if (answer.approved && rule !== undefined) {
      const refusal = await this.parts.rulesOf(run).allow(toolUseId, rule.choice, rule.scope);
      if (refusal !== undefined) return refusal;
    }
    return run.questions.answerApproval(toolUseId, answer);
  }

  /** Answers from outside the view, where a refusal has no place of its own. */
  async answerElsewhere(toolUseId: string, approved: boolean, run?: SessionRun): Promise<void> {
    const asking = run ?? this.parts.controller().asking(toolUseId);
    const refusal = await this.answer(toolUseId, { approved }, undefined, asking);
    if (refusal !== undefined) this.parts.tell(refusal);
  }

  /** Answers the proposal whose diff this is; undefined for none. */
  async answerDiff(uri: Uri | undefined, approved: boolean): Promise<void> {
    const toolUseId = uri === undefined ? undefined : this.parts.proposals().openCallOf(uri);
    if (toolUseId !== undefined) return this.answerElsewhere(toolUseId, approved);
    this.parts.tell('The editor in front shows no proposed edit that is waiting for an answer.');
  }
}
