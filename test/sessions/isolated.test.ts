import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { actions, playSmall } from '../support/randomSession';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { runs } from '../support/runs';
import { tempFolder } from '../tools/support/tempFolder';
import { registryScene } from './support/registryScene';
import { readWhole } from './support/storedLog';

/** Every event is on disk before the next, so the soak is slow. */
const RUNS = runs(6, 200);

const played = actions.map(
  (script) => playSmall(script, POLICY_SETTINGS.policy, POLICY_SETTINGS).events,
);

/** The events without their times, and without those that open and close the session. */
const content = (events: readonly SessionEvent[]) =>
  events.flatMap((event) =>
    event.type === 'sessionStarted' || event.type === 'sessionClosed' ? [] : [{ ...event, at: 0 }],
  );

const requestOf = (events: readonly SessionEvent[]) => JSON.stringify(toRequest(fold(events)));

it('I11: sessions of one registry that take turns at random never see each other’s events', () => {
  fc.assert(
    fc.property(
      fc.array(played, { minLength: 2, maxLength: 3 }),
      fc.array(fc.nat(2), { maxLength: 60 }),
      fc.constantFrom(0, 1, 2),
      (sessions, turns, maxSessions) => {
        const { registry, reported } = registryScene(tempFolder(), { maxSessions });
        const opened = sessions.map(() => registry.start(true));
        const waiting = sessions.map((events) => content(events));
        // The sessions take turns as drawn, then each appends the rest of its events.
        const order = [...turns, ...waiting.flatMap((rest, index) => rest.map(() => index))];
        for (const turn of order) {
          const index = turn % sessions.length;
          const event = waiting[index]!.shift();
          if (event !== undefined) opened[index]!.session.append(event);
        }
        opened.forEach(({ session }, index) => {
          expect(content(session.events)).toEqual(content(sessions[index]!));
          expect(JSON.stringify(toRequest(session.window))).toBe(requestOf(sessions[index]!));
        });
        registry.close();
        opened.forEach(({ file }, index) => {
          const { events } = readWhole(file);
          expect(content(events)).toEqual(content(sessions[index]!));
          expect(requestOf(events)).toBe(requestOf(sessions[index]!));
        });
        expect(reported).toEqual([]);
      },
    ),
    { numRuns: RUNS, seed: 20_261_122 },
  );
});
