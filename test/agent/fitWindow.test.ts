import { describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { measure } from '../../src/contextWindow/account/measure';
import { promptTokens } from '../../src/contextWindow/account/spending';
import { calls, echo, says, scriptedAgent, sizeOf, steps } from '../support/scriptedAgent';
import { estimate } from '../support/player';
import { resultsOf } from './support/resultsOf';

describe('every request of a turn', () => {
  it('has its estimate logged with the reply', async () => {
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

  it('B15: stays within the budget over one prompt and 200 tool steps, with anchor and newest step whole', async () => {
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
  });

  it('is below the high watermark after every pass, though only doubtful ones are counted', async () => {
    const agent = scriptedAgent({ script: steps(30, 1_500) });
    await agent.run('look');
    const { ledger } = agent.session.window;
    for (const { pass } of ledger) {
      const sent = agent.requests[pass.beforeStep - 1]!;
      expect(sizeOf(sent)).toBeLessThanOrEqual(pass.budget.highTokens);
    }
    expect(agent.counted.length).toBeLessThanOrEqual(ledger.length + 1);
  });

  it('B8: has marked estimates if a count fails or answers 0, and the turn continues', async () => {
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
    expect(agent.session.events.some(({ type }) => type === 'windowCounted')).toBe(false);
  });

  it('is counted officially before the first request, not at every step', async () => {
    const agent = scriptedAgent({ script: steps(5, 300) });
    await agent.run('look');
    expect(agent.counted).toHaveLength(1);
  });

  it('B7: has a giant first result truncated on admission, without a pass or a model', async () => {
    const agent = scriptedAgent({
      script: [calls([echo('toolu_1', { text: 'a', times: 1_200_000 })]), says('I see.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger).toHaveLength(0);
    expect(JSON.stringify(agent.requests[1]!.messages).length).toBeLessThan(10_000);
    expect(resultsOf(agent)[0]!.text).toHaveLength(1_200_000);
  });

  it('has a batch of large results in at most half the input budget', async () => {
    const big = (id: string) => echo(id, { text: 'word ', times: 4_000 });
    const agent = scriptedAgent({
      script: [calls(Array.from({ length: 10 }, (_, i) => big(`toolu_${i}`))), says('I see.')],
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
  });

  it('has an oversized prompt shortened visibly, and keeps the newest blocks', async () => {
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
