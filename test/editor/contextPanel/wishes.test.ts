import { describe, expect, it } from 'vitest';
import type { CurrentSession } from '../../../src/editor/session/currentSession';
import {
  contextWishReceiver,
  CONTEXT_WISHES,
  type ContextWish,
} from '../../../src/editor/contextPanel/wishes';
import type { ContextPanel } from '../../../src/editor/contextPanel/panel';
import type { ContextFact } from '../../../src/editor/contextPanel/state';
import type { Answer } from '../../../src/editor/wish';
import { dated, drawnEvents } from '../../support/drawing';
import { fakePanel, type PanelMembers } from './support/fakePanel';
import { inspectionOf } from './support/inspecting';
import { CONTEXT_NAMES as TYPES, contextWish as wishOf } from '../support/someWishes';

/** Records the calls of the current session, by name. */
function recorder(used: string[], path: string): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      // Destructured when the wishes are wired, and used only later.
      if (name === 'run' || name === 'questions' || name === 'byHand')
        return recorder(used, `${name}.`);
      used.push(`${path}${name}`);
      return () => Promise.resolve({ ok: true, message: '' });
    },
  });
}

const EVENTS = dated(drawnEvents('1 anchor task 30\n1 step a.ts 40'));

/** A panel whose inspection is real; it records which of its other members a wish calls. */
function panel(why: string | undefined, more: PanelMembers = {}) {
  const logged: string[] = [];
  const used: string[] = [];
  const called: string[] = [];
  const facts: ContextFact[] = [];
  const members: PanelMembers = {
    current: recorder(used, '') as CurrentSession,
    inspection: inspectionOf(EVENTS),
    blocks: recorder(called, 'blocks.') as ContextPanel['blocks'],
    comparison: recorder(called, 'comparison.') as ContextPanel['comparison'],
    recordings: recorder(called, 'recordings.') as ContextPanel['recordings'],
    reports: recorder(called, 'reports.') as ContextPanel['reports'],
    requests: recorder(called, 'requests.') as ContextPanel['requests'],
    features: {
      sessions: recorder(called, 'sessions.'),
      tools: recorder(called, 'tools.'),
    } as ContextPanel['features'],
    session: 'shown',
    whyReadOnly: why,
    scratchpadLists: [],
    post: (fact) => void facts.push(fact),
    log: (problem) => void logged.push(problem),
    ...more,
  };
  const receive = contextWishReceiver(
    new Proxy(fakePanel(members), {
      get: (_, name) =>
        Object.hasOwn(members, name)
          ? Reflect.get(members, name)
          : () => void called.push(String(name)),
    }),
  );
  return {
    receive,
    logged,
    fulfil: (wish: ContextWish, session = 'shown') => receive({ session, number: 7, wish }),
    used,
    called,
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

describe('the wishes of the Context panel', () => {
  const changing = TYPES.filter((type) => CONTEXT_WISHES[type].effect === 'changes');
  const looking = TYPES.filter((type) => CONTEXT_WISHES[type].effect !== 'changes');

  it.each(changing)('to %s reaches no session while something else is inspected', async (type) => {
    const { fulfil, used, facts } = panel('Step 2 is past.');
    fulfil(wishOf(type));
    await Promise.resolve();
    expect(used).toEqual([]);
    expect(facts).toEqual([refused('Step 2 is past.')]);
  });

  it.each(changing)('to %s reaches the inspected session', async (type) => {
    const { fulfil, used } = panel(undefined);
    try {
      fulfil(wishOf(type));
    } catch {
      // There is no window; the request for it is enough.
    }
    await Promise.resolve();
    expect(used).not.toEqual([]);
  });

  const ofSession = TYPES.filter((type) => CONTEXT_WISHES[type].effect !== 'leaves');

  it.each(ofSession)('to %s for a session that is not shown reaches no session', async (type) => {
    const { fulfil, used, called, facts } = panel(undefined);
    fulfil(wishOf(type), 'left');
    await Promise.resolve();
    expect([used, called]).toEqual([[], []]);
    expect(facts).toEqual([
      refused(expect.stringMatching(/another session, so nothing was done/), 'left'),
    ]);
  });

  it.each(TYPES.filter((type) => !ofSession.includes(type)))(
    'to %s is fulfilled for any session',
    async (type) => {
      const { fulfil, facts } = panel('Step 2 is past.');
      fulfil(wishOf(type), 'left');
      await Promise.resolve();
      await Promise.resolve();
      expect(facts).toEqual([done('left')]);
    },
  );

  it.each(looking)('to %s is answered at any moment, and changes no session', async (type) => {
    for (const why of ['Step 2 is past.', undefined]) {
      const { fulfil, used, facts } = panel(why);
      await fulfil(wishOf(type));
      expect(used).toEqual([]);
      expect(facts).toEqual([expect.objectContaining({ type: 'wishAnswered', number: 7 })]);
      expect(facts).not.toContainEqual(refused('Step 2 is past.'));
    }
  });

  it('are answered if they fail, now or later: no one waits for ever', async () => {
    const fakeBlocks = {
      open: () => Promise.reject(new Error('later')),
    } as unknown as ContextPanel['blocks'];
    const { fulfil, facts } = panel(undefined, {
      hydrate: () => {
        throw new Error('immediately');
      },
      blocks: fakeBlocks,
    });
    expect(() => fulfil(wishOf('announceReady'))).toThrow('immediately');
    expect(facts).toEqual([refused(FAILED)]);
    await expect(fulfil(wishOf('openBlock'))).rejects.toThrow('later');
    expect(facts).toEqual([refused(FAILED), refused(FAILED)]);
  });

  it('of an unknown form are refused, and logged once', () => {
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
    const logs = 'A page posted a message that the host does not know: ';
    expect(logged).toEqual([
      `${logs}no wish of this page.`,
      `${logs}pinBlock (unrecognized_keys).`,
      `${logs}no post (invalid_type).`,
      `${logs}no post (number.invalid_type, session.invalid_type).`,
    ]);
  });
});
