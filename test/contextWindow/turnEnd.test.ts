import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import { foundAtEnd } from '../../src/contextWindow/turnEnd';
import { callsTools, dated, prompt, started } from '../sessions/support/sampleEvents';

const summarised: NewEvent = {
  type: 'sessionSummarised',
  text: 'All of it.',
  writtenBy: { by: 'model', model: 'm' },
};
const ran: NewEvent = { type: 'closeCommandRan', command: 'true', exitCode: 0 };
const closed: NewEvent = { type: 'sessionClosed', reason: 'closed' };
const renamed: NewEvent = { type: 'stateSet', key: 'title', value: 'Another' };
const handedOver: NewEvent = { type: 'handedOver', to: { sessionId: 's-2', title: 'On' } };

const work = [started, prompt('task'), callsTools()];

describe('foundAtEnd', () => {
  it('finds an event while only housekeeping follows', () => {
    const events = dated(...work, summarised, ran, handedOver, renamed, closed);
    expect(foundAtEnd(events, 'sessionSummarised')).toMatchObject({ text: 'All of it.' });
    expect(foundAtEnd(events, 'closeCommandRan')).toMatchObject({ command: 'true' });
  });

  it.each<[string, NewEvent]>([
    ['a prompt', prompt('more')],
    ['a change by hand', { type: 'passUndone', number: 1 }],
    ['the end of a turn', { type: 'turnEnded', outcome: { type: 'finished' } }],
  ])('is of an earlier end once %s follows', (_, event) => {
    const events = dated(...work, summarised, ran, closed, event);
    expect(foundAtEnd(events, 'sessionSummarised')).toBeUndefined();
    expect(foundAtEnd(events, 'closeCommandRan')).toBeUndefined();
  });
});
