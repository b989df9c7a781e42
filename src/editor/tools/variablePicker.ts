import * as vscode from 'vscode';
import { secretVariables } from '../../agent/secrets/secretNames';
import { storeSetting } from '../settings/editorSettings';
import type { Services } from '../services';

const SETTING = 'plimsoll.commands.environment';

/** Shows which variables commands run without, and lets the user let some of them through. */
export class VariablePicker {
  readonly commands = { chooseVariables: () => this.choose() };

  constructor(private readonly services: Pick<Services, 'access' | 'notices'>) {}

  async choose(): Promise<void> {
    const { access, notices } = this.services;
    await access.refresh();
    const { environment } = access.settings.valid.asSet.commands;
    const found = secretVariables(process.env);
    const missing = environment
      .filter((name) => !found.some((one) => one.name === name))
      .map((name) => ({ name, isLetThrough: true }));
    const items = [...found, ...missing].map(({ name, isLetThrough }) => ({
      label: name,
      picked: isLetThrough,
    }));
    if (items.length === 0) {
      await vscode.window.showInformationMessage(
        'No variable of this editor looks like a secret, so commands get all of them.',
      );
      return;
    }
    const chosen = await vscode.window.showQuickPick(items, {
      title: 'Variables for Commands',
      placeHolder: 'These look like secrets. Commands get only those that you tick.',
      canPickMany: true,
    });
    if (chosen === undefined) return;
    const why = await storeSetting(
      SETTING,
      chosen.map(({ label }) => label),
    );
    if (why !== undefined) notices.warn(`The setting ${SETTING} was not changed: ${why}`);
    await access.refresh();
  }
}
