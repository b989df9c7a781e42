import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EMPTY_SCRATCHPAD } from '../../src/contextWindow/scratchpad';
import type { AgentController } from '../../src/host/agentController';
import { EFFECT_OF, fulfilContextWishes } from '../../src/host/contextWishes';
import type { InspectionWish } from '../../src/host/inspectionWishes';
import type { Answer } from '../../src/protocol/answer';
import type { ContextFact, ContextWish } from '../../src/protocol/contextPanel';
import type { Handlers } from '../../src/protocol/handlers';
import type { WhatIfSettings } from '../../src/protocol/whatIf';

const SETTINGS = {} as WhatIfSettings;

/** One wish of each type; a new one that is left out does not compile. */
const WISHES: {
  readonly [T in ContextWish['type']]: Omit<Extract<ContextWish, { readonly type: T }>, 'type'>;
} = {
  announceReady: {},
  openBlock: { blockId: 'step-1' },
  pinBlock: { blockId: 'step-1' },
  unpinBlock: { blockId: 'step-1' },
  moveAnchor: { blockId: 'prompt-2' },
  fetchScratchpad: {},
  updateScratchpad: { scratchpad: EMPTY_SCRATCHPAD, base: EMPTY_SCRATCHPAD },
  undoScratchpad: { note: 'note-1' },
  excludeBlock: { blockId: 'step-1' },
  restoreBlock: { blockId: 'step-1', as: 'whole' },
  clearBlock: { blockId: 'step-1' },
  fetchSummary: { blockId: 'summary-1' },
  rewriteSummary: { blockId: 'summary-1', text: 'Mine.' },
  makeRoom: { instructions: '' },
  previewPass: {},
  whatIf: { settings: SETTINGS },
  applyWhatIf: { settings: SETTINGS },
  fetchDecisions: { number: 1 },
  travelTo: { at: 1 },
  forkAt: { step: 1 },
  fetchRequest: { step: 1 },
  openRequest: { step: 1, form: 'raw' },
  copyRequest: { step: 1 },
  diffRequests: { from: 1, to: 'next', form: 'raw' },
  exportView: { form: 'html' },
  exportPass: { number: 1 },
  openRecording: {},
  closeRecording: {},
  followRecording: { following: true },
  dismissIntro: {},
  undoPass: { number: 1 },
  applyPass: { draft: 1, spared: [], summaries: {} },
  postponePass: { draft: 1 },
  openAgentView: {},
  openSettings: {},
};

const TYPES = Object.keys(WISHES) as ContextWish['type'][];
const wishOf = (type: ContextWish['type']) => ({ type, ...WISHES[type] }) as ContextWish;

/** Whatever is asked of the controller, by name. */
function recorder(used: string[], path: string): unknown {
  return new Proxy(() => undefined, {
    get: (_, name) => {
      if (typeof name === 'symbol' || name === 'then') return undefined;
      // Taken apart when the wishes are wired, and used only later.
      if (name === 'questions' || name === 'byHand') return recorder(used, `${name}.`);
      used.push(`${path}${name}`);
      return () => Promise.resolve({ freed: true, message: '' });
    },
  });
}

function panel(why: string | undefined) {
  const used: string[] = [];
  const inspected: string[] = [];
  const facts: ContextFact[] = [];
  const inspection = new Proxy({} as Handlers<InspectionWish>, {
    ownKeys: () => TYPES,
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    get: (_, name) => () => void inspected.push(String(name)),
  });
  const fulfil = fulfilContextWishes({
    controller: recorder(used, '') as AgentController,
    post: (fact) => facts.push(fact),
    hydrate: () => undefined,
    inspection: () => inspection,
    session: () => 'shown',
    whyReadOnly: () => why,
    openBlock: () => Promise.resolve(true),
    openAgentView: () => undefined,
    openSettings: () => undefined,
    background: (work) => void work().catch(() => undefined),
  });
  return {
    fulfil: (wish: ContextWish, session = 'shown') => fulfil({ session, number: 7, wish }),
    used,
    inspected,
    facts,
  };
}

const refused = (message: string, session = 'shown'): ContextFact => {
  const answer: Answer = { type: 'wishRefused', message };
  return { type: 'wishAnswered', session, number: 7, answer };
};

describe('the wishes of the Context panel', () => {
  it('are all classified, as the protocol has them', () => {
    const source = readFileSync(join(__dirname, '../../src/protocol/contextPanel.ts'), 'utf8');
    const union = /export type ContextWish =[\s\S]*?\n\n/.exec(source)![0];
    const types = [...union.matchAll(/readonly type: '(\w+)'/g)].map(([, type]) => type!);
    expect(types.length).toBeGreaterThan(30);
    expect(Object.keys(EFFECT_OF).toSorted()).toEqual(types.toSorted());
    expect(TYPES.toSorted()).toEqual(types.toSorted());
  });

  const changing = TYPES.filter((type) => EFFECT_OF[type] === 'changes');
  const looking = TYPES.filter((type) => EFFECT_OF[type] !== 'changes');

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

  const ofSession = TYPES.filter((type) => EFFECT_OF[type] !== 'leaves');

  it.each(ofSession)('to %s made of another session than is shown reaches nobody', async (type) => {
    const { fulfil, used, inspected, facts } = panel(undefined);
    fulfil(wishOf(type), 'left');
    await Promise.resolve();
    expect([used, inspected]).toEqual([[], []]);
    expect(facts).toEqual([
      refused(expect.stringMatching(/another session: nothing was done/), 'left'),
    ]);
  });

  it.each(TYPES.filter((type) => !ofSession.includes(type)))(
    'to %s is fulfilled whatever session is shown',
    async (type) => {
      const { fulfil, facts } = panel('Step 2 is past.');
      fulfil(wishOf(type), 'left');
      await Promise.resolve();
      expect(facts).toEqual([]);
    },
  );

  it.each(looking)('to %s is fulfilled at any moment, and changes no session', async (type) => {
    for (const why of ['Step 2 is past.', undefined]) {
      const { fulfil, used, facts } = panel(why);
      fulfil(wishOf(type));
      await Promise.resolve();
      expect([used, facts]).toEqual([[], []]);
    }
  });

  it('are answered where they fail, at once or later: nobody waits for ever', async () => {
    const failed = refused(
      'Something went wrong inside Plimsoll: this may not have been done. Try again.',
    );
    const facts: ContextFact[] = [];
    const bugs: unknown[] = [];
    const fulfil = fulfilContextWishes({
      controller: recorder([], '') as AgentController,
      post: (fact) => facts.push(fact),
      hydrate: () => {
        throw new Error('at once');
      },
      inspection: () => ({}) as Handlers<InspectionWish>,
      session: () => 'shown',
      whyReadOnly: () => undefined,
      openBlock: () => Promise.reject(new Error('later')),
      openAgentView: () => undefined,
      openSettings: () => undefined,
      background: (work) => void work().catch((error: unknown) => bugs.push(error)),
    });
    const post = (wish: ContextWish) => fulfil({ session: 'shown', number: 7, wish });
    expect(() => post(wishOf('announceReady'))).toThrow('at once');
    expect(facts).toEqual([failed]);
    post(wishOf('openBlock'));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
    expect(facts).toEqual([failed, failed]);
    expect(bugs).toEqual([new Error('later')]);
  });
});
