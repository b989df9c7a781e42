import { amountText, tokenText } from '../contextWindow/amount';
import * as vscode from 'vscode';
import type { Balance } from '../contextWindow/account/balance';
import type { WindowSource } from '../settings/windowBudget';
import { estimatesOf } from './contextPanel/bar/derive';
import { accountRows, rowWords } from './contextPanel/exports/viewRows';
import type { Estimates } from './contextPanel/state';
import type { Services } from './services';
import type { CurrentSession } from './session/currentSession';
import { type Elsewhere, elsewhereView, fullnessText } from './session/derive';
import type { SessionRun } from './session/sessionRun';

/** Shows how full the window is in the status bar; a click opens the Context panel. */
export class StatusBar {
  #isBusy = false;

  constructor(
    private readonly services: Pick<Services, 'access' | 'gauge'>,
    private readonly current: CurrentSession,
  ) {}

  publish(): void {
    const { access, gauge } = this.services;
    const { account, elsewhere, run } = this.current;
    const doing = doingOf(run);
    const { text, tooltip, spoken, background } = gaugeOf({
      balance: account.balance,
      estimates: estimatesOf(run.window, account),
      windowSource: access.settings.valid.windowSource,
      doing,
      elsewhere,
    });
    gauge.text = text;
    gauge.tooltip = tooltip;
    gauge.accessibilityInformation = { label: spoken };
    gauge.backgroundColor =
      background === undefined ? undefined : new vscode.ThemeColor(background);
    this.#setBusy(doing !== 'nothing');
  }

  /** Menus show Stop while the agent works. */
  #setBusy(isBusy: boolean): void {
    if (isBusy === this.#isBusy) return;
    this.#isBusy = isBusy;
    void vscode.commands.executeCommand('setContext', 'plimsoll.busy', isBusy);
  }
}

function doingOf({ isBusy, questions }: SessionRun): Doing {
  if (questions.pendingPass !== undefined) return 'awaitingReview';
  return isBusy ? 'working' : 'nothing';
}

/** The agent's activity in the status bar. */
type Doing = 'nothing' | 'working' | 'awaitingReview';

interface GaugeFacts {
  readonly balance: Balance;
  readonly estimates: Estimates;
  readonly windowSource: WindowSource;
  readonly doing: Doing;
  /** The state of sessions that are not shown. */
  readonly elsewhere: Elsewhere;
}

/** The status bar item: how full the window is. */
interface Gauge {
  /** May name an icon as `$(name)`. */
  readonly text: string;
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
  /** Background colour of the theme; absent below the high watermark. */
  readonly background?: 'statusBarItem.warningBackground' | 'statusBarItem.errorBackground';
}

const SIGNS: Readonly<
  Record<Doing, { readonly icon: string; readonly words: string; readonly spoken: string }>
> = {
  nothing: { icon: 'dashboard', words: '', spoken: '' },
  working: { icon: 'sync~spin', words: '', spoken: ', the agent is working' },
  awaitingReview: {
    icon: 'bell-dot',
    words: ' · review a pass',
    spoken: ', a pass is waiting for your review',
  },
};

/** Shows how full the window is: amber above the high watermark, red above the input budget. */
export function gaugeOf(facts: GaugeFacts): Gauge {
  const { balance, doing } = facts;
  const text = fillText(balance);
  const { waiting } = facts.elsewhere;
  const { icon, words, spoken } = SIGNS[doing];
  const others = elsewhereView(facts.elsewhere);
  const isMarked = waiting > 0 && doing !== 'awaitingReview';
  const waits =
    waiting === 0 ? '' : ` · ${waiting} ${waiting === 1 ? 'session waits' : 'sessions wait'}`;
  const alarm = alarmOf(balance);
  // For users who do not see the colour.
  const heard = alarm === undefined ? '' : `, ${alarm.words}`;
  return {
    text: `$(${isMarked ? 'bell-dot' : icon}) ${text}${words}${waits}`,
    tooltip: tooltip(facts, alarm),
    spoken: `Plimsoll: context window, ${text} tokens used, ${fullnessText(balance)}${heard}${spoken}${others === undefined ? '' : `, ${others.words}`}`,
    ...(alarm === undefined ? {} : { background: alarm.background }),
  };
}

/** Tokens used of the input budget: "≈ 13,546 / 21,580". */
function fillText({ used, inputBudget }: Balance): string {
  return `${amountText(used)} / ${tokenText(inputBudget)}`;
}

interface Alarm {
  readonly words: string;
  readonly background: NonNullable<Gauge['background']>;
}

function alarmOf({ used, highTokens, inputBudget }: Balance): Alarm | undefined {
  if (used.tokens > inputBudget) {
    return { words: 'over the input budget', background: 'statusBarItem.errorBackground' };
  }
  if (used.tokens > highTokens) {
    return { words: 'above the high watermark', background: 'statusBarItem.warningBackground' };
  }
  return undefined;
}

function tooltip(
  { balance, estimates, windowSource, elsewhere }: GaugeFacts,
  alarm: Alarm | undefined,
): string {
  const { used, inputBudget, highTokens, lowTokens, contextWindowTokens } = balance;
  const others = elsewhereView(elsewhere);
  return [
    'Plimsoll: context window',
    `${amountText(used)} of ${tokenText(inputBudget)} tokens of the input budget, ${fullnessText(balance)}` +
      (used.exact ? ' (counted by the server)' : ' (estimated)') +
      (alarm === undefined ? '' : `: ${alarm.words}`),
    `High watermark ${tokenText(highTokens)}, low ${tokenText(lowTokens)}`,
    '',
    ...accountRows(balance, estimates).map((row) => `${row.name} ${rowWords(row)}`),
    `Context window ${tokenText(contextWindowTokens)} (${windowSource})`,
    ...(others === undefined ? [] : ['', others.words]),
    '',
    'Click to see every block',
  ].join('\n');
}
