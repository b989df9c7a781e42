import { describe, expect, it } from 'vitest';
import { fails, says, scriptedAgent, sizeOf, steps } from '../support/scriptedAgent';

describe('a refusal by the API', () => {
  it('B6: never runs a pass if it is a schema error, at any size', async () => {
    const failure = {
      type: 'invalidRequest',
      message: 'tools.0: Input should be an object',
    } as const;
    const agent = scriptedAgent({ script: [...steps(3, 2_000).slice(0, -1), fails(failure)] });
    expect(await agent.run('look')).toEqual({
      type: 'failed',
      failure: 'invalidRequest',
      message: failure.message,
    });
    expect(agent.session.window.ledger).toHaveLength(0);
  });

  it('B6: plans with the numbers of an overflow error and sends a smaller request', async () => {
    const overflow = fails({
      type: 'overflow',
      message: 'prompt is too long: 12380 tokens > 9000 maximum',
      actualTokens: 12_380,
      limitTokens: 9_000,
    });
    const agent = scriptedAgent({
      script: [...steps(5, 3_000).slice(0, -1), overflow, says('All done.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const [pass] = agent.session.window.ledger;
    expect(pass!.pass).toMatchObject({
      trigger: 'overflow',
      before: { tokens: 12_380, exact: true },
      budget: { inputBudget: 7_000 },
    });
    const sizes = agent.requests.map(sizeOf);
    expect(sizes.at(-1)!).toBeLessThan(sizes.at(-2)!);
    const replies = agent.session.events.filter((event) => event.type === 'replyReceived');
    const budgets = replies.map(({ budget }) => budget?.inputBudget);
    expect(budgets).toEqual([...budgets.slice(0, -1).map(() => 10_000), 7_000]);
    expect(replies.at(-1)?.budget).toEqual(pass!.pass.budget);
  });

  it('B6: shortens the reply first if input and max_tokens together are too long, and evicts nothing', async () => {
    const agent = scriptedAgent({
      script: [
        fails({
          type: 'replyTooLong',
          message: '11500 + 1000 > 12000',
          inputTokens: 11_500,
          maxTokens: 1_000,
          limitTokens: 12_000,
        }),
        says('Short.'),
      ],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.requests.map(({ maxTokens }) => maxTokens)).toEqual([1_000, 500]);
    expect(agent.session.window.ledger).toHaveLength(0);
    const replies = agent.session.events.filter((event) => event.type === 'replyReceived');
    expect(replies.map(({ maxTokens }) => maxTokens)).toEqual([500]);
  });

  it('B5: ends the turn immediately with the reason if nothing is left to remove', async () => {
    const overflow = fails({ type: 'overflow', message: 'prompt is too long' });
    const agent = scriptedAgent({ script: [overflow, overflow, overflow, overflow] });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'contextFull' });
    expect((outcome as { message: string }).message).toContain('system prompt');
    expect(agent.requests).toHaveLength(1);
  });

  it('B5: is retried at most three times after overflows, with a smaller request each time', async () => {
    const overflow = fails({ type: 'overflow', message: 'prompt is too long' });
    const agent = scriptedAgent({
      script: [...steps(9, 1_500).slice(0, -1), overflow, overflow, overflow, overflow, overflow],
      budget: { contextWindowTokens: 40_000 },
    });
    expect(await agent.run('look')).toMatchObject({ type: 'contextFull' });
    const tries = agent.requests.map(sizeOf).slice(9);
    expect(tries.length).toBeLessThanOrEqual(4);
    expect(tries.length).toBeGreaterThan(1);
    tries.forEach((size, index) => {
      if (index > 0) expect(size).toBeLessThan(tries[index - 1]!);
    });
  });
});
