import * as vscode from 'vscode';
import { SETTING_NAMES, type UsableSettings, withoutBad } from '../../settings/readSettings';
import type { Settings } from '../../settings/settings';

/** Reads every setting once; an unusable one gets its value in `good`. */
export function readEditorSettings(good: Settings): UsableSettings {
  const configuration = vscode.workspace.getConfiguration();
  const raw = SETTING_NAMES.map((name) => [name, configuration.get<unknown>(name)]);
  return withoutBad(Object.fromEntries(raw), good);
}
