import * as vscode from 'vscode';
import { storedRule } from '../settings/approvalRules';
import { ApprovalRules } from './approvalRules';
import type { HostParts } from './hostParts';
import type { ModelAccess } from './modelAccess';
import type { SessionRun } from './sessionRun';

const SETTING = 'plimsoll.approvals';

/** The user's standing answers in one session: its own, and those stored in their own settings, never in those of a workspace. */
export function hostRules(
  { root, user, now, readCommand }: Pick<HostParts, 'root' | 'user' | 'now' | 'readCommand'>,
  { access, run }: { readonly access: ModelAccess; readonly run: SessionRun },
): ApprovalRules {
  return new ApprovalRules({
    stored: () => access.settings.valid.settings.approvals,
    store: async (rules) => {
      try {
        const { Global } = vscode.ConfigurationTarget;
        await vscode.workspace.getConfiguration().update(SETTING, rules.map(storedRule), Global);
        await access.refresh();
        return undefined;
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return `The rule could not be stored in ${SETTING}: ${why}`;
      }
    },
    events: () => run.events,
    append: (event) => (run.whyReadOnly === undefined ? run.session?.append(event) : undefined),
    root: () => root,
    readCommand,
    user,
    now,
  });
}
