import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../src/agent/agentDeps';
import { writeSummary } from '../../src/agent/summariser';
import type { BlockId } from '../../src/contextWindow/block';
import { chargesOf } from '../../src/contextWindow/account/spending';
import type { AskPurpose } from '../../src/contextWindow/event';
import type { SummaryJob } from '../../src/contextWindow/plan';
import { POLICY_SETTINGS } from '../support/agentSettings';
import {
  fails,
  says,
  scriptedAgent,
  sizeOf,
  steps,
  type Options,
  type ScriptedAgent,
} from '../support/scriptedAgent';

const COMPACTING: Partial<AgentSettings> = {
  policy: { ...POLICY_SETTINGS, policy: 'summarise' },
};

function agentWith(count: number, more: Partial<Options> = {}) {
  return scriptedAgent({
    script: steps(count, 1_400),
    summariser: says('What was done.'),
    settings: COMPACTING,
    ...more,
  });
}

const askedFor = (agent: ScriptedAgent, purpose: AskPurpose) =>
  agent.session.events.filter((event) => event.type === 'modelAsked' && event.purpose === purpose);

/** Input tokens of all requests that the scripted model answered, and of all charges in the log. */
function inputOf({ requests, summaryRequests, ratingRequests, session }: ScriptedAgent) {
  const sent = [...requests, ...summaryRequests, ...ratingRequests].map(sizeOf);
  const charged = session.events.flatMap(chargesOf).map(({ usage }) => usage.inputTokens);
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  return { sent: sum(sent), charged: sum(charged) };
}

function expectAllCharged(agent: ScriptedAgent) {
  const { sent, charged } = inputOf(agent);
  expect(charged).toBe(sent);
}

describe('a request other than a step', () => {
  it('is charged once if a pass applies it', async () => {
    const agent = agentWith(20);
    await agent.run('look');
    const { summaries } = agent.session.window.ledger.at(0)!.pass;
    expect(summaries.map(({ writtenBy }) => writtenBy.by)).toEqual(['model']);
    expect(askedFor(agent, 'summary')).toHaveLength(1);
    expectAllCharged(agent);
  });

  it('is charged in the turn in which it was written ahead, and not again by a pass', async () => {
    const agent = agentWith(0, {
      script: [...steps(14, 1_400), ...steps(6, 1_400, 'later')],
      settings: { ...COMPACTING, prepareTokens: 6_000 },
    });
    await agent.run('look');
    expect(askedFor(agent, 'summary')).toHaveLength(1);
    expect(agent.session.window.ledger).toHaveLength(0);
    const before = agent.session.events.length;
    await agent.run('go on');
    const [pass] = agent.session.events.slice(before).filter(({ type }) => type === 'passApplied');
    expect(chargesOf(pass!)).toEqual([]);
    expect(agent.session.window.ledger.at(0)!.pass.summaries[0]!.text).toBe('What was done.');
    expectAllCharged(agent);
  });

  it('is charged if the check refuses the summary', async () => {
    const agent = agentWith(20, { summariser: says('I’m sorry, but I cannot do that.') });
    await agent.run('look');
    const { summaries } = agent.session.window.ledger.at(0)!.pass;
    expect(summaries.map(({ writtenBy }) => writtenBy.by)).toEqual(['workNote']);
    expect(askedFor(agent, 'summary')).toHaveLength(1);
    expectAllCharged(agent);
  });

  it('is charged if the user postpones the pass', async () => {
    const agent = agentWith(17, {
      settings: { ...COMPACTING, compaction: 'ask' },
      deps: { reviewPass: () => Promise.resolve({ type: 'postpone' }) },
    });
    await agent.run('look');
    expect(agent.session.window.ledger).toHaveLength(0);
    expect(askedFor(agent, 'summary').length).toBeGreaterThan(0);
    expectAllCharged(agent);
  });

  it('is charged if the user stops after the answer arrived', async () => {
    const agent = agentWith(20, {
      summariser: (request) => {
        agent.stop.abort();
        return says('What was done.')(request);
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    expect(agent.session.window.ledger).toHaveLength(0);
    expect(askedFor(agent, 'summary')).toHaveLength(1);
    expectAllCharged(agent);
  });

  it('is charged if the ratings are unusable', async () => {
    const agent = agentWith(20, {
      rater: says('I think they all matter.'),
      settings: { salience: 'model', policy: { ...POLICY_SETTINGS, policy: 'salience' } },
    });
    await agent.run('look');
    expect(agent.ratingRequests.length).toBeGreaterThan(0);
    expect(askedFor(agent, 'salience')).toHaveLength(agent.ratingRequests.length);
    expectAllCharged(agent);
  });

  it('is not charged without an answer', async () => {
    const agent = agentWith(20, {
      summariser: fails({ type: 'overloaded', message: 'Overloaded.' }),
    });
    await agent.run('look');
    expect(agent.summaryRequests).toHaveLength(1);
    expect(askedFor(agent, 'summary')).toEqual([]);
  });

  it('has its usage in the summary if no log is kept, as in a replay', async () => {
    const agent = agentWith(3);
    await agent.run('look');
    const { session, deps } = agent;
    const job: SummaryJob = {
      summaryId: 'summary-1' as BlockId,
      covers: ['step-1' as BlockId, 'step-2' as BlockId],
      tokensBefore: 1_000,
      maxTokens: 400,
    };
    const { model, estimator } = deps;
    const { writtenBy } = await writeSummary(
      { session: { window: session.window }, model, estimator },
      deps.settings(),
      job,
      agent.stop.signal,
    );
    const inputTokens = sizeOf(agent.summaryRequests[0]!);
    expect(writtenBy).toMatchObject({ by: 'model', usage: { inputTokens } });
    expect(askedFor(agent, 'summary')).toEqual([]);
  });
});
