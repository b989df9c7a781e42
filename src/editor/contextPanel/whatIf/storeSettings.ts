import * as vscode from 'vscode';
import { settingOf, storingOf, valueWords, type SettingChange } from './settingChanges';
import { errorText } from '../../../contextWindow/result';

/**
 * Stores settings once the user has confirmed, each where it is already set, else for the
 * workspace. Says what was not stored.
 */
export async function storeSettings(
  changes: readonly SettingChange[],
): Promise<string | undefined> {
  if (changes.length === 0) return 'These are the current settings: there is nothing to store.';
  const detail = changes.map(
    ({ name, key, from, to }) => `${name}: ${valueWords(key, from)} → ${valueWords(key, to)}`,
  );
  const choice = await vscode.window.showQuickPick(
    [
      { label: 'Leave the settings as they are', isYes: false },
      { label: 'Store them', detail: detail.join(' · '), isYes: true },
    ],
    {
      title: 'Plimsoll: Store Settings',
      placeHolder: `Store ${changes.length === 1 ? 'this setting' : `these ${changes.length} settings`}? A pass may follow before the next step.`,
    },
  );
  if (choice?.isYes !== true) return 'Nothing was stored: the settings are as they were.';
  const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
  const stored: string[] = [];
  for (const change of changes) {
    const { name } = change;
    // Read again each time, since two changes may be in one entry for a model.
    const configuration = vscode.workspace.getConfiguration();
    const set = configuration.inspect(settingOf(change));
    const { setting, value, where } = storingOf(change, set, hasWorkspace);
    const target =
      where === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    try {
      await configuration.update(setting, value, target);
      stored.push(name);
    } catch (error) {
      const why = errorText(error);
      const before = stored.length === 0 ? 'Nothing was stored.' : `Stored: ${stored.join(', ')}.`;
      return `${name} could not be stored: ${why}. ${before} Set it in the settings editor.`;
    }
  }
  return undefined;
}
