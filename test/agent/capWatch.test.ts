import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../../src/contextWindow/event';
import { turnSpend } from '../../src/contextWindow/account/spending';
import { costOfCharge } from '../../src/model/pricing';
import { outcomeView } from '../../src/editor/conversation/turnOutcome';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { scriptedAgent, steps } from '../support/scriptedAgent';

const costing = (usd: number | undefined) => ({ costOf: () => usd });

describe('a spending limit of a turn', () => {
  it('stops the turn between steps and reports the amount; the same amount is allowed again on continuing', async () => {
    const agent = scriptedAgent({
      script: steps(5, 100),
      settings: { caps: { steps: 2 }, ...costing(0.25) },
    });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'capReached', cap: 'steps', most: 2 });
    expect(outcome).toHaveProperty('spent.steps', 2);
    expect(outcome).toHaveProperty('spent.usd', 0.5);
    expect(await agent.continueTurn()).toMatchObject({ type: 'capReached', spent: { steps: 2 } });
    expect(agent.requests).toHaveLength(4);
    expect(await agent.continueTurn()).toEqual({ type: 'finished' });
  });

  it('counts all tokens sent and received', async () => {
    const agent = scriptedAgent({ script: steps(5, 100), settings: { caps: { tokens: 1 } } });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'capReached', cap: 'tokens', most: 1 });
    const { tokens } = turnSpend(agent.session.events, costOfCharge);
    expect(tokens).toBeGreaterThan(1);
    expect(outcome).toHaveProperty('spent.tokens', tokens);
  });

  it('counts dollars', async () => {
    const agent = scriptedAgent({
      script: steps(5, 100),
      settings: { caps: { usd: 0.7 }, ...costing(0.25) },
    });
    expect(await agent.run('look')).toMatchObject({
      cap: 'usd',
      spent: { steps: 2, usd: 0.5 },
      nextUsd: 0.25,
    });
  });

  it('stops before the first request if its input alone costs more, and sends nothing', async () => {
    const agent = scriptedAgent({
      script: steps(5, 100),
      settings: { caps: { usd: 0.012 }, ...costing(1.81) },
    });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ cap: 'usd', spent: { steps: 0, usd: 0 }, nextUsd: 1.81 });
    expect(agent.requests).toEqual([]);
    if (outcome.type !== 'capReached') throw new Error(outcome.type);
    const { message, actions } = outcomeView(outcome, { logProblem: undefined });
    expect(message).toBe(
      'The next request was not sent: its input costs ≈ $1.81, and your limit is $0.012 (plimsoll.turn.maxCost). ' +
        'Spent since you last continued: 0 steps, 0 tokens, $0.00. ' +
        'To continue, raise the limit or run Compact Now.',
    );
    expect(actions?.map(({ label }) => label)).toEqual(['Open the setting', 'Continue']);
  });

  it('counts again from zero on continuing, and says so', async () => {
    const agent = scriptedAgent({
      script: steps(5, 100),
      settings: { caps: { usd: 0.7 }, ...costing(0.25) },
    });
    const outcome = await agent.run('look');
    if (outcome.type !== 'capReached') throw new Error(outcome.type);
    expect(outcomeView(outcome, { logProblem: undefined }).message).toMatch(
      /^The next request was not sent: .* Continue counts from zero again\.$/,
    );
    expect(await agent.continueTurn()).toMatchObject({ spent: { steps: 2, usd: 0.5 } });
    expect(agent.requests).toHaveLength(4);
  });

  it('leaves a summary to the work note if its input would exceed the rest', async () => {
    const settings = {
      policy: { ...POLICY_SETTINGS, policy: 'summarise' },
      caps: { usd: 1 },
      costOf: ({ model }: { readonly model: string }) => (model === 'summary-model' ? 2 : 0),
      summary: { writer: 'model', model: 'summary-model' },
    } as const;
    const agent = scriptedAgent({ script: steps(20, 1_400), settings });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.summaryRequests).toEqual([]);
    const [pass] = agent.session.window.ledger.map((entry) => entry.pass);
    expect(pass!.summaries[0]!.writtenBy).toEqual({
      by: 'workNote',
      because: 'its input (≈ $2.00) would exceed plimsoll.turn.maxCost ($1)',
    });
  });

  it('leaves the relevance of blocks to the computed one if a rating would exceed the rest', async () => {
    const settings = {
      salience: 'model',
      caps: { usd: 1 },
      costOf: ({ model }: { readonly model: string }) => (model === 'summary-model' ? 2 : 0),
      summary: { writer: 'workNote', model: 'summary-model' },
    } as const;
    const agent = scriptedAgent({ script: steps(20, 1_400), settings });
    await agent.run('look');
    const notices = agent.heard.flatMap((event) => (event.type === 'notice' ? event.message : []));
    expect(notices).toContain(
      'Salience is computed, not rated by summary-model: its input (≈ $2.00) would exceed plimsoll.turn.maxCost ($1).',
    );
  });

  it('is reported once as ineffective if a price is unknown', async () => {
    const agent = scriptedAgent({
      script: steps(3, 100),
      settings: { caps: { usd: 0.01 }, ...costing(undefined) },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const warnings = agent.heard.filter(({ type }) => type === 'warning');
    expect(warnings).toMatchObject([
      { message: expect.stringMatching(/^plimsoll\.turn\.maxCost has no effect/) as string },
    ]);
  });

  it('is shown with a button to continue and a button for the setting', () => {
    const spent = { steps: 12, tokens: 204_113, usd: 0.41 };
    const outcome = { type: 'capReached', cap: 'tokens', most: 200_000, spent } as const;
    const { message, actions } = outcomeView(outcome, { logProblem: undefined });
    expect(message).toBe(
      'Stopped at your limit of 200,000 tokens (plimsoll.turn.maxTokens). ' +
        'Spent since you last continued: 12 steps, 204,113 tokens, $0.41.',
    );
    expect(actions?.map(({ label }) => label)).toEqual(['Continue', 'Open the setting']);
  });

  it('marks what was spent as an estimate where the server does not count reliably', () => {
    const charged = {
      type: 'replyReceived',
      model: 'test',
      usage: { inputTokens: 7, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 1 },
      uncounted: true,
    } as SessionEvent;
    const spent = turnSpend([charged], () => 0.41);
    const outcome = { type: 'capReached', cap: 'tokens', most: 5, spent } as const;
    expect(outcomeView(outcome, { logProblem: undefined }).message).toContain(
      'Spent since you last continued: 1 step, ≈ 8 tokens, ≈ $0.41.',
    );
  });
});
