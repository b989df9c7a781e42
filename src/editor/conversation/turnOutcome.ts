import type { TurnOutcome } from '../../contextWindow/event';
import type { HelpingAction, TurnView } from './state';
import { capText } from '../session/turnNotices';

type OutcomeView = NonNullable<TurnView['outcome']>;

const CONTINUE: HelpingAction = { label: 'Continue', wish: { type: 'continueTurn' } };
const RETRY: HelpingAction = { label: 'Retry', wish: { type: 'continueTurn' } };
const SET_KEY: HelpingAction = { label: 'Set the API key', wish: { type: 'setApiKey' } };
const OPEN_AGAIN: HelpingAction = { label: 'Open it again', wish: { type: 'reopenSession' } };

/** The state of a turn whose end is not in the log. */
interface OpenEnd {
  /** Why the log rejected an event; undefined for a turn that a crash ended. */
  readonly logProblem: string | undefined;
  /** The step after which the session was forked, if nothing has happened in the turn since. */
  readonly forkedAt?: number | undefined;
}

/**
 * Says how a turn ended, and what can continue it. Everything follows from the log, so that a
 * reload shows the same.
 */
export function outcomeView(outcome: TurnOutcome | undefined, open: OpenEnd): OutcomeView {
  if (outcome !== undefined) {
    const actions = actionsFor(outcome);
    return {
      type: outcome.type,
      ...wordsOf(outcome),
      ...(actions.length === 0 ? {} : { actions }),
    };
  }
  const { logProblem, forkedAt } = open;
  if (logProblem !== undefined) {
    const message = `${logProblem} The turn ended there. Plimsoll kept what was not sent.`;
    return { type: 'logFailed', message, actions: [OPEN_AGAIN] };
  }
  if (forkedAt !== undefined) {
    const message = `Forked after step ${forkedAt}.`;
    return { type: 'interrupted', message, actions: [CONTINUE] };
  }
  const message = 'Interrupted by a restart: Plimsoll ended in the middle of this turn.';
  return { type: 'interrupted', message, actions: [CONTINUE] };
}

function wordsOf(outcome: TurnOutcome): Pick<OutcomeView, 'message'> {
  switch (outcome.type) {
    case 'finished':
      return {};
    case 'stopped':
      return { message: 'Stopped by you.' };
    case 'interrupted':
      return { message: 'Interrupted by a reload: the window was reloaded or closed.' };
    case 'capReached':
      return { message: capText(outcome) };
    case 'replyCut':
    case 'refused':
    case 'contextFull':
    case 'failed':
      return { message: outcome.message };
  }
}

/** The buttons that continue the turn, most helpful first. */
function actionsFor(outcome: TurnOutcome): readonly HelpingAction[] {
  switch (outcome.type) {
    case 'finished':
      return [];
    case 'stopped':
    case 'interrupted':
    case 'replyCut':
      return [CONTINUE];
    case 'capReached':
      return outcome.nextUsd !== undefined && outcome.nextUsd > outcome.most
        ? [...settingIn(capText(outcome)), CONTINUE]
        : [CONTINUE, ...settingIn(capText(outcome))];
    case 'refused':
      return [RETRY];
    case 'contextFull':
      return [...settingIn(outcome.message), RETRY];
    case 'failed':
      return outcome.failure === 'unexpected'
        ? [CONTINUE]
        : [...helpFor(outcome.failure, outcome.message), RETRY];
  }
}

/** What the user has to fix before the same request can succeed. */
function helpFor(failure: string, message: string): readonly HelpingAction[] {
  const isOfKey = failure === 'authentication' || failure === 'permission';
  return isOfKey ? [SET_KEY] : settingIn(message);
}

/** Opens the first setting that a reason names. */
function settingIn(message: string): readonly HelpingAction[] {
  const [setting] = /\bplimsoll\.\w+(?:\.\w+)*/.exec(message) ?? [];
  if (setting === undefined) return [];
  return [{ label: 'Open the setting', wish: { type: 'openSettings', setting } }];
}
