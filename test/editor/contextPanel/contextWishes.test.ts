import { describe, expect, it } from 'vitest';
import type { AgentController } from '../../../src/editor/session/agentController';
import {
  ComparisonDesk,
  type ComparisonDeskParts,
  type ComparisonHandlers,
} from '../../../src/editor/contextPanel/comparison/comparisonDesk';
import {
  contextWishHandlers,
  contextWishReceiver,
  type ContextWishEffects,
} from '../../../src/editor/contextPanel/contextWishes';
import {
  inspectionHandlers,
  type InspectionEffects,
  type InspectionHandlers,
} from '../../../src/editor/contextPanel/inspectionWishes';
import type { ContextFact } from '../../../src/editor/contextPanel/state';
import {
  AGENT_WISHES,
  agentWishHandlers,
  type AgentViewHost,
} from '../../../src/editor/conversation/wishes';
import { CONTEXT_WISHES, type ContextWish } from '../../../src/editor/contextPanel/wishes';
import type { Answer } from '../../../src/editor/wish';
import { CONTEXT_NAMES as TYPES, contextWish as wishOf } from '../support/someWishes';

/** Whatever is asked of the controller, by name. */
function recorder(used: string[], path: string): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      // Taken apart when the wishes are wired, and used only later.
      if (name === 'questions' || name === 'byHand') return recorder(used, `${name}.`);
      used.push(`${path}${name}`);
      return () => Promise.resolve({ ok: true, message: '' });
    },
  });
}

function panel(why: string | undefined, more: Partial<ContextWishEffects> = {}) {
  const logged: string[] = [];
  const used: string[] = [];
  const inspected: string[] = [];
  const facts: ContextFact[] = [];
  const inspection = new Proxy({} as InspectionHandlers & ComparisonHandlers, {
    ownKeys: () => TYPES,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => () => void inspected.push(String(name)),
  });
  const receive = contextWishReceiver({
    controller: recorder(used, '') as AgentController,
    post: (fact) => facts.push(fact),
    hydrate: () => undefined,
    inspection,
    comparison: inspection,
    session: () => 'shown',
    whyReadOnly: () => why,
    scratchpadLists: () => [],
    openBlock: () => Promise.resolve(true),
    openFile: () => Promise.resolve(undefined),
    openAgentView: () => undefined,
    chooseTools: () => undefined,
    openSettings: () => undefined,
    openWatermarkSettings: () => undefined,
    log: (problem) => logged.push(problem),
    ...more,
  });
  return {
    receive,
    logged,
    fulfil: (wish: ContextWish, session = 'shown') => receive({ session, number: 7, wish }),
    used,
    inspected,
    facts,
  };
}

const answering = (answer: Answer, session = 'shown'): ContextFact => ({
  type: 'wishAnswered',
  session,
  number: 7,
  answer,
});
const refused = (why: string, session?: string) =>
  answering({ type: 'refused', message: why }, session);
const done = (session?: string) => answering({ type: 'done' }, session);

const FAILED = 'Something went wrong inside Plimsoll. This may not have been done; try again.';

it('the wishes of both pages have one handler each', () => {
  const controller = recorder([], '') as AgentController;
  const ofAgent = agentWishHandlers({} as AgentViewHost);
  expect(Object.keys(ofAgent).toSorted()).toEqual(Object.keys(AGENT_WISHES).toSorted());
  const inspection = inspectionHandlers({} as InspectionEffects);
  const comparison = new ComparisonDesk({} as ComparisonDeskParts).handlers();
  const ofPanel = contextWishHandlers({ controller, inspection, comparison } as ContextWishEffects);
  expect(Object.keys(ofPanel).toSorted()).toEqual(Object.keys(CONTEXT_WISHES).toSorted());
  // None of those that look at something is replaced by another of the same name.
  expect(ofPanel).toMatchObject({ ...inspection, ...comparison });
});

describe('the wishes of the Context panel', () => {
  const changing = TYPES.filter((type) => CONTEXT_WISHES[type].effect === 'changes');
  const looking = TYPES.filter((type) => CONTEXT_WISHES[type].effect !== 'changes');

  it.each(changing)('to %s reaches nobody while something else is looked at', async (type) => {
    const { fulfil, used, facts } = panel('Step 2 is past.');
    fulfil(wishOf(type));
    await Promise.resolve();
    expect(used).toEqual([]);
    expect(facts).toEqual([refused('Step 2 is past.')]);
  });

  it.each(changing)('to %s reaches the session that is looked at', async (type) => {
    const { fulfil, used } = panel(undefined);
    try {
      fulfil(wishOf(type));
    } catch {
      // There is no window behind it; that it was asked for is enough.
    }
    await Promise.resolve();
    expect(used).not.toEqual([]);
  });

  const ofSession = TYPES.filter((type) => CONTEXT_WISHES[type].effect !== 'leaves');

  it.each(ofSession)('to %s made of another session than is shown reaches nobody', async (type) => {
    const { fulfil, used, inspected, facts } = panel(undefined);
    fulfil(wishOf(type), 'left');
    await Promise.resolve();
    expect([used, inspected]).toEqual([[], []]);
    expect(facts).toEqual([
      refused(expect.stringMatching(/another session, so nothing was done/), 'left'),
    ]);
  });

  it.each(TYPES.filter((type) => !ofSession.includes(type)))(
    'to %s is fulfilled whatever session is shown',
    async (type) => {
      const { fulfil, facts } = panel('Step 2 is past.');
      fulfil(wishOf(type), 'left');
      await Promise.resolve();
      expect(facts).toEqual([done('left')]);
    },
  );

  it.each(looking)('to %s is fulfilled at any moment, and changes no session', async (type) => {
    for (const why of ['Step 2 is past.', undefined]) {
      const { fulfil, used, facts } = panel(why);
      await fulfil(wishOf(type));
      expect([used, facts]).toEqual([[], [done()]]);
    }
  });

  it('are answered where they fail, at once or later: nobody waits for ever', async () => {
    const { fulfil, facts } = panel(undefined, {
      hydrate: () => {
        throw new Error('at once');
      },
      openBlock: () => Promise.reject(new Error('later')),
    });
    expect(() => fulfil(wishOf('announceReady'))).toThrow('at once');
    expect(facts).toEqual([refused(FAILED)]);
    await expect(fulfil(wishOf('openBlock'))).rejects.toThrow('later');
    expect(facts).toEqual([refused(FAILED), refused(FAILED)]);
  });

  it('that are none are refused, and logged once', () => {
    const { receive, facts, used, logged } = panel(undefined);
    const post = (wish: unknown) => receive({ session: 'shown', number: 7, wish });
    post({ type: 'deleteEverything' });
    post({ type: 'deleteEverything' });
    post({ type: 'pinBlock', blockId: 'step-1', extra: true });
    expect(facts).toEqual(Array(3).fill(refused(FAILED)));
    receive('pinBlock');
    receive({ wish: wishOf('pinBlock') });
    expect(facts).toHaveLength(3);
    expect(used).toEqual([]);
    const logs = 'A page posted something that the host does not know: ';
    expect(logged).toEqual([
      `${logs}no wish of this page.`,
      `${logs}pinBlock (unrecognized_keys).`,
      `${logs}no post (invalid_type).`,
      `${logs}no post (number.invalid_type, session.invalid_type).`,
    ]);
  });
});
