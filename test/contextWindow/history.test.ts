import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { WindowHistory } from '../../src/contextWindow/history';
import { PersistentMap } from '../../src/contextWindow/persistentMap';
import { forkEvents } from '../../src/sessions/sessionRegistry';
import { dated, drawnEvents, promptEvent, reply, stepEvents, usage } from '../support/drawing';
import { actions, playSmall } from '../support/randomSession';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { runs } from '../support/runs';

// The order of a persistent map depends on when its layers were merged, which is no difference.
expect.addEqualityTesters([
  function (one, other) {
    if (!(one instanceof PersistentMap) || !(other instanceof PersistentMap)) return undefined;
    return this.equals(new Map(one), new Map(other));
  },
]);

/** A prompt and this many steps of one call each. */
function session(steps: number, word = 'task'): SessionEvent[] {
  const told = [
    promptEvent(word),
    ...Array.from({ length: steps }, (_, n) =>
      stepEvents([{ id: `t${n}`, name: `f${n % 9}.ts`, tokens: 1 }]),
    ).flat(),
  ];
  return [...dated(told)];
}

function prefixBefore(events: readonly SessionEvent[], step: number): readonly SessionEvent[] {
  const index = events.findIndex((one) => one.type === 'replyReceived' && one.step === step);
  return events.slice(0, index);
}

describe('a fork', () => {
  const SESSION = dated([
    ...drawnEvents('1 anchor one 5\n1 read a.ts 5'),
    reply('done', usage(0)),
    { type: 'turnEnded', outcome: { type: 'finished' } },
    promptEvent('two'),
    reply('done', usage(0)),
  ]);
  const typesOf = (step: number) => forkEvents(SESSION, step)!.map(({ type }) => type);

  it('at the last step of a turn includes the turn’s end, so that nothing counts as interrupted', () => {
    expect(typesOf(2).at(-1)).toBe('turnEnded');
    expect(typesOf(1)).not.toContain('turnEnded');
    expect(typesOf(3).at(-1)).toBe('replyReceived');
  });
});

describe('WindowHistory', () => {
  it(
    'gives the fold of the preceding events at every step, in any order',
    { timeout: runs(120_000, 3_600_000) },
    () => {
      fc.assert(
        fc.property(actions, fc.infiniteStream(fc.nat()), (script, order) => {
          const { events } = playSmall(script, 'ladder', POLICY_SETTINGS);
          const history = new WindowHistory(events);
          const numbers = [...history.stepNumbers];
          expect(numbers).toHaveLength(history.steps);
          for (let left = Math.min(numbers.length, 12); left > 0; left -= 1) {
            const step = numbers[Number(order.next().value) % numbers.length]!;
            expect(history.windowBefore(step)).toEqual(fold(prefixBefore(events, step)));
            const [begun] = events;
            expect(history.windowAfter(step)).toEqual(fold([begun!, ...forkEvents(events, step)!]));
          }
        }),
        { numRuns: runs(20, 500), seed: 20_261_122 },
      );
    },
  );

  it('is right on both sides of every saved window', () => {
    const events = session(200);
    const history = new WindowHistory(events);
    history.windowAfter(200);
    for (const step of [1, 63, 64, 65, 66, 128, 129, 130, 199, 200]) {
      expect(history.windowBefore(step)).toEqual(fold(prefixBefore(events, step)));
    }
  });

  it('follows its session, and keeps what it knows', () => {
    const events = session(100);
    const grown = events.slice(0, 101);
    const history = new WindowHistory(grown);
    const before = history.windowBefore(20);
    expect(history.windowBefore(51)).toBeUndefined();
    grown.push(...events.slice(101));
    history.follow(grown);
    expect(history.steps).toBe(100);
    expect(history.windowBefore(20)).toBe(before);
    expect(history.windowAfter(100)).toEqual(fold(events));
  });

  it('recognises the same session in another list of the same events', () => {
    const events = session(5);
    const history = new WindowHistory(events.slice(0, 5));
    const before = history.windowBefore(2);
    history.follow([...events]);
    expect(history.windowBefore(2)).toBe(before);
    expect(history.steps).toBe(5);
  });

  it.each([
    ['another session', session(9, 'other')],
    ['a shorter one', session(3, 'other')],
    ['none', []],
  ])('starts over with %s', (_, events) => {
    const history = new WindowHistory(session(9));
    history.windowAfter(9);
    history.follow(events);
    expect(history.steps).toBe(events.length === 0 ? 0 : (events.length - 1) / 2);
    expect(history.windowBefore(9)).toEqual(
      events.length < 19 ? undefined : fold(prefixBefore(events, 9)),
    );
    if (events.length > 0) {
      expect(history.windowBefore(3)).toEqual(fold(prefixBefore(events, 3)));
    }
  });

  it('knows steps by their numbers, in which lost lines leave gaps', () => {
    const events = session(70).filter(
      (event) => event.type !== 'replyReceived' || (event.step !== 64 && event.step !== 3),
    );
    const history = new WindowHistory(events);
    expect(history.steps).toBe(68);
    expect([...history.stepNumbers].slice(0, 4)).toEqual([1, 2, 4, 5]);
    expect(history.windowBefore(3)).toBeUndefined();
    expect(history.replyOf(3)).toBeUndefined();
    expect(history.replyOf(4)).toMatchObject({ step: 4 });
    history.windowAfter(70);
    expect(history.windowBefore(65)).toEqual(fold(prefixBefore(events, 65)));
  });

  it('returns the same value for the step shown last', () => {
    const history = new WindowHistory(session(150));
    const before = history.windowBefore(90);
    history.windowBefore(140);
    expect(history.windowBefore(90)).toBe(before);
  });
});
