import { describe, expect, it } from 'vitest';
import { turnsIn } from '../../src/contextWindow/passes/rungs/cap';
import type { ModelRequest } from '../../src/agent/model';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { fails, says, scriptedAgent } from '../support/scriptedAgent';

const lastTurns = (keepTurns: number) => ({
  policy: { ...POLICY_SETTINGS, policy: 'lastTurns', keepTurns } as const,
});

/** Which of the prompts, numbered from 1, a request mentions in addition to the task. */
function promptsIn({ messages }: ModelRequest): readonly string[] {
  return [...new Set(JSON.stringify(messages).match(/prompt \d/g))];
}

describe('lastTurns', () => {
  it('applies on write: a new prompt evicts the excess turn, whatever the outcome of its own turn', async () => {
    const down = fails({ type: 'network', message: 'No connection.' });
    const agent = scriptedAgent({
      script: [says('One.'), says('Two.'), says('Three.'), down],
      settings: lastTurns(2),
    });
    for (const number of [1, 2, 3]) {
      await agent.run(`prompt ${number}`);
      expect(turnsIn(agent.session.window)).toBeLessThanOrEqual(2);
    }
    const outcome = await agent.run('prompt 4');
    expect(outcome).toMatchObject({ type: 'failed' });
    expect(turnsIn(agent.session.window)).toBe(2);
    const types = agent.session.events.map(({ type }) => type);
    const written = types.lastIndexOf('promptSubmitted');
    expect(types.slice(written)).toContain('passApplied');
    expect(types.slice(written)).not.toContain('replyReceived');
  });

  it('applies on read: a session opened again under a lower number sends no more turns', async () => {
    const first = scriptedAgent({
      script: [says('One.'), says('Two.'), says('Three.')],
      settings: lastTurns(5),
    });
    for (const number of [1, 2, 3]) await first.run(`prompt ${number}`);
    expect(promptsIn(first.requests.at(-1)!)).toEqual(['prompt 1', 'prompt 2', 'prompt 3']);

    const again = scriptedAgent({
      script: [says('Four.')],
      settings: lastTurns(2),
      events: first.session.events,
    });
    await again.run('prompt 4');
    expect(promptsIn(again.requests[0]!)).toEqual(['prompt 1', 'prompt 3', 'prompt 4']);
    expect(again.session.window.ledger.map(({ pass }) => pass.trigger)).toEqual(['cap']);
  });
});

describe('maxHistoryTurns', () => {
  it('is a hard limit on write and on read under a policy that counts no turns', async () => {
    const settings = (maxHistoryTurns: number) => ({
      policy: { ...POLICY_SETTINGS, maxHistoryTurns },
    });
    const first = scriptedAgent({
      script: Array.from({ length: 6 }, () => says('Done.')),
      settings: settings(5),
    });
    for (const number of [1, 2, 3, 4, 5, 6]) {
      await first.run(`prompt ${number}`);
      expect(turnsIn(first.session.window)).toBeLessThanOrEqual(5);
    }
    expect(first.session.window.ledger.map(({ pass }) => pass.trigger)).toEqual(['cap']);

    const again = scriptedAgent({
      script: [says('Done.')],
      settings: settings(2),
      events: first.session.events,
    });
    await again.run('prompt 7');
    expect(turnsIn(again.session.window)).toBeLessThanOrEqual(2);
    expect(promptsIn(again.requests[0]!)).toContain('prompt 7');
  });

  it('has the summary of the turns that it will remove written before the excess turn begins', async () => {
    const long = (number: number) => says(`Answer ${number}. ${'word '.repeat(600)}`);
    const agent = scriptedAgent({
      script: [1, 2, 3, 4, 5, 6].map(long),
      summariser: says('What the first turns were about.'),
      settings: { policy: { ...POLICY_SETTINGS, maxHistoryTurns: 5 }, prepareTokens: 1_000_000 },
    });
    for (const number of [1, 2, 3, 4]) await agent.run(`prompt ${number}`);
    expect(agent.summaryRequests).toHaveLength(0);
    await agent.run('prompt 5');
    expect(agent.summaryRequests).toHaveLength(1);
    expect(agent.session.window.ledger).toHaveLength(0);
    await agent.run('prompt 6');
    expect(agent.summaryRequests).toHaveLength(1);
    const [entry] = agent.session.window.ledger;
    expect(entry!.pass).toMatchObject({
      trigger: 'cap',
      summaries: [{ text: 'What the first turns were about.' }],
    });
    const sent = JSON.stringify(agent.requests.at(-1)!.messages);
    expect(sent).toContain('What the first turns were about.');
    expect(sent).not.toContain('Answer 2.');
  });

  it('leaves the line with the number of removed turns if summaries are off', async () => {
    const agent = scriptedAgent({
      script: Array.from({ length: 6 }, () => says('Done.')),
      settings: { policy: { ...POLICY_SETTINGS, maxHistoryTurns: 5, summaries: false } },
    });
    for (const number of [1, 2, 3, 4, 5, 6]) await agent.run(`prompt ${number}`);
    expect(JSON.stringify(agent.requests.at(-1)!.messages)).toContain(
      '[1 whole turn left the context window here. Call recall',
    );
  });
});
