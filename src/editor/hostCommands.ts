import * as vscode from 'vscode';
import type { AgentController } from './session/agentController';
import type { ApiKey } from './model/apiKey';
import type { ApprovalAnswers } from './approvals/approvalAnswers';
import type { CommandEffects } from './contributions';
import { ModelPicker, type ModelPickerParts } from './model/modelPicker';
import * as notices from './notices';
import type { HostParts } from './hostParts';
import { openIssueReport } from './issueReport';
import { sessionNumbers } from './sessions/sessionNumbers';
import type { SessionCommands } from './sessions/sessionCommands';
import type { SessionDesk } from './session/sessionDesk';
import { ToolPicker, type ToolPickerParts } from './tools/toolPicker';
import { undoNewest } from './session/changesByHand';
import type { Views } from './views';

/** What the commands of the palette work on. */
export interface HostCommandParts {
  readonly views: Pick<Views, 'focusAgent' | 'openRecording' | 'contextPanel' | 'adding'>;
  readonly controller: AgentController;
  readonly access: ModelPickerParts['access'] & ToolPickerParts['access'];
  readonly host: Pick<HostParts, 'loadTools' | 'root' | 'home' | 'report'>;
  readonly answers: ApprovalAnswers;
  setApiKey(): unknown;
  readonly apiKey: Pick<ApiKey, 'clear'>;
  readonly desk: Pick<SessionDesk, 'file'>;
  readonly sessions: Pick<SessionCommands, 'commands'>;
}

/** Does what the commands say. */
export function hostCommands(parts: HostCommandParts): CommandEffects {
  const { views, controller, answers, apiKey } = parts;
  const tools = new ToolPicker(parts);
  return {
    focusAgent: () => views.focusAgent(),
    openContextPanel: () => views.contextPanel.open(),
    openRecording: (file) => views.openRecording(file),
    newSession: () => {
      controller.startNew();
      return views.focusAgent();
    },
    stopTurn: () => controller.stop(),
    allowProposal: (uri) => answers.answerDiff(diffOf(uri), true),
    denyProposal: (uri) => answers.answerDiff(diffOf(uri), false),
    compactNow: async () => notices.tell((await controller.compactNow()).message),
    undoPass: () => notices.tell(undoNewest(controller)),
    chooseModel: () => new ModelPicker(parts).choose(),
    chooseTools: () => tools.choose(),
    leaveTools: () => tools.leave(),
    setApiKey: () => parts.setApiKey(),
    clearApiKey: async () => notices.tellKeyCleared((await apiKey.clear()).environmentRemains),
    addFile: views.adding.addFile,
    addSelection: views.adding.addSelection,
    addProblems: views.adding.addProblems,
    addTerminal: views.adding.addTerminal,
    openSessionLog: () => notices.showLog(parts.desk.file),
    ...parts.sessions.commands,
    reportIssue: () => {
      const { inputBudget } = parts.access.settings.valid.budget;
      const { events, window } = controller;
      return openIssueReport(parts.host.report, sessionNumbers(events, window, inputBudget));
    },
  };
}

/** The address that a menu gives along, or that of the diff in front. */
function diffOf(argument: unknown): vscode.Uri | undefined {
  if (argument instanceof vscode.Uri) return argument;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}
