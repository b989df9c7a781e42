import { countText, dollarAmountText, marked } from '../../contextWindow/amount';
import type { AgentEvent } from '../../agent/agentEvent';
import { titleOfWindow } from '../../sessions/sessionTitle';
import type { Services } from '../services';
import type { CurrentSession } from './currentSession';
import type { SessionRun } from './sessionRun';
import type { TurnOutcome } from '../../contextWindow/event';
import { visibleLine } from '../../contextWindow/visibleText';

/** Events that come many times a second, piece by piece. */
const STREAMED: ReadonlySet<AgentEvent['type']> = new Set([
  'textDelta',
  'thinkingDelta',
  'toolOutput',
]);

/** Logs the turns of every session, and shows the user warnings and ends that they would miss. */
export function followTurns(
  { notices, report }: Pick<Services, 'notices' | 'report'>,
  current: Pick<CurrentSession, 'follow' | 'run' | 'showRun'>,
): void {
  const isShown = (run: SessionRun): boolean => run === current.run;
  current.follow({
    heard: (run, event) => {
      if (!STREAMED.has(event.type)) report.trace(`Event ${event.type}.`);
      if (event.type !== 'warning') return;
      notices.warn(inSession(current, run, event.message));
    },
    ended: (run, outcome) => {
      const { turn, step } = run.window;
      report.info(`Turn ${turn} ended at step ${step}: ${endWord(outcome)}.`);
      report.run(() =>
        notices.announceEnd(outcome, titleOfWindow(run.window), {
          isInSight: isShown(run),
          show: () => current.showRun(run),
        }),
      );
    },
    refused: () => report.warn('A prompt was not sent. The user was told why.'),
  });
}

/** Adds the session's name to a message if another session is shown. */
export function inSession(
  current: Pick<CurrentSession, 'run'>,
  run: SessionRun,
  message: string,
): string {
  return run === current.run ? message : `${message} (${sessionName(titleOfWindow(run.window))})`;
}

/** Why requests fail, in our own words; a log from elsewhere may have others. */
const FAILURES = new Set([
  'aborted',
  'authentication',
  'billing',
  'invalidRequest',
  'network',
  'notFound',
  'overflow',
  'overloaded',
  'permission',
  'rateLimited',
  'redirected',
  'replyTooLong',
  'requestTooLarge',
  'server',
  'streamCut',
  'unavailable',
  'unexpected',
]);

/** How a turn ended: `stopped`, `failed (overloaded)`. */
export function endWord(outcome: TurnOutcome): string {
  if (outcome.type !== 'failed') return outcome.type;
  return FAILURES.has(outcome.failure) ? `failed (${outcome.failure})` : 'failed';
}

/** Names a session in a notification, unless VS Code would not show its title as it is. */
export function sessionName(title: string): string {
  return isShownAsItIs(title) ? `“${title}”` : 'another session';
}

/** VS Code turns Markdown links into links, and joins lines and spaces. */
export function isShownAsItIs(text: string): boolean {
  return visibleLine(text) === text && !/[[\]\n]|\s{2}/.test(text);
}

type CapReached = Extract<TurnOutcome, { readonly type: 'capReached' }>;

const CAPS: Readonly<Record<CapReached['cap'], (most: number) => string>> = {
  steps: (most) => `${countText(most, 'step')} (plimsoll.turn.maxSteps)`,
  tokens: (most) => `${countText(most, 'token')} (plimsoll.turn.maxTokens)`,
  usd: (most) => `$${most} (plimsoll.turn.maxCost)`,
};

/** Names the limit that was reached, and the amount spent: "1 step, 3,208 tokens, $0.0123". */
export function capText({ cap, most, spent, nextUsd }: CapReached): string {
  const { steps, tokens, usd, isEstimate } = spent;
  const exact = isEstimate !== true;
  const cost = usd === undefined ? 'price unknown' : dollarAmountText(usd, exact);
  const all = [countText(steps, 'step'), marked(countText(tokens, 'token'), exact), cost].join(
    ', ',
  );
  const sofar = `Spent since you last continued: ${all}.`;
  if (nextUsd === undefined) return `Stopped at your limit of ${CAPS[cap](most)}. ${sofar}`;
  const stopped = `The next request was not sent: its input costs ${dollarAmountText(nextUsd)}, and your limit is ${CAPS[cap](most)}. ${sofar}`;
  return nextUsd > most
    ? `${stopped} To continue, raise the limit or run Compact Now.`
    : `${stopped} Continue counts from zero again.`;
}

/** Says how a turn ended, as a sentence without its full stop. */
export function turnEndText(outcome: TurnOutcome): string {
  switch (outcome.type) {
    case 'finished':
      return 'the agent has finished';
    case 'stopped':
      return 'the agent was stopped';
    case 'interrupted':
      return 'the agent was interrupted';
    case 'capReached':
      return capText(outcome);
    case 'replyCut':
    case 'refused':
    case 'contextFull':
    case 'failed':
      return outcome.message;
  }
}
