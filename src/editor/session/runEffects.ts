import type { AgentEvent } from '../../agent/agentEvent';
import { refused } from '../../contextWindow/result';
import { titleOfWindow } from '../../sessions/sessionTitle';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import type { Problem } from '../conversation/state';
import { sessionName } from '../approvals/approvalNotice';
import { endWord } from '../sessions/sessionNumbers';
import type { AgentController } from './agentController';
import type { ApprovalRules } from '../approvals/approvalRules';
import type { CommandDesk } from '../commands/commandDesk';
import type { ControllerEffects } from './controllerEffects';
import type { HostFiles } from '../checkpoints/hostFiles';
import type { HostParts } from '../hostParts';
import { compactNow } from './compactNow';
import type { ModelAccess } from '../model/modelAccess';
import * as notices from '../notices';
import { preparedTurn } from './preparedTurn';
import type { Report } from '../report';
import type { ReturnDesk } from './returnDesk';
import type { SessionDesk } from './sessionDesk';
import type { SessionRun } from './sessionRun';
import type { ShownSession } from './shownSession';
import type { Views } from '../views';

/** Events that come many times a second, piece by piece. */
const STREAMED: ReadonlySet<AgentEvent['type']> = new Set([
  'textDelta',
  'thinkingDelta',
  'toolOutput',
]);

/** Most sessions at work at once: each asks the model, and all share one folder. */
export const MOST_AT_WORK = 5;

/** What the agent's work on a session concerns; called for, since they are built one after another. */
export interface RunPlace {
  readonly parts: HostParts;
  readonly access: ModelAccess;
  readonly registry: SessionRegistry;
  readonly desk: SessionDesk;
  readonly commands: CommandDesk;
  readonly report: Report;
  readonly shown: ShownSession;
  readonly controller: () => AgentController;
  readonly views: () => Views;
  readonly files: () => HostFiles;
  readonly returns: () => ReturnDesk;
  readonly rulesOf: (run: SessionRun) => ApprovalRules;
  /** Notes which sessions are at work besides the one shown. */
  noteWork(): void;
  /** Tells the user what stood in the way, with the button that helps. */
  tell(problem: Problem): void;
}

/** Connects the agent's work on one session with this window; only the session shown is drawn. */
export function runEffects(place: RunPlace, run: SessionRun): ControllerEffects {
  const { parts, access, registry, desk, commands, report, shown, controller } = place;
  const isShown = (): boolean => controller().shown === run;
  const title = (): string => titleOfWindow(run.window);
  const named = (message: string): string =>
    isShown() ? message : `${message} (${sessionName(title())})`;
  const { views } = place;
  return {
    runTurn: parts.runTurn,
    continueTurn: parts.continueTurn,
    compactNow,
    mayBegin: () => !isShown() || place.returns().mayBegin(),
    prepareTurn: async () => {
      if (controller().atWork.length > MOST_AT_WORK) return TOO_MANY;
      return preparedTurn(access, parts, {
        rules: place.rulesOf(run),
        files: place.files(),
        isFirst: run.events.length === 0,
      });
    },
    byHandParts: () => ({ estimator: access.estimator, settings: access.agentSettings }),
    startSession: () => {
      const { pinTaskAnchor } = access.settings.valid.settings.context;
      return isShown() ? desk.start(pinTaskAnchor) : registry.start(pinTaskAnchor).session;
    },
    commandsOf: (session) => commands.of(session),
    sessionLeft: () => {
      commands.left(desk.session);
      desk.leave();
      place.returns().opened(undefined, false);
      views().sessionChanged();
    },
    showProposal: (use, request, further = []) =>
      views().questions.showProposal(run, use, request, { root: parts.root ?? '', further }),
    revisedTexts: () => views().proposals.revisedTexts,
    showReview: () => views().questions.showReview(run),
    changed: () => {
      place.noteWork();
      views().publisher.changed();
    },
    textsChanged: () => {
      if (isShown()) shown.weigh();
    },
    heard: (event) => {
      if (!STREAMED.has(event.type)) report.trace(`Event ${event.type}.`);
      if (event.type === 'warning') notices.warn(named(event.message));
      if (isShown()) views().publisher.heard(event);
      else views().publisher.changed();
    },
    turnEnded: (outcome) => {
      const { turn, step } = run.window;
      report.info(`Turn ${turn} ended at step ${step}: ${endWord(outcome)}.`);
      report.run(() =>
        notices.announceEnd(outcome, title(), {
          isInSight: isShown(),
          show: () => shown.showRun(run),
        }),
      );
    },
    turnRefused: ({ message, ...help }) => {
      report.warn('A prompt was not sent: something stood in the way, and the user is told what.');
      place.tell({ message: named(message), ...help });
    },
    report: (error) => shown.turnBroke(error, run),
    now: parts.now,
  };
}

const TOO_MANY = refused(
  `${MOST_AT_WORK} sessions are at work already, the most there can be. Try again when one of them has ended; a prompt is kept.`,
);
