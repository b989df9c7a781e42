import { describe, expect, it } from 'vitest';
import type { NewEvent, SessionEvent } from '../../../src/contextWindow/event';
import { fold } from '../../../src/contextWindow/fold';
import { sessionFigures, type FigureFacts } from '../../../src/editor/sessions/sessionFigures';
import type { AgentFact } from '../../../src/editor/conversation/state';
import { dated, promptEvent, stepEvents } from '../../support/drawing';
import { estimate } from '../../support/player';
import { scriptedAgent, says, steps } from '../../support/scriptedAgent';
import { DEMO, inspecting, lookedAt, SMALL, validWith } from '../contextPanel/support/inspecting';
import { conversationPosts } from '../support/postedPages';

const VALID = validWith(SMALL);

function facts(events: readonly SessionEvent[], more: Partial<FigureFacts> = {}): FigureFacts {
  return {
    events,
    window: fold(events),
    budget: VALID.budget,
    estimate,
    offline: false,
    demoAuthor: DEMO,
    now: 'nothing',
    at: 1_000,
    ttlMs: 0,
    ...more,
  };
}

/** The Agent view's gauge and cost line of the same session. */
function shown(events: readonly SessionEvent[]) {
  const session = { events, window: fold(events) };
  const { inspection } = inspecting(() => lookedAt({ ...session, events: [...events] }, VALID));
  const told: AgentFact[] = [];
  conversationPosts(VALID, session, (fact) => told.push(fact)).hydrate();
  const [fact] = told;
  if (fact?.type !== 'conversationChanged') throw new Error('Nothing was posted.');
  const { gauge, costs } = fact.conversation;
  return { gauge, costs, panel: inspection.view() };
}

describe('the figures of a session in the list', () => {
  it('are those of the Agent view and the Context panel', async () => {
    const agent = scriptedAgent({ script: [...steps(3, 400), says('Done.')] });
    await agent.run('look');
    const { events } = agent.session;
    const { cost, used } = sessionFigures(facts(events));
    const { gauge, costs, panel } = shown(events);
    expect(used).toEqual({ tokens: gauge?.usedTokens, exact: gauge?.exact });
    expect(used).toMatchObject(panel.balance.used);
    expect(cost).toBe(costs?.session);
    expect(cost).toMatch(/^\$|^price unknown$|^no charge/);
  });

  const prompt = promptEvent('task');
  const ends = (type: string): NewEvent =>
    ({ type: 'turnEnded', outcome: { type, message: 'no', steps: 1 } }) as unknown as NewEvent;
  const closes = (reason: string): NewEvent =>
    ({ type: 'sessionClosed', reason }) as unknown as NewEvent;
  const asked = { type: 'approvalAsked', toolUseId: 't' } as unknown as NewEvent;

  it.each([
    ['idle', [prompt, ends('finished')], {}],
    ['working', [prompt], { now: 'working' }],
    ['waiting', [prompt, asked], { now: 'waiting' }],
    ['waiting', [prompt, asked], {}],
    ['interrupted', [prompt], {}],
    ['working', [prompt], { now: 'open' }],
    ['stopped', [prompt, ends('stopped')], {}],
    ['limit', [prompt, ends('capReached')], {}],
    ['error', [prompt, ends('failed')], {}],
    ['closed', [prompt, ends('finished'), closes('closed')], {}],
    ['expired', [prompt, ends('finished'), closes('expired')], {}],
    ['expired', [prompt, ends('finished')], { ttlMs: 10, at: 1e15 }],
  ] as const)('say that it is %s', (state, events, more) => {
    const log = dated([...events] as never);
    expect(stateIn(log, more)).toBe(state);
  });

  it('have no cost before the first answer, and tokens without one', () => {
    const figures = sessionFigures(facts(dated([prompt])));
    expect([figures.cost, figures.used.exact]).toEqual([undefined, false]);
    const answered = dated([prompt, ...stepEvents([{ id: 'a', name: 'a.ts', tokens: 3 }])]);
    expect(sessionFigures(facts(answered)).cost).toBeDefined();
  });
});

function stateIn(events: readonly SessionEvent[], more: object) {
  return sessionFigures({ ...facts([]), events, window: fold([]), ...more }).state;
}
