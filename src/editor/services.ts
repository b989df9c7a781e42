import type * as vscode from 'vscode';
import { ApiKey } from './model/apiKey';
import { ModelAccess } from './model/modelAccess';
import * as notices from './notifications';
import { TextColumn } from './openEditor';
import type { Platform } from './platform';
import { readEditorSettings } from './settings/editorSettings';

/** The services that every feature may use: created once, the same for all. */
export interface Services extends Platform {
  readonly context: vscode.ExtensionContext;
  readonly apiKey: ApiKey;
  /** The current settings and their model. */
  readonly access: ModelAccess;
  readonly notices: typeof notices;
  readonly textColumn: TextColumn;
}

export function servicesOf(context: vscode.ExtensionContext, platform: Platform): Services {
  const apiKey = new ApiKey(context.secrets, platform.environment);
  const readSettings = readEditorSettings;
  const access = new ModelAccess({ ...platform, readSettings, apiKey, notices });
  return { ...platform, context, apiKey, access, notices, textColumn: new TextColumn() };
}
