import * as vscode from 'vscode';
import { storedRule } from '../../settings/approvalsSetting';
import { ApprovalRules } from './approvalRules';
import type { Services } from '../services';
import type { RunSession } from '../session/turnSource';
import { errorText } from '../../contextWindow/result';

const SETTING = 'plimsoll.approvals';

type RuleServices = Pick<Services, 'access' | 'root' | 'user' | 'now' | 'readCommand'>;

/**
 * Gives the approval rules of a session; the object stays the same while the session is in memory.
 */
export function rulesBySession(services: RuleServices): (run: RunSession) => ApprovalRules {
  const known = new WeakMap<RunSession, ApprovalRules>();
  return (run) => {
    const rules = known.get(run) ?? rulesIn(services, run);
    known.set(run, rules);
    return rules;
  };
}

/** Rules of the session and of the user's own settings, never of a workspace's settings. */
function rulesIn(
  { access, root, user, now, readCommand }: RuleServices,
  run: RunSession,
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
