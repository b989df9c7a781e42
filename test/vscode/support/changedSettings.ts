import * as vscode from 'vscode';

const TARGETS = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
};

/** Settings that a group of tests changes; the end of the group or `restore` resets each. */
export class ChangedSettings {
  readonly #former = new Map<string, () => Thenable<void>>();

  /** Changes a setting of Plimsoll. */
  async set(
    name: string,
    value: unknown,
    where: keyof typeof TARGETS = 'workspace',
  ): Promise<void> {
    const plimsoll = vscode.workspace.getConfiguration('plimsoll');
    const key = `${where} ${name}`;
    if (!this.#former.has(key)) {
      const { globalValue, workspaceValue } = plimsoll.inspect(name) ?? {};
      const former = where === 'user' ? globalValue : workspaceValue;
      this.#former.set(key, () => this.#write(name, former, where));
    }
    await this.#write(name, value, where);
  }

  /** Restores every setting. */
  async restore(): Promise<void> {
    for (const putBack of this.#former.values()) await putBack();
    this.#former.clear();
  }

  #write(name: string, value: unknown, where: keyof typeof TARGETS): Thenable<void> {
    return vscode.workspace.getConfiguration('plimsoll').update(name, value, TARGETS[where]);
  }
}

/** Call it inside a group of tests: the end of the group restores the change. */
export function changedSettings(): ChangedSettings {
  const settings = new ChangedSettings();
  after(() => settings.restore());
  return settings;
}

/** Call it inside a group of tests: the end of the group restores each change. */
export function settingsChangedByEach(): ChangedSettings {
  const settings = new ChangedSettings();
  afterEach(() => settings.restore());
  return settings;
}
