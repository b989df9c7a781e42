import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  AgentSettings,
  ProposedPass,
  PassReview,
  ReviewPass,
} from '../../src/agent/agentDeps';
import type { BlockId } from '../../src/contextWindow/block';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { rewriteSummary } from '../support/rewriteSummary';
import { fails, says, scriptedAgent, steps, type Options } from '../support/scriptedAgent';
import { runs } from '../support/runs';

const APPLY: PassReview = { type: 'apply', spared: [], summaries: {} };
const POSTPONE: PassReview = { type: 'postpone' };
const ASK: Partial<AgentSettings> = {
  compaction: 'ask',
  policy: { ...POLICY_SETTINGS, policy: 'summarise' },
};

/**
 * An agent whose user answers each pass by `answer`; `shown` has the passes and how full the window
 * was.
 */
function asking(
  count: number,
  answer: (proposed: ProposedPass, nth: number) => PassReview | Promise<PassReview>,
  more: Partial<Options> = {},
) {
  const shown: ProposedPass[] = [];
  const reviewPass: ReviewPass = async (proposed) => {
    shown.push(proposed);
    return answer(proposed, shown.length);
  };
  const { settings, deps, ...rest } = more;
  const agent = scriptedAgent({
    script: steps(count, 1_400),
    summariser: says('What was done.'),
    settings: { ...ASK, ...settings },
    deps: { reviewPass, ...deps },
    ...rest,
  });
  return { agent, shown };
}

const messageOf = (outcome: object) => (outcome as { message: string }).message;

