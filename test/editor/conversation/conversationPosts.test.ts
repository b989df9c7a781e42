import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Session } from '../../../src/agent/session';
import type { NewEvent } from '../../../src/contextWindow/event';
import type { AgentFact } from '../../../src/editor/conversation/state';
import type { LiveTurn } from '../../../src/editor/session/agentWork';
import { AgentViewStore } from '../../../webview/conversation/agentViewStore';
import { dispatch } from '../../../webview/kit/hostLink';
import { measure } from '../../../src/contextWindow/account/measure';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import { planPass } from '../../../src/contextWindow/passes/policies/policies';
import type { Trigger } from '../../../src/contextWindow/plan';
import { payeeOf, reviewCost } from '../../../src/editor/session/coldText';
import type { SessionRun } from '../../../src/editor/session/sessionRun';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import {
  budgetOf,
  countDots,
  draw,
  promptEvent,
  resultEvent,
  stepEvents,
} from '../../support/drawing';
import { estimate } from '../../support/player';
import { actions } from '../../support/randomSession';
import { SMALL, validWith } from '../contextPanel/support/inspecting';
import {
  conversationPosts,
  GrowingSession,
  played,
  sizeOf,
  started,
  typesOf,
} from '../support/postedPages';
import { runs } from '../../support/runs';

const VALID = validWith(SMALL);
const ASKING: LiveTurn = { activity: { state: 'asking', since: 0 } };

/** An Agent view that gets the posts about a session unless they are `lost`. */
function scene(lost: (nth: number) => boolean = () => false) {
  const session: GrowingSession = new GrowingSession(() => posts.publish());
  const facts: AgentFact[] = [];
  const store = new AgentViewStore({
    post: ({ wish }) => {
      if (wish.type === 'announceReady') posts.hydrate();
    },
    beforeFrame: (task) => task(),
    unsentPrompt: '',
    firstNumber: 1,
  });
  const post = (fact: AgentFact): void => {
    facts.push(fact);
    const posted = JSON.parse(JSON.stringify(fact)) as AgentFact;
    if (!lost(facts.length)) dispatch(store.handlers, posted);
  };
  const posts = conversationPosts(VALID, session, post, { live: ASKING, isBusy: true });
  return {
    session,
    facts,
    posts,
    known: () => store.conversation.value,
    /** The posts that a new page gets. */
    whole: (): unknown => {
      const before = facts.length;
      posts.hydrate();
      const [fact] = facts.slice(before);
      return fact?.type === 'conversationChanged' ? fact.conversation : undefined;
    },
  };
}

/** A session with turns of this many steps. */
function longSession(steps: number, turnSteps: number): readonly NewEvent[] {
  return Array.from({ length: steps }, (_, index) => [
    ...(index % turnSteps === 0 ? [promptEvent('And then?')] : []),
    ...stepEvents([{ id: `toolu_${index}`, name: `file${index % 9}.ts`, tokens: 300 }], 'Looking.'),
    resultEvent(`toolu_${index}`, 'Text.'),
  ]).flat();
}

describe('the posts to the Agent view of a growing session', () => {
  it('add up, patch by patch, to the whole state', () => {
    fc.assert(
      fc.property(actions, fc.array(fc.integer({ min: 1, max: 9 })), (script, runs) => {
        const view = scene();
        const events = [...played(script, VALID)];
        for (let at = 0, turn = 0; at < events.length; turn += 1) {
          const run = runs[turn % Math.max(1, runs.length)] ?? 3;
          view.session.take(events.slice(at, at + run));
          at += run;
        }
        const known = view.known();
        expect(typesOf(view.facts.slice(1))).not.toContain('conversationChanged');
        expect(known).toEqual(view.whole());
      }),
      { numRuns: runs(8, 200) },
    );
  });

  it('contain the whole state again after a patch was lost', () => {
    fc.assert(
      fc.property(actions, fc.integer({ min: 1, max: 9 }), (script, nth) => {
        const view = scene((each) => each === nth);
        for (const event of played(script, VALID)) view.session.take([event]);
        // A page that lost a patch requests the whole state when the next one arrives.
        for (let more = 0; more < 10; more += 1) view.posts.publish();
        const known = view.known();
        expect(known).toEqual(view.whole());
      }),
      { numRuns: runs(8, 200) },
    );
  });

  it.each([
    ['turns of 40 steps', 40],
    ['one turn', 1_000_000],
  ])('are as long for one more event after 2,000 steps as after 200, in %s', (_, turnSteps) => {
    const bytesAfter = (steps: number): readonly number[] => {
      const session = new Session({ append: () => undefined }, () => 0);
      for (const event of longSession(steps, turnSteps)) session.append(event);
      const view = scene();
      view.session.take(session.events);
      const events = [
        ...stepEvents([{ id: 'toolu_more', name: 'more.ts', tokens: 300 }], 'More.'),
        resultEvent('toolu_more', 'Text.'),
      ];
      return events.map((event) => {
        const told = view.facts.length;
        session.append(event);
        view.session.take(session.events.slice(-1));
        expect(typesOf(view.facts.slice(told))).toEqual(['conversationPatched']);
        return sizeOf(view.facts.slice(told));
      });
    };
    const [few, many] = [bytesAfter(200), bytesAfter(2_000)];
    for (const [index, bytes] of many.entries()) {
      expect(bytes).toBeLessThan(1_200);
      expect(bytes / few[index]!).toBeLessThan(1.2);
    }
  });

  it('contain the whole state for another session and for a new page', () => {
    const view = scene();
    view.session.show(started('one'));
    view.session.show(started('two'));
    view.posts.hydrate();
    view.posts.publish();
    expect(typesOf(view.facts)).toEqual([
      ...Array.from({ length: 3 }, () => 'conversationChanged'),
      'conversationPatched',
    ]);
    expect(view.known()?.session).toBe('two');
  });
});

describe('a pass that waits for its review', () => {
  const steps = Array.from({ length: 14 }, (_, index) => `1 step f${index}.ts 60`).join('\n');
  const window = draw(`1 anchor task 30\n${steps}`);
  const plan = planPass({
    window,
    measured: measure(window, countDots),
    budget: budgetOf(1_000),
    trigger: 'coldCache',
    estimate: countDots,
    settings: POLICY_SETTINGS,
  });
  const posted = (trigger: Trigger) => {
    const facts: AgentFact[] = [];
    const proposed = {
      plan: { ...plan, trigger },
      summaries: [],
      cold: { warmTokens: 0, requestsToCome: 1 },
    };
    const questions = { pendingPass: { id: 7, reviewId: 7, proposed } };
    const session = new GrowingSession(() => undefined);
    conversationPosts(VALID, session, (fact) => facts.push(fact), {
      questions: questions as unknown as SessionRun['questions'],
    }).hydrate();
    const [fact] = facts;
    return fact?.type === 'conversationChanged' ? fact.conversation.coldPass : undefined;
  };

  it('is asked about in the Agent view if the prompt cache is cold, in the words of the panel', () => {
    const by = payeeOf(VALID);
    const { cold } = reviewCost(
      { plan, summaries: [], cold: { warmTokens: 0, requestsToCome: 1 } },
      EMPTY_WINDOW,
      estimate,
      by,
    );
    expect(cold).toContain('The prompt cache is cold: ');
    expect(posted('coldCache')).toEqual({ proposedPassId: 7, cost: cold });
    expect(posted('highWatermark')).toBeUndefined();
  });
});
