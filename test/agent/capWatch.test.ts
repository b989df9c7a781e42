import { describe, expect, it } from 'vitest';
import { turnSpend } from '../../src/contextWindow/account/spending';
import { costOfCharge } from '../../src/model/pricing';
import { outcomeView } from '../../src/editor/conversation/turnOutcome';
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
    expect(await agent.run('look')).toMatchObject({ cap: 'usd', spent: { steps: 3, usd: 0.75 } });
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
        'Spent since you last continued: 12 steps, 204,113 tokens, $0.4100.',
    );
    expect(actions?.map(({ label }) => label)).toEqual(['Continue', 'Open the setting']);
  });
});
