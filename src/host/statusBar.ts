import * as vscode from 'vscode';
import type { Balance } from '../contextWindow/ledger';
import { percentText } from './account';
import { accountRows, number } from './inspection/exports/viewRows';
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
    const text = fillText(balance);
    const { icon, words, spoken } = SIGNS[doing];
    this.#item.text = `$(${icon}) ${text}${words}`;
    this.#item.tooltip = tooltip(balance, windowSource);
    this.#item.accessibilityInformation = {
      label: `Plimsoll: context window, ${text} tokens used, ${percentText(balance)}${spoken}`,
    };
    const colour = alarmOf(balance);
    this.#item.backgroundColor = colour === undefined ? undefined : new vscode.ThemeColor(colour);
  }

  dispose(): void {
    this.#item.dispose();
  }
}

/** Tokens used of the input budget: "≈13,546 / 20,880". */
function fillText({ used, inputBudget }: Balance): string {
  return `${used.exact ? '' : '≈'}${number(used.tokens)} / ${number(inputBudget)}`;
}

/** The colour behind the item: a warning above the high watermark, an error above the budget. */
function alarmOf({ used, highTokens, inputBudget }: Balance): string | undefined {
  if (used.tokens > inputBudget) return 'statusBarItem.errorBackground';
  return used.tokens > highTokens ? 'statusBarItem.warningBackground' : undefined;
}

function tooltip(balance: Balance, windowSource: WindowSource): string {
  const { used, inputBudget, highTokens, lowTokens, contextWindowTokens } = balance;
  return [
    'Plimsoll: context window',
    `${used.exact ? '' : '≈'}${number(used.tokens)} of ${number(inputBudget)} tokens of the input budget, ${percentText(balance)}` +
      (used.exact ? ' (counted by the server)' : ' (estimated)'),
    `High watermark ${number(highTokens)}, low ${number(lowTokens)}`,
    '',
    ...accountRows(balance).map(({ name, tokens }) => `${name} ${number(tokens)}`),
    `Context window ${number(contextWindowTokens)} (${windowSource})`,
    '',
    'Click to see every block',
  ].join('\n');
}
