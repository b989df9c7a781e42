import * as vscode from 'vscode';
import { storedRule } from '../../settings/approvalsSetting';
import { ApprovalRules } from './approvalRules';
import type { HostParts } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import type { SessionRun } from '../session/sessionRun';
import { errorText } from '../../contextWindow/result';

const SETTING = 'plimsoll.approvals';

type RuleParts = Pick<HostParts, 'root' | 'user' | 'now' | 'readCommand'>;

/** Gives the user's standing answers in a session, which are the same as long as the agent is on it. */
export function hostRules(
  parts: RuleParts,
  access: ModelAccess,
): (run: SessionRun) => ApprovalRules {
  const known = new WeakMap<SessionRun, ApprovalRules>();
  return (run) => {
    const rules = known.get(run) ?? rulesIn(parts, access, run);
    known.set(run, rules);
    return rules;
  };
}

/** Those of the session, and those stored in the user's own settings, never in those of a workspace. */
function rulesIn(
  { root, user, now, readCommand }: RuleParts,
  access: ModelAccess,
  run: SessionRun,
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
        const why = errorText(error);
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
