import * as vscode from 'vscode';
import { gaugeOf, type GaugeFacts } from './gauge';

/** Shows how full the window is in the status bar; a click opens the Context panel. */
export class StatusBar {
  #isBusy = false;

  constructor(private readonly item: vscode.StatusBarItem) {}

  show(facts: GaugeFacts): void {
    const { text, tooltip, spoken, background } = gaugeOf(facts);
    this.item.text = text;
    this.item.tooltip = tooltip;
    this.item.accessibilityInformation = { label: spoken };
    this.item.backgroundColor =
      background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#setBusy(facts.doing !== 'nothing');
  }

  /** Menus show Stop while the agent works. */
  #setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    void vscode.commands.executeCommand('setContext', 'plimsoll.busy', isBusy);
  }
}
