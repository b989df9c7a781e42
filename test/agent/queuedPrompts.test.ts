import { describe, expect, it } from 'vitest';
import type { QueuedPrompt } from '../../src/contextWindow/event';
import { calls, echo, says, scriptedAgent } from '../support/scriptedAgent';

/** An agent that gets messages while it works; `said` holds the waiting ones. */
function agentTold(
  said: readonly QueuedPrompt[],
  script: Parameters<typeof scriptedAgent>[0]['script'],
) {
  let waiting = said;
  const agent = scriptedAgent({
    script,
    deps: {
      queuedPrompts: {
        waiting: () => waiting,
        added: (id) => (waiting = waiting.filter((one) => one.id !== id)),
      },
    },
  });
  return { agent, left: () => waiting };
}

describe('a message sent while the agent works', () => {
  it('follows the results of the step, once, in the order of typing', async () => {
    const { agent, left } = agentTold(
      [
        { id: 1, text: 'Use tabs.' },
        { id: 2, text: 'And no semicolons.' },
      ],
      [calls([echo('toolu_1')]), calls([echo('toolu_2')]), says('Done.')],
    );
    await agent.run('look');
    expect(left()).toEqual([]);
    const newest = (index: number) =>
      agent.requests[index]!.messages.at(-1)!.content.map((part) =>
        part.type === 'text' ? part.text : part.type,
      );
    expect(newest(1)).toEqual([
      'tool_result',
      '[The user says while you work:]\nUse tabs.',
      '[The user says while you work:]\nAnd no semicolons.',
    ]);
    expect(newest(2)).toEqual(['tool_result']);
    expect(JSON.stringify(agent.requests[2]!.messages)).toContain('Use tabs.');
  });

  it('waits if the model calls no more tools, because then the turn is over', async () => {
    const { agent, left } = agentTold([{ id: 1, text: 'Use tabs.' }], [says('Done.')]);
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(left()).toHaveLength(1);
    expect(agent.session.events.map(({ type }) => type)).not.toContain('noteAdded');
  });
});
