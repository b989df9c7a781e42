import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/agent/model';
import { says, scriptedAgent, sizeOf, steps } from '../support/scriptedAgent';

const textsOf = ({ messages }: ModelRequest) =>
  messages.flatMap(({ role, content }) =>
    content.flatMap((part) => (part.type === 'text' ? [{ role, text: part.text }] : [])),
  );

describe('the task anchor in a conversation', () => {
  it('B9: is still marked as the original in the middle of the next task, whose prompt is verbatim', async () => {
    const agent = scriptedAgent({
      script: [...steps(10, 1_400), ...steps(30, 1_400, 'more')],
      summariser: says('X was found and is done.'),
    });
    await agent.run('Find X.');
    await agent.run('Now do Y, exactly as the README says.');
    expect(agent.session.window.ledger.some(({ pass }) => pass.beforeStep > 14)).toBe(true);
    for (const request of agent.requests.slice(11)) {
      const texts = textsOf(request);
      expect(texts[0]!.text).toMatch(/^<task_anchor note="The original task [^]*\nFind X\.\n/);
      expect(texts[0]!.text).toContain('when this task is already done, do not start it again');
      const byUser = texts.filter(({ role }) => role === 'user');
      expect(byUser.at(-1)!.text).toBe('Now do Y, exactly as the README says.');
      expect(byUser.filter(({ text }) => text.includes('Find X.'))).toHaveLength(1);
    }
  });

  it('B9: is shortened visibly at 60,000 tokens, with its end kept', async () => {
    const task = `Begin here. ${'word '.repeat(36_000)}End here.`;
    const agent = scriptedAgent({ script: steps(20, 1_400) });
    expect(await agent.run(task)).toEqual({ type: 'finished' });
    expect(agent.session.window.ledger.length).toBeGreaterThan(0);
    for (const [index, request] of agent.requests.entries()) {
      expect(sizeOf(request)).toBeLessThanOrEqual(10_000);
      const { text } = textsOf(request)[0]!;
      expect(text).toContain('Begin here. word');
      expect(text).toContain('End here.');
      expect(text).toContain('Plimsoll left out');
      expect(text.length).toBeGreaterThan(3_000);
      if (index > 0) expect(request.messages.at(-1)!.content.at(-1)!.type).toBe('tool_result');
    }
    const [anchor] = agent.session.window.blocks;
    expect(anchor).toMatchObject({ kind: 'anchor', text: task });
    expect(agent.session.window.decisions.get(anchor!.id)).toBeDefined();
  });
});
