import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/log/fold';
import { measure } from '../../src/contextWindow/account/measure';
import { promptTokens } from '../../src/contextWindow/usage';
import { calls, echo, fails, says, scriptedAgent, sizeOf, steps } from '../support/scriptedAgent';
import { dated, promptEvent } from '../support/drawing';
import { estimate } from '../support/player';

function resultsOf(agent: ReturnType<typeof scriptedAgent>) {
  return agent.session.events.flatMap((event) => (event.type === 'toolFinished' ? [event] : []));
}

describe('a turn', () => {
  it('asks, runs the tools and asks again until none is called', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { text: 'found' })]), says('It is there.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.requests).toHaveLength(2);
    expect(JSON.stringify(agent.requests[1]!.messages)).toContain('found');
    expect(agent.session.events.at(-1)).toMatchObject({ type: 'turnEnded' });
  });

  it('tells the model exactly what was not done after a no, with what the user typed', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { ask: true })]), says('Then not.')],
      approve: () => Promise.resolve({ approved: false, feedback: 'no, use v2' }),
    });
    await agent.run('look');
    expect(resultsOf(agent)[0]).toMatchObject({
      origin: 'denied',
      isError: true,
      text: 'Denied by the user. Not done: the echo. Nothing was changed.\nThe user says: no, use v2',
    });
  });

  it('tells the model what the user typed along with a yes', async () => {
    const agent = scriptedAgent({
      script: [
        calls([echo('toolu_1', { ask: true, text: 'found' }), echo('toolu_2', { text: 'free' })]),
        says('Done.'),
      ],
      approve: () => Promise.resolve({ approved: true, feedback: ' but only once ' }),
    });
    await agent.run('look');
    expect(resultsOf(agent).map(({ text, origin }) => [text, origin])).toEqual([
      ['found\n\nThe user allowed this and says: but only once', 'ran'],
      ['free', 'ran'],
    ]);
  });

  it('B2: approve, deny, stop: each call of the batch has exactly one result', async () => {
    const agent = scriptedAgent({
      script: [
        calls([
          echo('toolu_a'),
          echo('toolu_b', { ask: true }),
          echo('toolu_c', { hang: true }),
          echo('toolu_d'),
        ]),
        says('Going on.'),
      ],
      approve: () => Promise.resolve({ approved: false }),
      onEvent: (event) => {
        if (event.type === 'toolStarted' && event.use.id === 'toolu_c') agent.stop.abort();
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'stopped' });
    expect(resultsOf(agent).map(({ toolUseId, origin }) => `${toolUseId} ${origin}`)).toEqual([
      'toolu_a ran',
      'toolu_b denied',
      'toolu_c stopped',
      'toolu_d stopped',
    ]);
    const next = scriptedAgent({ script: [says('Going on.')], events: agent.session.events });
    expect(await next.run('continue')).toEqual({ type: 'finished' });
    expect(next.requests[0]!.messages.at(-1)!.content.map(({ type }) => type)).toEqual([
      'tool_result',
      'tool_result',
      'tool_result',
      'tool_result',
      'text',
    ]);
  });

  it('a tool that throws becomes a result the model can read', async () => {
    const agent = scriptedAgent({
      script: [calls([{ id: 'toolu_1', name: 'nope' }]), says('Ah.')],
    });
    await agent.run('look');
    expect(resultsOf(agent)[0]).toMatchObject({
      isError: true,
      text: 'There is no tool "nope". Nothing was done. The tools are: echo.',
    });
  });

  it('B6: a reply cut inside a tool call is never executed', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1'), echo('toolu_2')], 'max_tokens'), says('Smaller then.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.heard.some(({ type }) => type === 'toolStarted')).toBe(false);
    expect(resultsOf(agent).map(({ origin }) => origin)).toEqual(['cutReply', 'cutReply']);
  });

  it('runs none of the calls of a reply that ends in a refusal', async () => {
    const agent = scriptedAgent({ script: [calls([echo('toolu_1')], 'refusal'), says('Fine.')] });
    expect(await agent.run('look')).toMatchObject({ type: 'refused' });
    expect(agent.heard.some(({ type }) => type === 'toolStarted')).toBe(false);
    expect(resultsOf(agent).map(({ isError }) => isError)).toEqual([true]);
    expect(await agent.run('something else')).toEqual({ type: 'finished' });
  });

  it('B6: replies that stay cut end the turn after three', async () => {
    const cut = (index: number) => calls([echo(`toolu_${index}`)], 'model_context_window_exceeded');
    const agent = scriptedAgent({ script: [cut(1), cut(2), cut(3)] });
    expect(await agent.run('look')).toMatchObject({ type: 'replyCut' });
  });

  it('B6: a schema error at any size never runs a pass', async () => {
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

  it('B6: an overflow error plans with its numbers and sends something smaller', async () => {
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

  it('keeps with every reply what was estimated of its request', async () => {
    const agent = scriptedAgent({
      script: steps(3, 1_400),
      count: () => ({ ok: false, message: 'There is no count.' }),
    });
    await agent.run('look');
    const { events } = agent.session;
    const drifts = events.flatMap((event, index) => {
      if (event.type !== 'replyReceived') return [];
      const shown = measure(fold(events.slice(0, index)), estimate).used.tokens;
      expect(event.estimatedTokens).toBe(shown);
      return [promptTokens(event.usage) - shown];
    });
    expect(drifts).toHaveLength(4);
    expect(drifts.some((tokens) => tokens !== 0)).toBe(true);
  });

  it('B6: input and max_tokens together too long: the reply is shortened first, nothing leaves', async () => {
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

  it('B5: an overflow with nothing left to give ends the turn at once and says why', async () => {
    const overflow = fails({ type: 'overflow', message: 'prompt is too long' });
    const agent = scriptedAgent({ script: [overflow, overflow, overflow, overflow] });
    const outcome = await agent.run('look');
    expect(outcome).toMatchObject({ type: 'contextFull' });
    expect((outcome as { message: string }).message).toContain('system prompt');
    expect(agent.requests).toHaveLength(1);
  });

  it('B5: overflow after overflow is met three times at most, each request smaller', async () => {
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

  it('B15: one prompt and 200 tool steps stay within the budget, anchor and newest step whole', async () => {
    const agent = scriptedAgent({ script: steps(200, 1_500) });
    expect(await agent.run('Find the needle.')).toEqual({ type: 'finished' });
    expect(agent.requests).toHaveLength(201);
    for (const request of agent.requests) {
      expect(sizeOf(request)).toBeLessThanOrEqual(10_000);
      expect(JSON.stringify(request.messages[0])).toContain('Find the needle.');
    }
    const passes = agent.session.window.ledger.map(({ pass }) => pass);
    expect(passes.length).toBeGreaterThan(5);
    // B13: never on consecutive steps.
    passes.forEach((pass, index) => {
      if (index > 0) expect(pass.beforeStep - passes[index - 1]!.beforeStep).toBeGreaterThan(2);
    });
  }, 30_000);

  it('certifies every pass with the API’s own count', async () => {
    const agent = scriptedAgent({ script: steps(30, 1_500) });
    await agent.run('look');
    for (const { pass, certifiedTokens } of agent.session.window.ledger) {
      expect(certifiedTokens).toBeLessThanOrEqual(pass.budget.highTokens);
    }
  });

  it('B8: a count that fails or answers 0 leaves marked estimates, and the turn goes on', async () => {
    const agent = scriptedAgent({
      script: steps(20, 1_500),
      count: () => ({ ok: false, message: 'count_tokens answered 0' }),
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.heard).toContainEqual({
      type: 'notice',
      message: 'Tokens are estimated: count_tokens answered 0',
    });
    expect(agent.session.events.some(({ type }) => type === 'countFailed')).toBe(true);
    for (const { certifiedTokens } of agent.session.window.ledger) {
      expect(certifiedTokens).toBeUndefined();
    }
  });

  it('counts officially before the first request and after a pass, not at every step', async () => {
    const agent = scriptedAgent({ script: steps(5, 300) });
    await agent.run('look');
    expect(agent.counted).toHaveLength(1);
  });

  it('B7: a giant first result is shortened on admission; no pass, no model needed', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { text: 'a', times: 1_200_000 })]), says('I see.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger).toHaveLength(0);
    expect(JSON.stringify(agent.requests[1]!.messages).length).toBeLessThan(10_000);
    expect(resultsOf(agent)[0]!.text).toHaveLength(1_200_000);
  });

  it('a batch of large results fills at most half the input budget', async () => {
    const big = (id: string) => echo(id, { text: 'word ', times: 4_000 });
    const agent = scriptedAgent({
      script: [calls(Array.from({ length: 10 }, (_, i) => big(`toolu_${i}`))), says('I see.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
  });

  it('ends at the step limit', async () => {
    const agent = scriptedAgent({ script: steps(5, 100), settings: { caps: { steps: 3 } } });
    expect(await agent.run('look')).toMatchObject({ type: 'capReached', cap: 'steps', most: 3 });
    expect(agent.requests).toHaveLength(3);
  });

  it('B3: a call without a result is answered once when the turn dies, and the session lives', async () => {
    const dead = dated([
      { type: 'sessionStarted', version: 2, sessionId: 'test', pinTaskAnchor: true },
      promptEvent('start'),
    ]);
    const agent = scriptedAgent({
      script: [calls([echo('toolu_x', { hang: true })])],
      events: dead,
      onEvent: (event) => {
        if (event.type === 'toolStarted') throw new Error('the host died');
      },
    });
    await expect(agent.run('go')).rejects.toThrow('the host died');
    expect(resultsOf(agent).map(({ toolUseId, origin }) => `${toolUseId} ${origin}`)).toEqual([
      'toolu_x interrupted',
    ]);
    const next = scriptedAgent({ script: [says('Fine.')], events: agent.session.events });
    expect(await next.run('continue')).toEqual({ type: 'finished' });
  });

  it('an oversized prompt is shortened visibly, not traded for the whole tail', async () => {
    const agent = scriptedAgent({ script: [says('I see.')] });
    await agent.run(`Begin. ${'word '.repeat(20_000)} End.`);
    const [anchor] = agent.session.window.blocks;
    expect(anchor).toMatchObject({ state: 'truncated' });
    const sent = JSON.stringify(agent.requests[0]!.messages[0]);
    expect(sent).toContain('Begin. ');
    expect(sent).toContain(' End.');
    expect(sent).toContain('Plimsoll left out');
  });
});
