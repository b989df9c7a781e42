import { describe, expect, it } from 'vitest';
import type { NewEvent, SessionEvent } from '../../src/contextWindow/event';
import { idleText, knownFiles, lastUse, returnSince } from '../../src/contextWindow/idle';
import { draw, promptEvent, resultEvent, stepEvents } from '../support/drawing';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Events at given hours. */
function at(...events: readonly (readonly [hour: number, event: NewEvent])[]) {
  const numbers = { turn: 1, step: 1, note: 1 };
  return events.map(([hour, event]) => ({ ...numbers, ...event, at: hour * HOUR }) as SessionEvent);
}

const STARTED: NewEvent = {
  type: 'sessionStarted',
  version: 3,
  sessionId: 's',
  pinTaskAnchor: true,
};
const [REPLY] = stepEvents([]) as [NewEvent];
const ENDED: NewEvent = { type: 'turnEnded', outcome: { type: 'finished' } };
const EXPIRED: NewEvent = { type: 'sessionClosed', reason: 'expired' };
const SESSION = [
  [0, STARTED],
  [1, promptEvent('task')],
  [2, REPLY],
  [2, ENDED],
] as const;

describe('returnSince', () => {
  it('reports a session that was idle for its time to live since the conversation ended', () => {
    const events = at(...SESSION);
    expect(returnSince(events, 2 * HOUR + DAY - 1, DAY)).toBeUndefined();
    expect(returnSince(events, 2 * HOUR + DAY, DAY)).toBe(2 * HOUR);
  });

  it('reports nothing without a limit, or before the first prompt', () => {
    expect(returnSince(at(...SESSION), 1_000 * DAY, 0)).toBeUndefined();
    expect(returnSince(at([0, STARTED]), 1_000 * DAY, DAY)).toBeUndefined();
  });

  it('reports a session that expired, whatever the limit is now', () => {
    const expired = at(...SESSION, [26, EXPIRED]);
    expect(returnSince(expired, 27 * HOUR, 0)).toBe(2 * HOUR);
    expect(returnSince([...expired, ...at([27, promptEvent('on')])], 28 * HOUR, 0)).toBe(undefined);
    const ended = at(...SESSION, [26, { type: 'sessionClosed', reason: 'ended' }]);
    expect(returnSince(ended, 27 * HOUR, 0)).toBeUndefined();
  });

  it.each<[string, NewEvent]>([
    ['its end', EXPIRED],
    ['a new name', { type: 'stateSet', key: 'title', value: 'x' }],
    ['a pin', { type: 'blockPinned', blockId: 'step-1' as never }],
    [
      'the result of an interrupted call, logged when the session is opened',
      { ...resultEvent('t', 'Interrupted'), origin: 'interrupted' } as NewEvent,
    ],
  ])('reports it again although the log then has %s', (_, event) => {
    expect(returnSince(at(...SESSION, [40, event]), 41 * HOUR, DAY)).toBe(2 * HOUR);
  });

  it('reports a fork of an old session, until the user continued it', () => {
    const forked = [...at([500, STARTED]), ...at(...SESSION).slice(1)];
    expect(returnSince(forked, 500 * HOUR, DAY)).toBe(2 * HOUR);
    const note: NewEvent = {
      type: 'noteAdded',
      source: { from: 'return', idleMs: DAY },
      text: 'Back.',
      admission: { form: 'whole' },
    };
    expect(returnSince([...forked, ...at([500, note])], 501 * HOUR, DAY)).toBeUndefined();
  });

  it('dates the last use by the end of the conversation', () => {
    expect([lastUse([]), lastUse(at(...SESSION, [30, EXPIRED]))]).toEqual([undefined, 2 * HOUR]);
  });
});

describe('knownFiles', () => {
  it('lists the files that calls read, edited or wrote, removed ones included', () => {
    const window = draw(`
      1 anchor task 10
      1 step   a.ts:1-9 40
      1 edit   a.ts 5
      1 step   b.ts 40
      1 write  c.ts 5
      1 run    make 5
      1 search d.ts 5
      1 step   gone.ts 40 failed
    `);
    expect(knownFiles(window)).toEqual([
      { path: 'a.ts', isEdited: true },
      { path: 'b.ts', isEdited: false },
      { path: 'c.ts', isEdited: true },
    ]);
  });
});

describe('idleText', () => {
  it.each([
    [30 * DAY, '30 days'],
    [2 * DAY - 1, '1 day'],
    [DAY - 1, '23 hours'],
    [HOUR, '1 hour'],
    [61_000, '1 minute'],
    [59_999, 'less than a minute'],
  ])('gives for %i ms: %s', (ms, words) => {
    expect(idleText(ms)).toBe(words);
  });
});
