import type { Balance } from '../contextWindow/account/balance';
import type { Estimates } from './contextPanel/state';
import { percentText } from './account';
import { elsewhereView, type Elsewhere } from './conversation/derive';
import { accountRows, number, rowWords } from './contextPanel/exports/viewRows';
import type { WindowSource } from '../settings/windowBudget';

/** The agent's activity in the status bar. */
export type Doing = 'nothing' | 'working' | 'awaitingReview';

/** The input of the gauge. */
export interface GaugeFacts {
  readonly balance: Balance;
  readonly estimates: Estimates;
  readonly windowSource: WindowSource;
  readonly doing: Doing;
  /** The state of sessions that are not shown. */
  readonly elsewhere: Elsewhere;
}

/** The status bar item: how full the window is. */
export interface Gauge {
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
    spoken: `Plimsoll: context window, ${text} tokens used, ${percentText(balance)}${heard}${spoken}${others === undefined ? '' : `, ${others.words}`}`,
    ...(alarm === undefined ? {} : { background: alarm.background }),
  };
}

/** Tokens used of the input budget: "≈13,546 / 21,580". */
function fillText({ used, inputBudget }: Balance): string {
  return `${used.exact ? '' : '≈'}${number(used.tokens)} / ${number(inputBudget)}`;
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
    `${used.exact ? '' : '≈'}${number(used.tokens)} of ${number(inputBudget)} tokens of the input budget, ${percentText(balance)}` +
      (used.exact ? ' (counted by the server)' : ' (estimated)') +
      (alarm === undefined ? '' : `: ${alarm.words}`),
    `High watermark ${number(highTokens)}, low ${number(lowTokens)}`,
    '',
    ...accountRows(balance, estimates).map((row) => `${row.name} ${rowWords(row)}`),
    `Context window ${number(contextWindowTokens)} (${windowSource})`,
    ...(others === undefined ? [] : ['', others.words]),
    '',
    'Click to see every block',
  ].join('\n');
}
