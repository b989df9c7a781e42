import { describe, expect, it } from 'vitest';
import type { Standing } from '../../src/agent/standing';
import type { ApprovalAnswer } from '../../src/agent/tool';
import { toolbox } from '../../src/tools/toolbox';
import { calls, echo, says, scriptedAgent } from '../support/scriptedAgent';

/** An agent that makes one call which needs a yes, with what the rules say to it. */
async function runWith(standing: Standing) {
  const asked: string[] = [];
  const agent = scriptedAgent({
    script: [calls([echo('toolu_1', { ask: true })]), says('Done.')],
    deps: { standing: () => Promise.resolve(standing) },
    approve: (id) => {
      asked.push(id);
      return Promise.resolve({ approved: true });
    },
  });
  await agent.run('go');
  const result = agent.session.events.find((event) => event.type === 'toolFinished');
  return { asked, result, agent };
}

describe('what the rules of the user say', () => {
  it('lets a call run unasked, and the result names the rules', async () => {
    const rules = ['allowed always: echo *'];
    const { asked, result, agent } = await runWith({ type: 'allow', rules });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ text: 'ok', allowedBy: rules });
    expect(agent.session.events.map(({ type }) => type)).not.toContain('approvalAsked');
  });

  it('denies a call unasked, and the model is told by which rule', async () => {
    const { asked, result } = await runWith({ type: 'deny', rule: 'denied always: echo *' });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ isError: true, origin: 'denied' });
    expect(result?.text).toContain('a rule of the user says no (denied always: echo *)');
  });

  it('leaves it to the user, with what they may allow from now on', async () => {
    const choices = [
      { text: 'echo *', subjects: [{ kind: 'command', pattern: 'echo *' }] },
    ] as const;
    const { asked, result, agent } = await runWith({ type: 'ask', choices });
    expect(asked).toEqual(['toolu_1']);
    expect(result).not.toHaveProperty('allowedBy');
    const question = agent.heard.find((event) => event.type === 'approvalAsked');
    expect(question).toMatchObject({ unruled: { choices } });
  });
});

describe('a question of the agent', () => {
  const ask = { id: 'toolu_1', name: 'ask_user', input: { question: 'Which?', choices: ['a'] } };
  const asked = async (answer: ApprovalAnswer) => {
    const agent = scriptedAgent({
      script: [calls([ask]), says('Done.')],
      deps: { tools: toolbox([]) },
      approve: () => Promise.resolve(answer),
    });
    await agent.run('go');
    return agent.session.events.find((event) => event.type === 'toolFinished');
  };

  it('is answered by what the user says along with their yes', async () => {
    const result = await asked({ approved: true, feedback: 'b, rather' });
    expect(result).toMatchObject({ text: 'The user answers: b, rather', isError: false });
  });

  it('that has no answer says so, and that nothing was denied', async () => {
    expect(await asked({ approved: false })).toMatchObject({
      origin: 'denied',
      text: 'The user gave no answer. Not done: the question has no answer. Go on as you think best, or end and say what you need to know.',
    });
  });
});
