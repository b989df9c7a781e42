import * as vscode from 'vscode';

const TARGETS = {
  user: vscode.ConfigurationTarget.Global,
  workspace: vscode.ConfigurationTarget.Workspace,
};

/** Settings that a group of tests changes; each is as it was once the group is over, or `restore` is called. */
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

  /** Puts every setting back. */
  async restore(): Promise<void> {
    for (const putBack of this.#former.values()) await putBack();
    this.#former.clear();
  }

  #write(name: string, value: unknown, where: keyof typeof TARGETS): Thenable<void> {
    return vscode.workspace.getConfiguration('plimsoll').update(name, value, TARGETS[where]);
  }
}

/** Called within a group of tests: what it changes is put back after it. */
export function changedSettings(): ChangedSettings {
  const settings = new ChangedSettings();
  after(() => settings.restore());
  return settings;
}

/** Called within a group of tests: what each changes is put back after it. */
export function settingsChangedByEach(): ChangedSettings {
  const settings = new ChangedSettings();
  afterEach(() => settings.restore());
  return settings;
}
