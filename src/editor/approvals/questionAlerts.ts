import * as vscode from 'vscode';

import { visiblePath } from '../../contextWindow/visibleText';
import { titleOfWindow } from '../../sessions/sessionTitle';
import { approvalNotice } from './approvalNotice';
import { sessionName } from '../session/turnNotices';
import { approvalView } from '../session/derive';
import { proposedEdit, type Proposals } from './proposals';
import type { Refusal } from '../../contextWindow/result';
import type { OpenFolders } from '../openFolders';
import type { Report } from '../report';
import type { CurrentSession } from '../session/currentSession';
import type { Question } from '../session/runFollowers';
import type { ApprovalAnswers } from './approvalAnswers';
import type { SessionRun } from '../session/sessionRun';

/** The features and pages that show questions and take the answers. */
interface QuestionFeatures {
  readonly proposals: Pick<Proposals, 'add' | 'open' | 'close'>;
  /** Shows an edit in its file, where the user asked for it there. */
  readonly inPlace: {
    show(run: SessionRun, toolUseId: string): Promise<boolean>;
    hide(toolUseId: string): Promise<void>;
  };
  readonly answers: Pick<ApprovalAnswers, 'answerElsewhere'>;
  readonly agentView: {
    readonly isLive: boolean;
    setBadge(waiting: number, tooltip: string): void;
  };
  readonly panel: {
    readonly isLive: boolean;
    /** Undefined while the panel shows the present of the current session. */
    readonly inspection: { readonly whyReadOnly: Refusal };
    showCurrent(): void;
    open(): void;
  };
}

interface OpenQuestion {
  readonly run: SessionRun;
  /** The question, in words. */
  readonly name: string;
  /** The call whose diff goes with it; absent for none. */
  readonly diffOf?: string;
  /** Asks in a notification. */
  readonly ask: () => void;
  isAsked: boolean;
}

/**
 * The agent's open questions in all sessions: marks the Agent view, shows what is
 * proposed, and asks in a notification, once, what the user does not have before them.
 */
export class QuestionAlerts {
  readonly #open = new Set<OpenQuestion>();

  constructor(
    private readonly services: {
      readonly report: Pick<Report, 'run'>;
      readonly folders: Pick<OpenFolders, 'now'>;
    },
    private readonly current: Pick<CurrentSession, 'run' | 'showRun'>,
    private readonly features: QuestionFeatures,
  ) {}

  /** Calls for the user's answer until the returned function is called. */
  asked(run: SessionRun, question: Question): () => void {
    return question.type === 'pass' ? this.#showReview(run) : this.#showProposal(run, question);
  }

  /** Asks what waits in the session shown, because the Agent view is out of sight now. */
  outOfSight(): void {
    for (const question of this.#open) if (this.#isShown(question.run)) this.#askOnce(question);
  }

  /** Shows the open questions again after another session was opened. */
  sessionChanged(): void {
    this.#mark();
    for (const { run, diffOf } of this.#open) {
      if (diffOf !== undefined && this.#isShown(run)) this.#openDiff(run, diffOf);
    }
  }

  /**
   * Calls for the answer to an approval until the returned function is called. The diff of an edit opens
   * once its session is shown, and has the further ones at hand.
   */
  #showProposal(
    run: SessionRun,
    { use, request, further }: Extract<Question, { readonly type: 'approval' }>,
  ): () => void {
    const edits = [{ use, request }, ...further].flatMap((one) => {
      const edit = proposedEdit(one.request);
      return edit === undefined ? [] : [{ id: one.use.id, edit }];
    });
    const { answers, inPlace, proposals } = this.features;
    const folders = this.services.folders.now;
    const absolute = (path: string) => folders?.absolute(path) ?? path;
    for (const { id, edit } of edits) proposals.add(id, edit, absolute);
    const view = approvalView(use.id, request);
    const { kind, title, subject } = view;
    const isNamed = kind === 'memory' || kind === 'delete';
    const answered = this.#add({
      run,
      name: `Waiting for your answer: ${isNamed ? `${title} ${visiblePath(subject, 60)}` : title}`,
      ...(edits.length === 0 ? {} : { diffOf: use.id }),
      ask: () => {
        const isShown = this.#isShown(run);
        const { message, mayAnswer } = approvalNotice(view, isShown ? undefined : titleOf(run));
        const buttons = mayAnswer ? ['Allow', 'Deny'] : [];
        this.#notify(message, buttons, async (choice) => {
          if (choice === 'Show') await this.current.showRun(run);
          else await answers.answerElsewhere(use.id, choice === 'Allow', run);
        });
      },
    });
    return () => {
      answered();
      this.services.report.run(() => inPlace.hide(use.id));
      for (const { id } of edits) this.services.report.run(() => proposals.close(id));
    };
  }

  /** Calls for the answer to a pass, which is given in the Context panel. */
  #showReview(run: SessionRun): () => void {
    const isInSight = this.#isShown(run) && this.#isReviewInSight;
    const where = this.#isShown(run) ? '' : ` (${sessionName(titleOf(run))})`;
    const message = `Plimsoll: a pass is waiting for your review in the Context panel${where}.`;
    const ask = (): void => this.#notify(message, [], () => this.#showInPanel(run));
    if (!isInSight) ask();
    return this.#add({ run, name: 'Review this pass', ask }, true);
  }

  #add(asked: Omit<OpenQuestion, 'isAsked'>, isAsked = false): () => void {
    const question = { ...asked, isAsked };
    const isShown = this.#isShown(question.run);
    this.#open.add(question);
    this.#mark();
    if (isShown && question.diffOf !== undefined) this.#openDiff(question.run, question.diffOf);
    if (!isShown || !this.#isInSight) this.#askOnce(question);
    return () => {
      this.#open.delete(question);
      this.#mark();
    };
  }

  #isShown(run: SessionRun): boolean {
    return run === this.current.run;
  }

  get #isInSight(): boolean {
    return this.features.agentView.isLive && vscode.window.state.focused;
  }

  get #isReviewInSight(): boolean {
    const { panel } = this.features;
    return panel.isLive && panel.inspection.whyReadOnly === undefined;
  }

  async #showInPanel(run: SessionRun): Promise<void> {
    const { panel } = this.features;
    if (!this.#isShown(run)) await this.current.showRun(run);
    panel.showCurrent();
    panel.open();
  }

  #askOnce(question: OpenQuestion): void {
    if (question.isAsked) return;
    question.isAsked = true;
    question.ask();
  }

  #mark(): void {
    const words = [...this.#open].map(({ run, name }) =>
      this.#isShown(run) ? name : `${name} (in “${titleOf(run)}”)`,
    );
    this.features.agentView.setBadge(words.length, words.join('\n'));
  }

  #openDiff(run: SessionRun, toolUseId: string): void {
    const { inPlace, proposals } = this.features;
    this.services.report.run(async () => {
      if (!(await inPlace.show(run, toolUseId))) await proposals.open(toolUseId);
    });
  }

  #notify(
    message: string,
    answers: readonly string[],
    chosen: (choice: string) => Promise<void>,
  ): void {
    this.services.report.run(async () => {
      const choice = await vscode.window.showInformationMessage(message, 'Show', ...answers);
      if (choice !== undefined) await chosen(choice);
    });
  }
}

function titleOf({ window }: SessionRun): string {
  return titleOfWindow(window);
}
