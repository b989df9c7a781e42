import * as vscode from 'vscode';
import type { Problem } from './conversation/state';
import type { AgentWishes } from './conversation/wishes';
import type { WishHandlers } from './wish';
import type { AgentController } from './session/agentController';
import { addDropped } from './composer/addToPrompt';
import { agentWishHandlers } from './conversation/agentWishes';
import type { ApprovalAnswers } from './approvals/approvalAnswers';
import type { ApprovalRules } from './approvals/approvalRules';
import type { CommandDesk } from './commands/commandDesk';
import type { HostFiles } from './checkpoints/hostFiles';
import type { ModelAccess } from './model/modelAccess';
import { restorePrompt } from './composer/mentionWishes';
import * as notices from './notices';
import { applyCode, insertCode, openNamedFile } from './conversation/replyCode';
import type { Report } from './report';
import type { ReturnDesk } from './session/returnDesk';
import type { SessionCommands } from './sessions/sessionCommands';
import type { ShownSession } from './session/shownSession';
import type { Views } from './views';

/** The parts of the host that wishes of the Agent view concern. */
interface WishPlace {
  readonly controller: AgentController;
  /** Those of the session shown. */
  readonly rules: () => ApprovalRules;
  readonly answers: ApprovalAnswers;
  readonly files: HostFiles;
  readonly commands: CommandDesk;
  readonly sessions: SessionCommands;
  readonly access: ModelAccess;
  readonly shown: ShownSession;
  readonly returns: ReturnDesk;
  readonly views: Views;
  readonly report: Report;
  /** What stands in the way of a turn. */
  readonly problem: () => Problem | undefined;
  /** Tells the user what stands in the way, with the button that helps. */
  readonly tell: (problem: Problem) => void;
  readonly setApiKey: () => Promise<unknown>;
  readonly chooseModel: () => Promise<unknown>;
}

const root = (): string | undefined => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;

/** Connects the wishes of the Agent view with what fulfils them. */
export function hostWishes(place: WishPlace): WishHandlers<AgentWishes> {
  const { controller, rules, answers, files, sessions, returns, report, problem, tell } = place;
  const { agentView, surfaces, publisher, proposals, contextPanel, desk, mentions } = place.views;
  return agentWishHandlers({
    controller,
    rules,
    answers,
    commands: place.commands,
    problem,
    tell,
    files: {
      controller,
      history: files.history,
      openTurnDiff: (turn, path) => files.openDiff(turn, path),
      forkAt: (step) => sessions.forkAt(step),
      restorePrompt: (prompt) => restorePrompt(desk, prompt),
      warn: notices.warn,
    },
    beside: {
      desk,
      mentions,
      drop: (uri) => addDropped({ desk, mentions, root: root() }, uri),
      runCommand: (command) =>
        report.run(() => vscode.commands.executeCommand(`plimsoll.${command}`)),
    },
    hydrate: () => {
      agentView.ready();
      publisher.dropStreamed();
      surfaces.hydrateAgent();
      returns.look();
    },
    answerReturn: (choice, remember) => returns.answer(choice, remember),
    openDiff: (toolUseId) => proposals.open(toolUseId),
    code: {
      copy: async (code) => vscode.env.clipboard.writeText(code),
      insert: insertCode,
      apply: (code, path) => applyCode(root(), code, path),
      open: (path, line) => openNamedFile(root(), path, line),
    },
    openContextPanel: () => contextPanel.open(),
    setApiKey: () => report.run(place.setApiKey),
    chooseModel: () => report.run(place.chooseModel),
    reopenSession: () => place.shown.reopen(),
    openSettings: (setting) =>
      report.run(() => notices.openSettings(setting === undefined ? undefined : `@id:${setting}`)),
    openFolder: () => report.run(() => vscode.commands.executeCommand('vscode.openFolder')),
    openLinked: (session) => sessions.openLinked(session),
  });
}
