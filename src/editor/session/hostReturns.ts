import * as vscode from 'vscode';
import type { ChangesSince } from '../../agent/returning';
import { refused, type Refusal, errorText } from '../../contextWindow/result';
import type { SessionRegistry } from '../../sessions/sessionRegistry';
import type { HostParts } from '../hostParts';
import type { ModelAccess } from '../model/modelAccess';
import * as notices from '../notices';
import { ReturnDesk, type ReturnChoice, type ReturnDeskParts } from './returnDesk';
import type { SessionDesk } from './sessionDesk';

/** Where the session that was left for a new one is kept over a reload. */
const LEFT = 'plimsoll.sessionLeft';

const SETTING = 'plimsoll.sessions.onReturn';

/** What the desk needs to know of the host. */
interface ReturnPlace extends Pick<ReturnDeskParts, 'controller' | 'changed' | 'report'> {
  readonly context: vscode.ExtensionContext;
  readonly desk: SessionDesk;
  readonly registry: SessionRegistry;
  readonly access: ModelAccess;
}

/** Makes the desk for sessions that the user comes back to, with this window's files and settings. */
export function hostReturns(parts: HostParts, place: ReturnPlace): ReturnDesk {
  const { context, desk, registry, access, controller, changed, report } = place;
  const returns = new ReturnDesk({
    controller,
    changed,
    report,
    session: () => desk.session,
    settings: () => access.settings.valid.settings.sessions,
    changesSince: changesIn(parts),
    remember,
    left: {
      get: () => context.workspaceState.get<string>(LEFT),
      set: (name) => parts.report.run(() => context.workspaceState.update(LEFT, name)),
    },
    warm: (text) => access.estimator.warm([text]),
    tell: notices.tell,
    now: parts.now,
  });
  registry.onExpire((session, reason) => {
    if (reason === 'expired') returns.expired(session);
  });
  context.subscriptions.push(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) returns.look();
    }),
  );
  return returns;
}

function changesIn({ root, loadTools }: Pick<HostParts, 'root' | 'loadTools'>): ChangesSince {
  return async (query, signal) => {
    if (root === undefined) return refused('no folder is open');
    const { changesSince } = await loadTools(root);
    return changesSince(query, signal);
  };
}

/** Stores the answer where the setting is already set, else for the user. */
async function remember(choice: ReturnChoice): Promise<Refusal> {
  const configuration = vscode.workspace.getConfiguration();
  const isOfWorkspace = configuration.inspect(SETTING)?.workspaceValue !== undefined;
  const { Workspace, Global } = vscode.ConfigurationTarget;
  try {
    await configuration.update(SETTING, choice, isOfWorkspace ? Workspace : Global);
    return undefined;
  } catch (error) {
    const why = errorText(error);
    return `Your answer could not be stored in ${SETTING}: ${why}. Nothing was done. Answer without remembering it, or set it in the settings editor.`;
  }
}
