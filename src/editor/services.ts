import type * as vscode from 'vscode';
import { ApiKey } from './model/apiKey';
import { ModelAccess } from './model/modelAccess';
import * as notices from './notifications';
import { TextColumn } from './openEditor';
import type { Platform } from './platform';
import { isDemo } from './demo/demoProject';
import * as editorSettings from './settings/editorSettings';

/** The services that every feature may use: created once, the same for all. */
export interface Services extends Platform {
  readonly context: vscode.ExtensionContext;
  readonly apiKey: ApiKey;
  /** The current settings and their model. */
  readonly access: ModelAccess;
  readonly configuration: typeof editorSettings;
  readonly notices: typeof notices;
  readonly textColumn: TextColumn;
}

export function servicesOf(context: vscode.ExtensionContext, platform: Platform): Services {
  const configuration = configurationIn(context, platform.root);
  const apiKey = new ApiKey(context.secrets, platform.environment);
  const access = new ModelAccess({ ...platform, configuration, apiKey, notices });
  return {
    ...platform,
    context,
    configuration,
    apiKey,
    access,
    notices,
    textColumn: new TextColumn(),
  };
}

/** The settings of VS Code; the window of the demo always has the scripted model. */
function configurationIn(
  context: vscode.ExtensionContext,
  root: string | undefined,
): typeof editorSettings {
  if (!isDemo(root, context)) return editorSettings;
  return {
    ...editorSettings,
    readSettings: (good) => {
      const { settings, problems } = editorSettings.readSettings(good);
      return { settings: { ...settings, provider: 'offline' }, problems };
    },
  };
}
