import * as vscode from 'vscode';
import { gaugeOf, type GaugeFacts } from '../views/gauge';

/** Shows how full the window is in the status bar; a click opens the Context panel. */
export class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor() {
    this.#item = vscode.window.createStatusBarItem(
      'plimsoll.gauge',
      vscode.StatusBarAlignment.Right,
      100,
    );
    this.#item.name = 'Plimsoll: context window';
    this.#item.command = 'plimsoll.openContextPanel';
    this.#item.show();
  }

  show(facts: GaugeFacts): void {
    const { text, tooltip, spoken, background } = gaugeOf(facts);
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: spoken };
    this.#item.backgroundColor =
      background === undefined ? undefined : new vscode.ThemeColor(background);
  }

  dispose(): void {
    this.#item.dispose();
  }
}
