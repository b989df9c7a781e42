import { describe, expect, it } from 'vitest';
import type { RuleAnswer } from '../../../src/agent/approvals/decide';
import type { ApprovalAnswer, ApprovalRequest, Tool } from '../../../src/agent/tool';
import { toolbox } from '../../../src/tools/toolbox';
import { calls, echo, says, scriptedAgent } from '../../support/scriptedAgent';

/** An agent that makes one call that needs approval; `answer` is the answer of the rules. */
async function runWith(answer: RuleAnswer) {
  const asked: string[] = [];
  const agent = scriptedAgent({
    script: [calls([echo('toolu_1', { ask: true })]), says('Done.')],
    deps: { answerByRules: () => Promise.resolve(answer) },
    approve: (id) => {
      asked.push(id);
      return Promise.resolve({ approved: true });
    },
  });
  await agent.run('go');
  const result = agent.session.events.find((event) => event.type === 'toolFinished');
  return { asked, result, agent };
}

/** A command from which the sandbox withholds something, and its result outside. */
const BLOCKED: Tool = {
  definition: { name: 'held', description: 'Held.', inputSchema: { type: 'object' } },
  prepare: () => {
    const approval = {
      kind: 'command',
      command: 'curl x',
      cwd: '/',
      sandbox: 'no network.',
    } as const;
    const outside = { ...approval, outside: 'It failed in the sandbox.' };
    return Promise.resolve({
      ok: true,
      call: {
        approval,
        action: 'The command',
        run: () => Promise.resolve({ text: 'fetched', isError: false }),
        runInSandbox: () => Promise.resolve({ text: 'no host', isError: true, outside }),
      },
    });
  },
};

/**
 * Runs it with a rule for the sandbox; `approved` is the user's answer about running it outside.
 */
async function runHeld(answer: ApprovalAnswer) {
  const asked: ApprovalRequest[] = [];
  const agent = scriptedAgent({
    script: [calls([{ id: 'toolu_1', name: 'held' }]), says('Done.')],
    deps: {
      tools: [BLOCKED],
      answerByRules: () =>
        Promise.resolve({ type: 'allow', rules: ['in the sandbox'], inSandbox: true }),
    },
    approve: () => Promise.resolve(answer),
    onEvent: (event) => {
      if (event.type === 'approvalAsked') asked.push(event.request);
    },
  });
  await agent.run('go');
  const result = agent.session.events.find((event) => event.type === 'toolFinished');
  return { asked, result };
}

describe('a command that a rule allows in the sandbox', () => {
  it('is offered again outside if the sandbox withheld something from it', async () => {
    const { asked, result } = await runHeld({ approved: true });
    expect(asked).toMatchObject([{ command: 'curl x', outside: 'It failed in the sandbox.' }]);
    expect(result).toMatchObject({ isError: false, allowedBy: ['in the sandbox'] });
    expect(result?.text).toBe(
      "[It failed in the sandbox. With the user's approval it ran again outside.]\nfetched",
    );
  });

  it('keeps the failed result if the user denies running it outside, with their text', async () => {
    const { result } = await runHeld({ approved: false, feedback: 'use the cache' });
    expect(result).toMatchObject({ isError: true, origin: 'ran' });
    expect(result?.text).toBe(
      '[It ran only in the sandbox: the user did not allow it outside. The user says: use the cache]\nno host',
    );
  });

  it('also runs in the sandbox if its approval created the rule', async () => {
    let isRuled = false;
    const agent = scriptedAgent({
      script: [calls([{ id: 'toolu_1', name: 'held' }]), says('Done.')],
      deps: {
        tools: [{ ...BLOCKED, prepare: prepareWorking }],
        answerByRules: () =>
          Promise.resolve(
            isRuled
              ? { type: 'allow', rules: ['in the sandbox'], inSandbox: true }
              : { type: 'ask', choices: [] },
          ),
      },
      approve: () => {
        isRuled = true;
        return Promise.resolve({ approved: true });
      },
    });
    await agent.run('go');
    const result = agent.session.events.find((event) => event.type === 'toolFinished');
    expect(result).toMatchObject({ text: 'inside' });
  });
});

/** A command that works in the sandbox. */
const prepareWorking: Tool['prepare'] = () =>
  Promise.resolve({
    ok: true,
    call: {
      approval: { kind: 'command', command: 'ls', cwd: '/', sandbox: 'no network.' },
      action: 'The command',
      run: () => Promise.resolve({ text: 'outside', isError: false }),
      runInSandbox: () => Promise.resolve({ text: 'inside', isError: false }),
    },
  });

describe('an approval rule of the user', () => {
  it('lets a call run without asking, and the result names the rules', async () => {
    const rules = ['allowed always: echo *'];
    const { asked, result, agent } = await runWith({ type: 'allow', rules });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ text: 'ok', allowedBy: rules });
    expect(agent.session.events.map(({ type }) => type)).not.toContain('approvalAsked');
  });

  it('denies a call without asking and tells the model which rule applied', async () => {
    const { asked, result } = await runWith({ type: 'deny', rule: 'denied always: echo *' });
    expect(asked).toEqual([]);
    expect(result).toMatchObject({ isError: true, origin: 'denied' });
    expect(result?.text).toContain('a rule of the user denies it (denied always: echo *)');
  });

  it('leaves the decision to the user, and offers rules for the future', async () => {
    const choices = [
      { text: 'echo *', subjects: [{ kind: 'command', pattern: 'echo *' }] },
    ] as const;
    const { asked, result, agent } = await runWith({ type: 'ask', choices });
    expect(asked).toEqual(['toolu_1']);
    expect(result).toMatchObject({ allowedBy: undefined });
    const question = agent.heard.find((event) => event.type === 'approvalAsked');
    expect(question).toMatchObject({ unruled: { choices } });
  });
});

describe('a question by the agent', () => {
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

  it('is answered by the text that the user types when approving', async () => {
    const result = await asked({ approved: true, feedback: 'b, rather' });
    expect(result).toMatchObject({ text: 'The user answers: b, rather', isError: false });
  });

  it('strikes a standing rule if the user decides so, and keeps it otherwise', async () => {
    const rule = 'Never use lodash.';
    const strike = { question: 'Does it still hold?', strike_rule: rule };
    const struckBy = async (feedback: string) => {
      const agent = scriptedAgent({
        script: [calls([{ ...ask, input: strike }]), says('Done.')],
        deps: { tools: toolbox([]) },
        approve: () => Promise.resolve({ approved: true, feedback }),
      });
      agent.session.append({ type: 'standingRulesSet', on: true });
      await agent.run(`Sort the list. ${rule}`);
      return agent.session.events.filter(({ type }) => type === 'standingRuleStruck');
    };
    expect(await struckBy('Strike the rule')).toMatchObject([{ text: rule, note: 1 }]);
    expect(await struckBy('Keep the rule')).toEqual([]);
  });

  it('reports a missing answer, and says that nothing was denied', async () => {
    expect(await asked({ approved: false })).toMatchObject({
      origin: 'denied',
      text: 'The user gave no answer. Not done: the question has no answer. Go on as you think best, or end and say what you need to know.',
    });
  });
});
