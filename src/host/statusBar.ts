import * as vscode from 'vscode';
import type { Balance } from '../contextWindow/ledger';
import { percentText } from './account';
import type { Doing } from './surfaces';
import type { WindowSource } from './windowBudget';

const SIGNS: Readonly<
  Record<Doing, { readonly icon: string; readonly words: string; readonly spoken: string }>
> = {
  nothing: { icon: 'dashboard', words: '', spoken: '' },
  working: { icon: 'sync~spin', words: '', spoken: ', the agent is working' },
  awaitingReview: {
    icon: 'bell-dot',
    words: ' · a pass waits',
    spoken: ', a pass waits for your word',
  },
};

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

  show(balance: Balance, windowSource: WindowSource, doing: Doing): void {
    const text = percentText(balance);
    const { icon, words, spoken } = SIGNS[doing];
    this.#item.text = `$(${icon}) ${text}${words}`;
    this.#item.tooltip = tooltip(balance, windowSource);
    this.#item.accessibilityInformation = {
      label: `Plimsoll: context window ${text} full${spoken}`,
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
