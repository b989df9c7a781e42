import * as vscode from 'vscode';

/** Makes VS Code's own agent log its requests; it is read when the window loads. */
export const DEBUG_LOG_SETTING = 'github.copilot.chat.agentDebugLog.fileLogging.enabled';

/** The debug log of VS Code's own agent, as its settings have it. */
export const debugLogSetting = {
  /** Whether this editor has such an agent. */
  get isKnown(): boolean {
    return inspected()?.defaultValue !== undefined;
  },
  get isOn(): boolean {
    return vscode.workspace.getConfiguration().get(DEBUG_LOG_SETTING) === true;
  },
  get isOnByDefault(): boolean {
    return inspected()?.defaultValue === true;
  },
  /** As it is in the user's own settings; undefined if it is not there. */
  get ofUser(): boolean | undefined {
    return inspected()?.globalValue;
  },
  async setOfUser(isOn: boolean | undefined): Promise<void> {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration().update(DEBUG_LOG_SETTING, isOn, Global);
  },
};

function inspected() {
  return vscode.workspace.getConfiguration().inspect<boolean>(DEBUG_LOG_SETTING);
}
