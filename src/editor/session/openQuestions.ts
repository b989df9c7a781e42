import type { FurtherEdit } from '../../agent/approvals/editsTogether';
import * as vscode from 'vscode';

import type { ApprovalRequest } from '../../agent/tool';
import type { ToolUse } from '../../contextWindow/block';
import { visiblePath } from '../../contextWindow/visibleText';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { approvalNotice, sessionName } from '../approvals/approvalNotice';
import { approvalView } from '../approvals/derive';
import { proposedEdit, type Proposals } from '../approvals/proposals';
import type { SessionRun } from './sessionRun';

/** What calling for answers needs from outside. */
export interface OpenQuestionParts {
  isShown(run: SessionRun): boolean;
  /** Whether the user has the Agent view before them. */
  isInSight(): boolean;
  setBadge(waiting: number, tooltip: string): void;
  readonly proposals: () => Pick<Proposals, 'add' | 'open' | 'close'>;
  /** The Context panel shows the session shown, so that a pass can be reviewed there. */
  isReviewInSight(): boolean;
  /** Brings a session up, in the Agent view or, for a pass, in the Context panel. */
  show(run: SessionRun, where: 'agentView' | 'contextPanel'): Promise<void>;
  answer(run: SessionRun, toolUseId: string, approved: boolean): void;
  /** Runs work whose failure is our bug. */
  background(work: () => Promise<unknown>): void;
}

interface OpenQuestion {
  readonly run: SessionRun;
  /** What is asked, in words. */
  readonly name: string;
  /** The call whose diff goes with it; absent for none. */
  readonly diffOf?: string;
  /** Asks in a notification. */
  readonly ask: () => void;
  isAsked: boolean;
}

/**
 * The questions of the agent that wait, in whichever session: marks the Agent view, shows what is
 * proposed, and asks in a notification, once, what the user does not have before them.
 */
export class OpenQuestions {
  readonly #open = new Set<OpenQuestion>();

  constructor(private readonly parts: OpenQuestionParts) {}

  /**
   * Calls for the answer to an approval until the returned function is called. The diff of an edit opens
   * once its session is shown, and has the further ones at hand.
   */
  showProposal(
    run: SessionRun,
    use: ToolUse,
    request: ApprovalRequest,
    { root, further }: { readonly root: string; readonly further: readonly FurtherEdit[] },
  ): () => void {
    const edits = [{ use, request }, ...further].flatMap((one) => {
      const edit = proposedEdit(one.request);
      return edit === undefined ? [] : [{ id: one.use.id, edit }];
    });
    const proposals = this.parts.proposals();
    for (const { id, edit } of edits) proposals.add(id, edit, vscode.Uri.file(root));
    const view = approvalView(use.id, request);
    const { kind, title, subject } = view;
    const isNamed = kind === 'memory' || kind === 'delete';
    const answered = this.#add({
      run,
      name: `Waiting for your answer: ${isNamed ? `${title} ${visiblePath(subject, 60)}` : title}`,
      ...(edits.length === 0 ? {} : { diffOf: use.id }),
      ask: () => {
        const isShown = this.parts.isShown(run);
        const { message, mayAnswer } = approvalNotice(view, isShown ? undefined : titleOf(run));
        const answers = mayAnswer ? ['Allow', 'Deny'] : [];
        this.#notify(message, answers, async (choice) => {
          if (choice === 'Show') await this.parts.show(run, 'agentView');
          else this.parts.answer(run, use.id, choice === 'Allow');
        });
      },
    });
    return () => {
      answered();
      for (const { id } of edits) this.parts.background(() => proposals.close(id));
    };
  }

  /** Calls for the answer to a pass, which is given in the Context panel. */
  showReview(run: SessionRun): () => void {
    const isInSight = this.parts.isShown(run) && this.parts.isReviewInSight();
    const where = this.parts.isShown(run) ? '' : ` (${sessionName(titleOf(run))})`;
    const message = `Plimsoll: a pass is waiting for your review in the Context panel${where}.`;
    const ask = (): void => this.#notify(message, [], () => this.parts.show(run, 'contextPanel'));
    if (!isInSight) ask();
    return this.#add({ run, name: 'Review this pass', ask }, true);
  }

  /** Asks what waits in the session shown, because the Agent view is out of sight now. */
  outOfSight(): void {
    for (const question of this.#open)
      if (this.parts.isShown(question.run)) this.#askOnce(question);
  }

  /** Draws what waits anew, because another session is shown. */
  sessionChanged(): void {
    this.#mark();
    for (const { run, diffOf } of this.#open) {
      if (diffOf !== undefined && this.parts.isShown(run)) this.#openDiff(diffOf);
    }
  }

  #add(asked: Omit<OpenQuestion, 'isAsked'>, isAsked = false): () => void {
    const question = { ...asked, isAsked };
    const isShown = this.parts.isShown(question.run);
    this.#open.add(question);
    this.#mark();
    if (isShown && question.diffOf !== undefined) this.#openDiff(question.diffOf);
    if (!isShown || !this.parts.isInSight()) this.#askOnce(question);
    return () => {
      this.#open.delete(question);
      this.#mark();
    };
  }

  #askOnce(question: OpenQuestion): void {
    if (question.isAsked) return;
    question.isAsked = true;
    question.ask();
  }

  #mark(): void {
    const words = [...this.#open].map(({ run, name }) =>
      this.parts.isShown(run) ? name : `${name} (in “${titleOf(run)}”)`,
    );
    this.parts.setBadge(words.length, words.join('\n'));
  }

  #openDiff(toolUseId: string): void {
    this.parts.background(() => this.parts.proposals().open(toolUseId));
  }

  #notify(
    message: string,
    answers: readonly string[],
    chosen: (choice: string) => Promise<void>,
  ): void {
    this.parts.background(async () => {
      const choice = await vscode.window.showInformationMessage(message, 'Show', ...answers);
      if (choice !== undefined) await chosen(choice);
    });
  }
}

function titleOf({ window }: SessionRun): string {
  return titleOfWindow(window);
}
