import * as vscode from 'vscode';
import { errorText } from '../../contextWindow/result';
import {
  SETTING_NAMES,
  settingHolding,
  type SettingsProblem,
  type UsableSettings,
  withoutBad,
} from '../../settings/readSettings';
import type { Settings } from '../../settings/settings';

/** Reads every setting once; an unusable one gets its value in `good`. */
export function readSettings(good: Settings): UsableSettings {
  const configuration = vscode.workspace.getConfiguration();
  const raw = SETTING_NAMES.map((name) => [name, configuration.get<unknown>(name)]);
  return withoutBad(Object.fromEntries(raw), good);
}

/** Stores a setting where it is already set, else for the user; returns the error if that fails. */
export async function storeSetting(name: string, value: unknown): Promise<string | undefined> {
  const configuration = vscode.workspace.getConfiguration();
  const isOfWorkspace = configuration.inspect(name)?.workspaceValue !== undefined;
  const { Workspace, Global } = vscode.ConfigurationTarget;
  try {
    await configuration.update(name, value, isOfWorkspace ? Workspace : Global);
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}

/** Calls back when a setting under `plimsoll.` may have changed. */
export function onSettingsChange(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('plimsoll')) listener();
  });
}

/** Reads the settings again, and reports a new problem unless the Agent view shows it. */
export async function checkSettings(
  access: {
    readonly settings: { readonly problems: readonly SettingsProblem[] };
    refresh(): Promise<void>;
  },
  isShown: () => boolean,
): Promise<void> {
  const before = access.settings.problems.map(({ message }) => message);
  await access.refresh();
  const fresh = access.settings.problems.find(({ message }) => !before.includes(message));
  if (fresh === undefined || isShown()) return;
  const open = 'Open the setting';
  const choice = await vscode.window.showWarningMessage(fresh.message, open);
  if (choice === open) await openSettings(`@id:${settingHolding(fresh.setting)}`);
}

/** Opens the settings editor at Plimsoll's settings, or at those that match a query. */
export async function openSettings(query = 'plimsoll.'): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', query);
}
