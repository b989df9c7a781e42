import type { ApprovalAnswer } from '../../agent/tool';
import type { Refusal } from '../../contextWindow/result';
import type { RuleScope } from '../../contextWindow/approvalRule';
import type { CurrentSession } from '../session/currentSession';
import type { RunSession } from '../session/turnSource';
import type { ApprovalRules } from './approvalRules';
import type { Proposals } from './proposals';
import type { SessionRun } from '../session/sessionRun';

/** With Allow: the index of the choice that becomes a rule, and its scope. */
interface ChosenRule {
  readonly choice: number;
  readonly scope: RuleScope;
}

/** Takes the user's answers from anywhere: the view, a diff, a notification, the chat. */
export class ApprovalAnswers {
  constructor(
    private readonly parts: {
      readonly current: Pick<CurrentSession, 'asking' | 'run'>;
      readonly rulesOf: (run: RunSession) => ApprovalRules;
      readonly proposals: Pick<Proposals, 'callAt' | 'revisedTexts'>;
      readonly notices: { tell(message: string): void };
    },
  ) {}

  readonly commands = {
    allowProposal: (uri: unknown) => this.answerDiff(uri, true),
    denyProposal: (uri: unknown) => this.answerDiff(uri, false),
  };

  /**
   * Answers a question, by default of the session shown. If the rule cannot be created, the
   * question stays open, and the result says why.
   */
  async answer(
    toolUseId: string,
    answer: ApprovalAnswer,
    rule?: ChosenRule,
    run = this.parts.current.run,
  ): Promise<Refusal> {
    if (answer.approved && rule !== undefined) {
      const refusal = await this.parts.rulesOf(run).allow(toolUseId, rule.choice, rule.scope);
      if (refusal !== undefined) return refusal;
    }
    const { revisedTexts } = this.parts.proposals;
    const given = answer.approved ? { ...answer, revised: revisedTexts } : answer;
    return run.questions.answerApproval(toolUseId, given);
  }

  /** Answers from outside the view; a refusal is shown in a notification. */
  async answerElsewhere(toolUseId: string, approved: boolean, run?: SessionRun): Promise<void> {
    const asking = run ?? this.parts.current.asking(toolUseId);
    const refusal = await this.answer(toolUseId, { approved }, undefined, asking);
    if (refusal !== undefined) this.parts.notices.tell(refusal);
  }

  /** Answers the proposal of a diff, by its address, or else of the diff in the active tab. */
  async answerDiff(uri: unknown, approved: boolean): Promise<void> {
    const toolUseId = this.parts.proposals.callAt(uri);
    if (toolUseId !== undefined) return this.answerElsewhere(toolUseId, approved);
    this.parts.notices.tell('The active editor shows no proposed edit that waits for an answer.');
  }
}
