import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../../src/contextWindow/event';
import type { ContextFact } from '../../../src/editor/contextPanel/state';
import { makePanelStore } from '../../../webview/contextPanel/store/panelStore';
import { dispatch } from '../../../webview/kit/hostLink';
import { dated, promptEvent, stepEvents } from '../../support/drawing';
import { actions } from '../../support/randomSession';
import {
  GrowingSession,
  panelPosts,
  played,
  sizeOf,
  started,
  typesOf,
} from '../support/postedPages';
import { inspecting, lookedAt, SMALL, validWith } from './support/inspecting';
import { runs } from '../../support/runs';

const VALID = validWith(SMALL);

/** A panel that gets the posts about a session unless they are `lost`. */
function scene(lost: (nth: number) => boolean = () => false) {
  const session: GrowingSession = new GrowingSession(() => posts.publish());
  const { inspection } = inspecting(() => lookedAt(session, VALID));
  const facts: ContextFact[] = [];
  const store = makePanelStore(({ wish }) => {
    if (wish.type === 'announceReady') posts.publish(true);
  });
  const { posts, seen } = panelPosts(inspection, (fact) => {
    facts.push(fact);
    const posted = JSON.parse(JSON.stringify(fact)) as ContextFact;
    if (!lost(facts.length)) dispatch(store.handlers, posted);
  });
  return {
    session,
    inspection,
    facts,
    posts,
    seen,
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

describe('the posts to the Context panel of a growing session', () => {
  it('lead, patch by patch, to the whole state', async () => {
    await fc.assert(
      fc.asyncProperty(actions, fc.array(fc.integer({ min: 1, max: 9 })), async (script, runs) => {
        const panel = scene();
        const events = [...played(script, VALID)];
        for (let at = 0, turn = 0; at < events.length; turn += 1) {
          const run = runs[turn % Math.max(1, runs.length)] ?? 3;
          panel.session.take(events.slice(at, at + run));
          at += run;
          expect(panel.known()).toEqual(panel.whole());
          // Now and then the user travels back and returns.
          if (run === 9) await panel.inspection.travelTo(turn % 2 === 0 ? 1 : 'now');
        }
        expect(typesOf(panel.facts).filter((type) => type === 'contextChanged')).toHaveLength(1);
      }),
      { numRuns: runs(10, 200) },
    );
  });

  it('say each time how many events of the log they include', () => {
    const panel = scene();
    const events = longSession(3);
    for (const [index, event] of events.entries()) {
      panel.session.take([event]);
      expect(panel.known().context?.events).toBe(index + 1);
    }
    panel.session.show(events.slice(0, 2));
    expect(panel.known().context?.events).toBe(2);
  });

  it('contain the whole state again after one was lost', () => {
    const losses = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(actions, losses, (script, lost) => {
        const panel = scene((nth) => lost.includes(nth));
        for (const event of played(script, VALID)) panel.session.take([event]);
        // The last patches are not lost, but they do not fit, which shows the loss.
        while (panel.facts.length <= 40) panel.session.prompt();
        for (let more = 0; more < 11; more += 1) panel.session.prompt();
        expect(panel.known()).toEqual(panel.whole());
      }),
      { numRuns: runs(10, 200) },
    );
  });

  it('first contain everything but the planned pass for a long window, and then that pass', () => {
    const panel = scene();
    panel.session.take(longSession(400));
    expect(panel.known().context?.next).toEqual({ type: 'workingOut' });
    expect(panel.seen).toEqual({ again: 1, ahead: 0 });
    panel.posts.publish();
    // Then the panel requests the files for its excerpts.
    expect(panel.seen).toEqual({ again: 1, ahead: 1 });
    expect(panel.known()).toEqual(panel.whole());
    expect(panel.known().context?.next.type).toBe('planned');
  });

  it('are as long as the change, not as long as the session', () => {
    const panel = scene();
    const events = longSession(400);
    panel.session.take(events.slice(0, -2));
    panel.posts.publish();
    const whole = sizeOf(panel.facts);
    panel.session.take(events.slice(-2));
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
    panel.session.show(started('one'));
    panel.session.show(started('two'));
    panel.posts.publish(true);
    const pair = ['timelineChanged', 'contextChanged'];
    expect(typesOf(panel.facts)).toEqual([...pair, ...pair, ...pair]);
    expect(panel.known()).toEqual(panel.whole());
  });

  it('leave out the timeline while the log is unchanged', () => {
    const panel = scene();
    panel.session.take(longSession(3));
    panel.posts.publish();
    expect(typesOf(panel.facts).slice(2)).toEqual(['contextPatched']);
  });
});
