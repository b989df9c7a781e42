import { textsOf } from '../../contextWindow/account/guesses';
import type { Problem } from '../conversation/state';
import { SessionLogError } from '../../sessions/sessionLog';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import type { AgentController } from './agentController';
import type { CommandDesk } from '../commands/commandDesk';
import type { ModelAccess } from '../model/modelAccess';
import * as notices from '../notices';
import type { Report } from '../report';
import type { ReturnDesk } from './returnDesk';
import type { SessionDesk, SessionToContinue } from './sessionDesk';
import type { SessionRun } from './sessionRun';
import type { Views } from '../views';

/** What a change of the session shown concerns; called for, since they are built one after another. */
export interface ShownSessionParts {
  readonly registry: SessionRegistry;
  readonly desk: SessionDesk;
  readonly access: ModelAccess;
  readonly report: Report;
  readonly returns: () => ReturnDesk;
  readonly commands: CommandDesk;
  readonly controller: () => AgentController;
  readonly views: () => Views;
}

/** Goes from one session to another, in everything that shows them. */
export class ShownSession {
  constructor(private readonly parts: ShownSessionParts) {}

  /** Says that the session shown is open elsewhere, with the button that opens it here if it can. */
  get problem(): Problem | undefined {
    const message = this.parts.controller().whyReadOnly;
    if (message === undefined) return undefined;
    return { message, action: { label: 'Open it here', wish: { type: 'reopenSession' } } };
  }

  /**
   * Goes to a session; one that is open in another window is only looked at. `asked`: where the user
   * asked for it, a list or a link; a link in a view that is shown leaves the focus where it is, and so does the chat.
   */
  async show(file: string, asked: 'inList' | 'byLink' | 'inChat' = 'inList'): Promise<void> {
    const { desk, registry } = this.parts;
    const views = this.parts.views();
    const { agentView, endFirst, surfaces } = views;
    if (!registry.heldFiles.includes(file)) endFirst.show(file, (fact) => agentView.post(fact));
    const { session: before, file: shownBefore } = desk;
    const opened = desk.open(file);
    if (opened.ok && file !== shownBefore) this.parts.commands.left(before);
    if (opened.ok) this.goOnWith(opened, true);
    else {
      notices.warn(opened.message);
      surfaces.hydrateAgent();
    }
    const isWanted = asked === 'inList' || (asked === 'byLink' && !agentView.isLive);
    if (isWanted) await views.focusAgent();
  }

  /** Shows a session in which the agent works. */
  async showRun({ session }: Pick<SessionRun, 'session'>): Promise<void> {
    const file = session === undefined ? undefined : this.parts.registry.heldFile(session);
    if (file === undefined || file === this.parts.desk.file) await this.parts.views().focusAgent();
    else await this.show(file);
  }

  /** Opens the session shown anew, with what another window wrote to it. */
  reopen(): void {
    if (this.parts.controller().isBusy) return;
    this.parts.commands.leave(this.parts.desk.session);
    this.goOnWith(this.parts.desk.reopen(), true);
  }

  /** Shows a session, which may ask how it goes on, or about a call that waited for an answer. */
  goOnWith({ session, warning, whyReadOnly }: SessionToContinue, isChosen: boolean): void {
    const views = this.parts.views();
    const controller = this.parts.controller();
    controller.openSession(session, whyReadOnly);
    const mayBeIdle = whyReadOnly === undefined && !controller.isBusy;
    this.parts.returns().opened(mayBeIdle ? session : undefined, isChosen);
    if (warning !== undefined) notices.warn(warning);
    views.publisher.dropStreamed();
    views.sessionChanged();
    if (controller.isBusy && views.agentView.isLive) views.surfaces.hydrateAgent();
    this.weigh();
    controller.turns.askAgain();
  }

  /** Counts the texts of the window, so that no surface shows a guess where another has a count. */
  weigh(): void {
    const { access, report } = this.parts;
    report.run(async () => {
      await access.estimator.warm(textsOf(this.parts.controller().window));
      this.parts.views().publisher.changed();
    });
  }

  /** Takes what a turn or a command in the background threw: a log that takes nothing more is no bug, and can be opened again. */
  turnBroke(error: unknown, run: Pick<SessionRun, 'session'>): void {
    const { report, controller } = this.parts;
    if (!(error instanceof SessionLogError)) return report.bug(error);
    report.log(error);
    const again = async (): Promise<void> => {
      if (run.session !== controller().shown.session) await this.showRun(run);
      this.reopen();
    };
    report.run(() => notices.warnOfLog(error.message, again));
  }
}
