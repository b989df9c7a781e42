import * as vscode from 'vscode';
import { parseSettings, SETTING_NAMES, type SettingsResult } from './settings';

/** Reads every setting under `plimsoll.` once, and checks it. */
export function readSettings(): SettingsResult {
  const configuration = vscode.workspace.getConfiguration();
  return parseSettings(
    Object.fromEntries(SETTING_NAMES.map((name) => [name, configuration.get<unknown>(name)])),
  );
}

/** Calls back when a setting under `plimsoll.` may have changed. */
export function onSettingsChange(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('plimsoll')) listener();
  });
}

/** Opens the settings editor at Plimsoll's settings. */
export async function openSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'plimsoll.');
}
