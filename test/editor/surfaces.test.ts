import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_WINDOW, applyEvent } from '../../src/contextWindow/fold';
import { entered, type SessionEvent } from '../../src/contextWindow/event';
import { withInputBudget } from '../../src/contextWindow/budget';
import type { Surfaces } from '../../src/editor/surfaces';
import type { ContextFact } from '../../src/editor/contextPanel/state';
import { dispatch } from '../../webview/kit/hostLink';
import { makePanelStore } from '../../webview/contextPanel/store/panelStore';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { dated, promptEvent, stepEvents } from '../support/drawing';
import { actions, play } from '../support/randomSession';
import { inspecting, lookedAt, SMALL, validWith } from './contextPanel/support/inspecting';
import { standInSurfaces } from './support/standInSurfaces';

const VALID = validWith(SMALL);

/** The surfaces, and a panel that gets their posts unless it is `lost`. */
function scene(lost: (nth: number) => boolean = () => false) {
  const session = { events: [] as SessionEvent[], window: EMPTY_WINDOW };
  const { inspection } = inspecting(() => lookedAt(session, VALID));
  const facts: ContextFact[] = [];
  let asked = 0;
  let ahead = 0;
  const store = makePanelStore(({ wish }) => {
    if (wish.type === 'announceReady') surfaces.hydrateContext();
  });
  const surfaces: Surfaces = standInSurfaces(
    VALID,
    session,
    { changed: () => void (asked += 1) },
    {
      panel: {
        inspection,
        readAhead: () => void (ahead += 1),
        isLive: true,
        post: (fact) => {
          facts.push(fact);
          const posted = JSON.parse(JSON.stringify(fact)) as ContextFact;
          if (!lost(facts.length)) dispatch(store.handlers, posted);
        },
      },
    },
  );
  return {
    inspection,
    facts,
    store,
    surfaces,
    /** Continues the session and publishes. */
    take: (events: readonly SessionEvent[]): void => {
      session.events.push(...events);
      session.window = events.reduce(applyEvent, session.window);
      surfaces.publishState();
    },
    prompt: (): void => {
      const { events, window } = session;
      const event = entered(promptEvent('And then?'), events.length, window);
      session.events.push(event);
      session.window = applyEvent(window, event);
      surfaces.publishState();
    },
    /** Opens another session and publishes. */
    show: (events: readonly SessionEvent[]): void => {
      session.events = [...events];
      session.window = events.reduce(applyEvent, EMPTY_WINDOW);
      surfaces.publishState();
    },
    /** How many more publishes were requested. */
    asked: () => asked,
    /** How often the files of the next pass were requested. */
    ahead: () => ahead,
    publish: () => surfaces.publishState(),
    known: () => ({ context: store.context.value, timeline: store.timeline.value }),
    /** The posts to a new page. */
    whole: () =>
      JSON.parse(
        JSON.stringify({ context: inspection.view(), timeline: inspection.timeline() }),
      ) as unknown,
  };
}

function longSession(steps: number): readonly SessionEvent[] {
  return dated([
    promptEvent('task'),
    ...Array.from({ length: steps }, (_, index) =>
      stepEvents([{ id: `tool_${index}`, name: `file${index % 9}.ts`, tokens: 300 }], 'Looking.'),
    ).flat(),
  ]);
}

const sizeOf = (facts: readonly ContextFact[]) => JSON.stringify(facts).length;
const typesOf = (facts: readonly ContextFact[]) => facts.map(({ type }) => type);
const played = (script: Parameters<typeof play>[0]) =>
  play(script, withInputBudget(VALID.budget, 3_000), POLICY_SETTINGS).events;

describe('the posts to the Context panel of a growing session', () => {
  it('lead, patch by patch, to the whole state', async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.array(fc.integer({ min: 1, max: 9 })), async (script, runs) => {
        const panel = scene();
        const events = [...played(script)];
        for (let at = 0, turn = 0; at < events.length; turn += 1) {
          const run = runs[turn % Math.max(1, runs.length)] ?? 3;
          panel.take(events.slice(at, at + run));
          at += run;
          expect(panel.known()).toEqual(panel.whole());
          // Now and then the user travels back and returns.
          if (run === 9) await panel.inspection.travelTo(turn % 2 === 0 ? 1 : 'now');
        }
        expect(typesOf(panel.facts).filter((type) => type === 'contextChanged')).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });

  it('say each time how many events of the log they include', () => {
    const panel = scene();
    const events = longSession(3);
    for (const [index, event] of events.entries()) {
      panel.take([event]);
      expect(panel.known().context?.events).toBe(index + 1);
    }
    panel.show(events.slice(0, 2));
    expect(panel.known().context?.events).toBe(2);
  });

  it('contain the whole state again after one was lost', () => {
    const losses = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(actions, losses, (script, lost) => {
        const panel = scene((nth) => lost.includes(nth));
        for (const event of played(script)) panel.take([event]);
        // The last patches are not lost, but they do not fit, which shows the loss.
        while (panel.facts.length <= 40) panel.prompt();
        for (let more = 0; more < 11; more += 1) panel.prompt();
        expect(panel.known()).toEqual(panel.whole());
      }),
      { numRuns: 25 },
    );
  });

  it('first contain everything but the planned pass for a long window, and then that pass', () => {
    const panel = scene();
    panel.take(longSession(400));
    expect(panel.known().context?.next).toEqual({ type: 'workingOut' });
    expect([panel.asked(), panel.ahead()]).toEqual([1, 0]);
    panel.publish();
    // Then the panel requests the files for its excerpts.
    expect(panel.ahead()).toBe(1);
    expect(panel.known()).toEqual(panel.whole());
    expect(panel.known().context?.next.type).toBe('planned');
    expect(panel.asked()).toBe(1);
  });

  it('are as long as the change, not as long as the session', () => {
    const panel = scene();
    const events = longSession(400);
    panel.take(events.slice(0, -2));
    panel.publish();
    const whole = sizeOf(panel.facts);
    panel.take(events.slice(-2));
    expect(typesOf(panel.facts)).toEqual([
      'timelineChanged',
      'contextChanged',
      'contextPatched',
      'timelinePatched',
      'contextPatched',
    ]);
    expect(sizeOf(panel.facts.slice(3)) / whole).toBeLessThan(0.15);
    expect(sizeOf(panel.facts.slice(3, 4))).toBeLessThan(600);
    expect(panel.known()).toEqual(panel.whole());
  });

  it('contain the whole state for another session and for a new page', () => {
    const panel = scene();
    const started = (sessionId: string) =>
      dated([
        { type: 'sessionStarted', version: 3, sessionId, pinTaskAnchor: true },
        promptEvent('task'),
      ]);
    panel.show(started('one'));
    panel.show(started('two'));
    panel.surfaces.hydrateContext();
    const pair = ['timelineChanged', 'contextChanged'];
    expect(typesOf(panel.facts)).toEqual([...pair, ...pair, ...pair]);
    expect(panel.known()).toEqual(panel.whole());
  });

  it('leave out the timeline while the log is unchanged', () => {
    const panel = scene();
    panel.take(longSession(3));
    panel.surfaces.publishState();
    expect(typesOf(panel.facts).slice(2)).toEqual(['contextPatched']);
  });
});
