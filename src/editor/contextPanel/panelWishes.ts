import * as vscode from 'vscode';
import { nameOf } from './inspected';
import type { AgentController } from '../session/agentController';
import { contextWishReceiver } from './contextWishes';
import type { ModelAccess } from '../model/modelAccess';
import { openSettings } from '../notices';
import { openNamedFile } from '../conversation/replyCode';
import type { Report } from '../report';
import type { Views } from '../views';

/** What fulfils the wishes of the Context panel in this window. */
export interface PanelWishParts {
  readonly report: Report;
  readonly views: Views;
  readonly controller: AgentController;
  readonly access: ModelAccess;
}

/** Connects the wishes of the Context panel with what fulfils them. */
export function panelWishReceiver(parts: PanelWishParts): ReturnType<typeof contextWishReceiver> {
  const { report, views, controller, access } = parts;
  const { contextPanel, surfaces, blocks, inspectionDesk } = views;
  return contextWishReceiver({
    controller,
    inspection: inspectionDesk.handlers(),
    comparison: views.comparisonDesk.handlers(),
    scratchpadLists: () => access.settings.valid.settings.scratchpad.fields.map(({ name }) => name),
    session: () => nameOf(inspectionDesk.inspection.inspected),
    whyReadOnly: () => inspectionDesk.inspection.whyReadOnly ?? controller.whyReadOnly,
    post: (fact) => contextPanel.post(fact),
    hydrate: () => {
      contextPanel.ready();
      surfaces.hydrateContext();
    },
    openBlock: (blockId) => blocks.open(blockId),
    openFile: (path, line) =>
      openNamedFile(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, path, line),
    openAgentView: () => report.run(() => views.focusAgent()),
    chooseTools: () => report.run(() => vscode.commands.executeCommand('plimsoll.chooseTools')),
    openSettings: () => report.run(openSettings),
    openWatermarkSettings: () => report.run(() => openSettings('@ext:plimsoll.plimsoll watermark')),
    log: (problem) => report.log(problem),
  });
}
