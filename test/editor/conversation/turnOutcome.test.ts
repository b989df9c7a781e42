import { describe, expect, it } from 'vitest';
import type { TurnOutcome } from '../../../src/contextWindow/event';
import { outcomeView } from '../../../src/editor/conversation/turnOutcome';

const NOTHING = { logProblem: undefined };

const failed = (failure: string, message = 'It failed.'): TurnOutcome => ({
  type: 'failed',
  failure,
  message,
});

/** The text below a turn and its buttons, as one line. */
function shown(outcome: TurnOutcome | undefined, logProblem?: string): string {
  const { message = '', actions = [] } = outcomeView(outcome, { logProblem });
  return [message, ...actions.map(({ label }) => `[${label}]`)].join(' ');
}

describe('the end of a turn', () => {
  it('has no message if the turn finished normally', () => {
    expect(outcomeView({ type: 'finished' }, NOTHING)).toEqual({ type: 'finished' });
  });

  it.each<readonly [string, TurnOutcome | undefined, string]>([
    ['stopped by the user', { type: 'stopped' }, 'Stopped by you. [Continue]'],
    ['a refusal', { type: 'refused', message: 'The model refused.' }, 'The model refused. [Retry]'],
    [
      'max_tokens after three times',
      { type: 'replyCut', message: 'The reply was cut off.' },
      'The reply was cut off. [Continue]',
    ],
    [
      'a window that could not be made to fit',
      { type: 'contextFull', message: 'It is full. plimsoll.context.compaction is off.' },
      'It is full. plimsoll.context.compaction is off. [Open the setting] [Retry]',
    ],
    ['no key, or a refused one', failed('authentication'), 'It failed. [Set the API key] [Retry]'],
    ['a key that may not', failed('permission'), 'It failed. [Set the API key] [Retry]'],
    [
      'a network that is gone after all tries',
      failed('network', 'Could not reach it. Plimsoll tried 10 times.'),
      'Could not reach it. Plimsoll tried 10 times. [Retry]',
    ],
    ['an idle stream', failed('streamCut', 'The reply broke off.'), 'The reply broke off. [Retry]'],
    ['an invalid request', failed('invalidRequest', 'Refused.'), 'Refused. [Retry]'],
    [
      'a model that the server does not know',
      failed('notFound', 'Check plimsoll.model and plimsoll.baseUrl.'),
      'Check plimsoll.model and plimsoll.baseUrl. [Open the setting] [Retry]',
    ],
    [
      'an offline model that could not be started',
      failed('unavailable', 'It could not be started (plimsoll.provider is offline).'),
      'It could not be started (plimsoll.provider is offline). [Open the setting] [Retry]',
    ],
    ['a mistake of Plimsoll’s own', failed('unexpected'), 'It failed. [Continue]'],
    [
      'a reload',
      { type: 'interrupted' },
      'Interrupted by a reload: the window was reloaded or closed. [Continue]',
    ],
    [
      'a crash',
      undefined,
      'Interrupted by a restart: Plimsoll ended in the middle of this turn. [Continue]',
    ],
  ])('%s has a message, with the buttons that continue', (_, outcome, words) => {
    expect(shown(outcome)).toBe(words);
  });

  it('a log that failed is reported, and can be opened again', () => {
    expect(shown(undefined, 'The log could not be written: ENOSPC.')).toBe(
      'The log could not be written: ENOSPC. The turn ended there. Plimsoll kept what was not sent. [Open it again]',
    );
  });

  it('the button opens the setting that the reason names', () => {
    const { actions } = outcomeView(failed('notFound', 'Check plimsoll.model.'), NOTHING);
    expect(actions?.[0]?.wish).toEqual({ type: 'openSettings', setting: 'plimsoll.model' });
  });
});