describe('a pass that waits for the user', () => {
  it('is shown with its summaries, and applies as shown', async () => {
    const { agent, shown } = asking(20, () => APPLY);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(shown).toHaveLength(1);
    const { pass } = agent.session.window.ledger.at(0)!;
    expect(pass.decisions).toEqual(
      expect.arrayContaining(shown[0]!.plan.decisions.filter(({ action }) => action === 'keep')),
    );
    expect(pass.summaries).toEqual(shown[0]!.summaries);
    const told = agent.heard.map(({ type }) => type).filter((type) => type.startsWith('pass'));
    expect(told).toEqual(['passStarted', 'passProposed', 'passReviewed', 'passFinished']);
  });

  it('runs with exactly the decisions on screen, whatever the user spared (I15)', async () => {
    let tried = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30), { maxLength: 4 }), async (places) => {
        const answers: PassReview[] = [];
        const { agent, shown } = asking(20, ({ plan, spared = [] }, nth) => {
          const changes = plan.decisions.filter(({ action }) => action !== 'keep');
          const next = places[nth - 1];
          const id = next === undefined ? undefined : changes[next % changes.length]?.blockId;
          const all = id === undefined ? spared : [...spared, id];
          const answer: PassReview = {
            ...APPLY,
            type: id === undefined ? 'apply' : 'spare',
            spared: all,
          };
          answers.push(answer);
          return answer;
        });
        await agent.run('look');
        const pass = agent.session.window.ledger.at(0)?.pass;
        if (pass === undefined) return;
        const decided = (decisions: typeof pass.decisions) =>
          decisions.map(({ blockId, action, before, after }) => [blockId, action, before, after]);
        const last = answers.findIndex(
          ({ type }, at) => type === 'apply' && shown[at + 1]?.plan.trigger === undefined,
        );
        const { plan, summaries, spared = [] } = shown[last]!;
        expect(decided(pass.decisions)).toEqual(decided(plan.decisions));
        expect(pass.summaries).toEqual(summaries);
        for (const id of spared) {
          expect(plan.decisions.find(({ blockId }) => blockId === id)?.action).toBe('keep');
        }
        tried += spared.length;
      }),
      { numRuns: runs(12, 100) },
    );
    expect(tried).toBeGreaterThan(5);
  });

  it('spares what the user removed from it', async () => {
    const spared = ['step-1' as BlockId, 'step-3' as BlockId];
    const { agent } = asking(20, () => ({ ...APPLY, spared }));
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const { pass } = agent.session.window.ledger.at(0)!;
    for (const id of spared) {
      expect(pass.decisions.find(({ blockId }) => blockId === id)?.action).toBe('keep');
    }
    expect(pass.summaries.flatMap(({ covers }) => covers)).not.toContain('step-1');
    expect(pass.after.tokens).toBeLessThan(pass.before.tokens);
  });

  it('uses the summary as edited by the user, even around a spared block', async () => {
    for (const spared of [[], ['step-1' as BlockId]]) {
      const { agent, shown } = asking(20, ({ summaries }) => ({
        type: 'apply',
        spared,
        summaries: { [summaries[0]!.id]: 'My own words.' },
      }));
      await agent.run('look');
      const [first] = agent.session.window.ledger.at(0)!.pass.summaries;
      expect(first).toMatchObject({
        text: 'My own words.',
        editedByUser: true,
        exchange: { answer: shown[0]!.summaries[0]!.text },
      });
      const { covers } = shown[0]!.summaries[0]!;
      expect(first!.covers).toEqual(covers.filter((id) => !spared.includes(id)));
    }
  });

  it('keeps the user’s text of a summary written ahead', async () => {
    const { agent } = asking(
      20,
      ({ summaries }) => ({
        type: 'apply',
        spared: ['step-14' as BlockId],
        summaries: { [summaries[0]!.id]: 'My own words.' },
      }),
      { settings: { prepareTokens: 6_000 } },
    );
    await agent.run('look');
    const { summaries } = agent.session.window.ledger.at(0)!.pass;
    expect(summaries.map(({ text }) => text)).toEqual(['My own words.']);
  });

  it('writes a summary again if the user meanwhile rewrote a summary that it covers', async () => {
    const mine = 'Never touch legacy.ts.';
    const asked: number[] = [];
    const { agent } = asking(40, ({ summaries }) => {
      const earlier = agent.session.window.blocks.find(({ id }) => id === 'summary-1');
      if (earlier !== undefined && asked.length === 0) {
        expect(summaries.some(({ covers }) => covers.includes(earlier.id))).toBe(true);
        asked.push(agent.summaryRequests.length);
        rewriteSummary(agent, earlier.id, mine);
      }
      return APPLY;
    });
    await agent.run('look');
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(agent.summaryRequests[asked[0]!])).toContain(mine);
  });

  it('refuses a text larger than the blocks it replaces, and says so', async () => {
    const { agent } = asking(20, ({ summaries }) => ({
      ...APPLY,
      summaries: { [summaries[0]!.id]: 'word '.repeat(8_000) },
    }));
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const { summaries } = agent.session.window.ledger.at(0)!.pass;
    expect(summaries.map(({ text }) => text)).toEqual(['What was done.']);
    const notices = agent.heard.flatMap((event) => (event.type === 'notice' ? event.message : []));
    expect(notices.join()).toContain('Your text for a summary was not used');
  });

  it('is not proposed again for the same fill, but is after 5 % of growth', async () => {
    const { agent, shown } = asking(19, () => POSTPONE);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger).toHaveLength(0);
    const fills = shown.map(({ plan }) => plan.before.tokens);
    expect(fills.length).toBeGreaterThan(1);
    fills.slice(1).forEach((fill, index) => expect(fill - fills[index]!).toBeGreaterThan(500));
  });

  it('stays postponed when the session is opened again', async () => {
    const { agent, shown } = asking(17, () => POSTPONE);
    await agent.run('look');
    expect(shown).toHaveLength(1);
    const { events } = agent.session;
    expect(events.filter(({ type }) => type === 'passPostponed')).toHaveLength(1);
    const again = asking(0, () => POSTPONE, { script: [says('Done.')], events });
    expect(await again.agent.run('go on')).toEqual({ type: 'finished' });
    expect(again.shown).toEqual([]);
  });

  it('is proposed every time above the input budget; if postponed, the turn ends and says so', async () => {
    const { agent, shown } = asking(40, () => POSTPONE);
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'contextFull' });
    expect(messageOf(outcome)).toContain('You postponed the pass');
    expect(messageOf(outcome)).toContain('It was not sent.');
    expect(messageOf(outcome)).not.toContain('nothing more can be removed');
    const asked = shown.length;
    expect(await agent.run('go on')).toMatchObject({ type: 'contextFull' });
    expect(shown).toHaveLength(asked + 1);
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it('is proposed after an overflow error, whatever was answered before', async () => {
    const { agent, shown } = asking(0, (_, nth) => (nth === 1 ? POSTPONE : APPLY), {
      script: [
        ...steps(17, 1_400).slice(0, -1),
        fails({ type: 'overflow', message: 'prompt is too long' }),
        says('Done.'),
      ],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(shown.map(({ plan }) => plan.trigger)).toEqual(['highWatermark', 'overflow']);
  });

  it('is not proposed again at the next step if nothing of it is left', async () => {
    const { agent, shown } = asking(17, ({ plan }) => ({
      ...APPLY,
      spared: plan.decisions.map(({ blockId }) => blockId),
    }));
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(shown).toHaveLength(1);
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it('changes nothing if the user stops while it waits', async () => {
    const { agent } = asking(20, () => {
      agent.stop.abort();
      return POSTPONE;
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it('does not remove a block pinned while it waited', async () => {
    const { agent } = asking(20, () => {
      agent.session.append({ type: 'blockPinned', blockId: 'step-2' as BlockId });
      return APPLY;
    });
    await agent.run('look');
    const { pass } = agent.session.window.ledger.at(0)!;
    expect(pass.decisions.find(({ blockId }) => blockId === 'step-2')?.reason.rule).toBe(
      'keep:pinned',
    );
  });

  it('runs without another question if the user wants it unseen, around what they pinned meanwhile', async () => {
    const { agent, shown } = asking(20, () => {
      agent.session.append({ type: 'blockPinned', blockId: 'step-2' as BlockId });
      return { type: 'applyUnseen' };
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(shown).toHaveLength(1);
    const { pass } = agent.session.window.ledger.at(0)!;
    expect(pass.decisions.find(({ blockId }) => blockId === 'step-2')?.reason.rule).toBe(
      'keep:pinned',
    );
    expect(pass.summaries).toHaveLength(1);
    expect(agent.heard.filter(({ type }) => type === 'notice')).toEqual([]);
  });

  it('does not remove a block pinned while its summary was written', async () => {
    const { agent } = asking(20, () => APPLY, {
      settings: { compaction: 'auto' },
      summariser: async (request) => {
        agent.session.append({ type: 'blockPinned', blockId: 'step-2' as BlockId });
        return says('What was done.')(request);
      },
    });
    await agent.run('look');
    const { pass } = agent.session.window.ledger.at(0)!;
    expect(pass.decisions.find(({ blockId }) => blockId === 'step-2')?.reason.rule).toBe(
      'keep:pinned',
    );
  });

  it('applies automatically if no one can be asked', async () => {
    const agent = scriptedAgent({ script: steps(20, 1_400), settings: ASK });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger).toHaveLength(1);
  });
});

describe('with compaction off', () => {
  const OFF: Partial<AgentSettings> = { compaction: 'off' };

  it('nothing is removed above the high watermark', async () => {
    const agent = scriptedAgent({ script: steps(17, 1_400), settings: OFF });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.baseline!.tokens).toBeGreaterThan(8_000);
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it('the turn ends above the input budget with the name of the setting, and nothing is removed', async () => {
    const agent = scriptedAgent({ script: steps(40, 1_400), settings: OFF });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'contextFull' });
    expect(messageOf(outcome)).toContain('plimsoll.context.compaction is off');
    expect(messageOf(outcome)).toContain('the input budget is 10,000');
    expect(agent.session.window.ledger).toHaveLength(0);
    expect(agent.session.window.blocks.every(({ state }) => state === 'whole')).toBe(true);
  });

  it('an overflow error ends the turn, without a pass or a retry', async () => {
    const agent = scriptedAgent({
      script: [
        ...steps(5, 1_400).slice(0, -1),
        fails({ type: 'overflow', message: 'prompt is too long' }),
      ],
      settings: OFF,
    });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'contextFull' });
    expect(messageOf(outcome)).toContain('It was not sent again.');
    expect(agent.requests).toHaveLength(6);
    expect(agent.session.window.ledger).toHaveLength(0);
  });
});
