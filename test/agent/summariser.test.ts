import { describe, expect, it } from 'vitest';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { fails, says, scriptedAgent, steps } from '../support/scriptedAgent';

describe('the summariser', () => {
  it('gets the anchor as always and the newest prompt last', async () => {
    const agent = scriptedAgent({ script: [...steps(12, 300), ...steps(90, 800, 'more')] });
    await agent.run('Find the needle.');
    await agent.run('Now count the hay.');
    expect(agent.summaryRequests.length).toBeGreaterThan(0);
    for (const { messages } of agent.summaryRequests) {
      const texts = messages[0]!.content.map((part) => (part.type === 'text' ? part.text : ''));
      expect(texts[0]).toContain('Find the needle.');
      expect(texts.at(-1)).toBe('Now count the hay.');
    }
  });

  it.each([
    ['fails', fails({ type: 'overloaded', message: 'Error generating summary: 529' })],
    ['overflows itself', fails({ type: 'overflow', message: 'prompt is too long' })],
    ['writes nothing', says('  ')],
    ['is cut off', says('Half a', 'max_tokens')],
    ['writes as much as it replaces', says('word '.repeat(6_000))],
  ])('B16: one that %s leaves a work note, never its own text', async (_, summariser) => {
    const agent = scriptedAgent({ script: steps(100, 800), summariser });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    const summaries = agent.session.window.ledger.flatMap(({ pass }) => pass.summaries);
    expect(summaries.length).toBeGreaterThan(0);
    for (const { text, writtenBy } of summaries) {
      expect(writtenBy.by).toBe('workNote');
      expect(text).toContain('Work note, made from the log without a model:');
      expect(text).not.toContain('529');
    }
  });

  it('is not asked where summaries by a model are off', async () => {
    const agent = scriptedAgent({
      script: steps(100, 800),
      settings: { summary: { writer: 'workNote', model: 'claude-sonnet-5-5' } },
    });
    await agent.run('look');
    expect(agent.summaryRequests).toEqual([]);
    expect(agent.session.window.ledger.some(({ pass }) => pass.summaries.length > 0)).toBe(true);
  });

  it('nothing is summarised where compaction is off', async () => {
    const agent = scriptedAgent({
      script: steps(100, 800),
      settings: {
        policy: { ...POLICY_SETTINGS, summaries: false },
        summary: { writer: 'off', model: 'claude-sonnet-5-5' },
      },
    });
    await agent.run('look');
    expect(agent.session.window.ledger.every(({ pass }) => pass.summaries.length === 0)).toBe(true);
  });
});
