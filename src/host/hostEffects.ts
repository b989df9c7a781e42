import type { AgentEvent } from '../agent/agentEvent';
import type { Problem } from '../protocol/agentView';
import { endWord } from '../views/sessionNumbers';
import { titleOfWindow } from '../sessions/sessionTitle';
import type { AgentController } from './agentController';
import type { ApprovalRules } from './approvalRules';
import type { CommandDesk } from './commandDesk';
import type { ControllerEffects } from './controllerEffects';
import type { HostFiles } from './hostFiles';
import type { HostParts } from './hostParts';
import { makeRoom } from './makeRoom';
import type { ModelAccess } from './modelAccess';
import * as notices from './notices';
import { preparedTurn } from './preparedTurn';
import type { Report } from './report';
import type { ReturnDesk } from './returnDesk';
import type { SessionDesk } from './sessionDesk';
import type { ShownSession } from './shownSession';
import type { Views } from './views';

/** The parts of the host that the controller works with; called for, where they are built later. */
interface EffectPlace {
  readonly access: ModelAccess;
  readonly rules: ApprovalRules;
  readonly desk: SessionDesk;
  readonly commands: CommandDesk;
  readonly shown: ShownSession;
  readonly returns: ReturnDesk;
  readonly views: Views;
  readonly report: Report;
  readonly files: () => HostFiles;
  readonly controller: () => AgentController;
  /** Tells the user what stands in the way, with the button that helps. */
  readonly tell: (problem: Problem) => void;
}

/** Events that come many times a second, piece by piece. */
const STREAMED: ReadonlySet<AgentEvent['type']> = new Set([
  'textDelta',
  'thinkingDelta',
  'toolOutput',
]);

/** Connects the controller with the parts of the host. */
export function hostEffects(parts: HostParts, place: EffectPlace): ControllerEffects {
  const { access, rules, desk, commands, shown, returns, views, report, controller } = place;
  const { publisher } = views;
  return {
    runTurn: parts.runTurn,
    continueTurn: parts.continueTurn,
    makeRoom,
    mayBegin: () => returns.mayBegin(),
    prepareTurn: () =>
      preparedTurn(access, parts, {
        rules: rules,
        files: place.files(),
        isFirst: controller().events.length === 0,
      }),
    byHandParts: () => ({
      estimator: access.estimator,
      settings: access.agentSettings,
    }),
    startSession: () => desk.start(access.settings.valid.settings.context.pinTaskAnchor),
    commandsOf: (session) => commands.of(session),
    sessionLeft: () => {
      commands.left(desk.session);
      desk.leave();
      returns.opened(undefined, false);
      views.sessionChanged();
    },
    showProposal: (use, request, further) =>
      views.showProposal(use, request, parts.root ?? '', further),
    revisedTexts: () => views.proposals.revisedTexts,
    showReview: () => views.showReview(),
    changed: () => publisher.changed(),
    textsChanged: () => shown.weigh(),
    heard: (event) => {
      if (!STREAMED.has(event.type)) report.trace(`Event ${event.type}.`);
      if (event.type === 'warning') notices.warn(event.message);
      publisher.heard(event);
    },
    turnEnded: (outcome, durationMs) => {
      const { turn, step } = controller().window;
      report.info(`Turn ${turn} ended at step ${step}: ${endWord(outcome)}, ${durationMs} ms.`);
      report.run(() =>
        notices.announceEnd(outcome, durationMs, titleOfWindow(controller().window)),
      );
    },
    turnRefused: (problem) => {
      report.warn('A prompt was not sent: something stood in the way, which the user is told.');
      place.tell(problem);
    },
    report: (error) => shown.turnBroke(error),
    now: parts.now,
  };
}
