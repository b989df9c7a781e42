import type * as vscode from 'vscode';
import { ApiKey } from './model/apiKey';
import { ModelAccess } from './model/modelAccess';
import * as notices from './notifications';
import { TextColumn } from './openEditor';
import type { Platform } from './platform';
import * as configuration from './settings/editorSettings';

/** The services that every feature may use: created once, the same for all. */
export interface Services extends Platform {
  readonly context: vscode.ExtensionContext;
  readonly apiKey: ApiKey;
  /** The current settings and their model. */
  readonly access: ModelAccess;
  readonly configuration: typeof configuration;
  readonly notices: typeof notices;
  readonly textColumn: TextColumn;
}

export function servicesOf(context: vscode.ExtensionContext, platform: Platform): Services {
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
