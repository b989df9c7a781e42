import { describe, expect, it } from 'vitest';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import { fold } from '../../../../src/contextWindow/fold';
import type { Usage } from '../../../../src/contextWindow/account/spending';
import { requestsOfPasses } from '../../../../src/editor/contextPanel/ledger/derive';
import { dated, evicting, promptEvent, reply, usage } from '../../../support/drawing';
import { smallBudget } from '../../../support/smallBudget';
import { inspectedOf } from '../support/inspectedScene';

const DEMO = 'the demo';
const SONNET = 'claude-sonnet-5-5';
const OPUS = 'claude-opus-5-5';

const by = (model: string, more: Partial<EventOf<'replyReceived'>> = {}): NewEvent => ({
  ...(reply('Done.', usage(500)) as EventOf<'replyReceived'>),
  model,
  ...more,
});

const passBefore = (beforeStep: number, number: number): NewEvent => {
  const event = evicting('step-1') as EventOf<'passApplied'>;
  return { ...event, pass: { ...event.pass, beforeStep, number } };
};

/** The models whose prices apply to the requests of some steps, in words. */
function payees(
  told: readonly NewEvent[],
  steps: readonly number[],
  more: { readonly offline?: boolean; readonly recordedUsage?: ReadonlyMap<number, Usage> } = {},
) {
  const events = dated([promptEvent('task'), ...told]);
  const window = fold(events);
  const inspected = { ...inspectedOf(window, smallBudget(), { events }), ...more };
  const requestOf = requestsOfPasses(inspected, DEMO);
  return steps.map((step) => {
    const { by: payee } = requestOf(step);
    return payee.offline ? 'offline' : payee.model;
  });
}

describe('the request after a pass', () => {
  it('has the model that answered it, whatever model is chosen now', () => {
    const told = [
      by(DEMO),
      passBefore(2, 1),
      by(DEMO),
      { type: 'modelSet', model: OPUS } as const,
      passBefore(3, 2),
      by(OPUS),
      { type: 'modelSet', model: SONNET } as const,
      passBefore(4, 3),
      by(SONNET),
    ];
    expect(payees(told, [2, 3, 4])).toEqual(['offline', OPUS, SONNET]);
    expect(payees(told, [2, 3, 4], { offline: true })).toEqual(['offline', OPUS, SONNET]);
  });

  it('is the next one if none was sent since, with the current model', () => {
    const told = [{ type: 'modelSet', model: SONNET } as const, by(SONNET), passBefore(2, 1)];
    expect(payees(told, [2])).toEqual([SONNET]);
    expect(payees(told, [2], { offline: true })).toEqual(['offline']);
  });

  it('has the model of the previous answer if it was stopped', () => {
    const stopped = by(SONNET, { stopReason: 'stopped', usage: usage(0, { outputTokens: 0 }) });
    expect(payees([by(DEMO), passBefore(2, 1), stopped, by(DEMO)], [2])).toEqual(['offline']);
  });

  it('has the reported usage, and none in a replay, whose agent sent other requests', () => {
    const events = dated([promptEvent('task'), by(SONNET), passBefore(2, 1), by(SONNET)]);
    const window = fold(events);
    const inspected = inspectedOf(window, smallBudget(), { events });
    expect(requestsOfPasses(inspected, DEMO)(2).usage).toEqual(usage(500));
    const recordedUsage = new Map([[2, usage(77)]]);
    expect(requestsOfPasses({ ...inspected, recordedUsage }, DEMO)(2).usage).toEqual(usage(500));
    expect(requestsOfPasses(inspected, DEMO)(3).usage).toBeUndefined();
  });
});
