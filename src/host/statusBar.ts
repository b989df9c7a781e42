import * as vscode from 'vscode';
import type { Balance } from '../contextWindow/ledger';
import { percentText } from './account';
import type { WindowSource } from './windowBudget';

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

  show(balance: Balance, windowSource: WindowSource, isBusy: boolean): void {
    const text = percentText(balance);
    this.#item.text = `$(${isBusy ? 'sync~spin' : 'dashboard'}) ${text}`;
    this.#item.tooltip = tooltip(balance, windowSource);
    this.#item.accessibilityInformation = {
      label: `Plimsoll: context window ${text} full${isBusy ? ', the agent is working' : ''}`,
    };
    this.#item.backgroundColor =
      balance.headroom < 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
  }

  dispose(): void {
    this.#item.dispose();
  }
}

function tooltip(balance: Balance, windowSource: WindowSource): string {
  const { used, inputBudget, highTokens, contextWindowTokens } = balance;
  const number = (tokens: number) => tokens.toLocaleString('en-US');
  return [
    'Plimsoll: context window',
    `${used.exact ? '' : '≈'}${number(used.tokens)} of ${number(inputBudget)} tokens of the input budget` +
      (used.exact ? ' (counted by the server)' : ' (estimated)'),
    `High watermark ${number(highTokens)}; window ${number(contextWindowTokens)} (${windowSource})`,
    'Click to see what it is full of',
  ].join('\n');
}
