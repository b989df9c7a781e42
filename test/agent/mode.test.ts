import { describe, expect, it } from 'vitest';
import { BY_MODE } from '../../src/agent/approvals/askApproval';
import type { ModelRequest } from '../../src/agent/model';
import type { ApprovalRequest, Tool } from '../../src/agent/tool';
import { modeNote, modeOf, planOf } from '../../src/contextWindow/mode';
import { PersistentList } from '../../src/contextWindow/persistentList';
import { calls, ECHO, says, scriptedAgent, type Options } from '../support/scriptedAgent';

/** A tool whose call needs the approval that its input names. */
function asking(requests: Readonly<Record<string, ApprovalRequest>>, ran: string[]): Tool {
  return {
    definition: { name: 'act', description: 'Acts.', inputSchema: { type: 'object' } },
    prepare: async (input) => {
      const name = String(input['name']);
      const run = async () => {
        ran.push(name);
        return { text: `did ${name}`, isError: false };
      };
      return { ok: true, call: { approval: requests[name], action: `the ${name}`, run } };
    },
  };
}

const EDIT = { kind: 'edit', path: 'a.ts', before: 'a', after: 'b' } as const;
const REQUESTS: Readonly<Record<string, ApprovalRequest>> = {
  edit: EDIT,
  create: { ...EDIT, before: undefined },
  lasting: { ...EDIT, path: 'AGENTS.md', lasting: 'Every later session reads this.' },
  profile: { ...EDIT, path: '~/me.md', profile: '/home/me/me.md' },
  unsaved: { ...EDIT, unsaved: true },
  command: { kind: 'command', command: 'make', cwd: '/' },
  input: { kind: 'input', handle: 'cmd1', command: 'sh', text: 'ls', enter: true },
  move: { kind: 'move', path: 'a.ts', to: 'b.ts' },
  delete: { kind: 'delete', path: 'a.ts' },
  fetch: { kind: 'fetch', url: 'https://example.com/', host: 'example.com' },
  tool: { kind: 'tool', tool: 'send', provider: 'mail', input: '{}' },
  question: { kind: 'question', question: 'Which?', choices: [] },
};

/** Runs a turn that calls everything once, in a mode; says what ran and what the user was asked. */
async function runAll(mode: 'ask' | 'acceptEdits' | 'plan', deps: Options['deps'] = {}) {
  const ran: string[] = [];
  const asked: string[] = [];
  const names = [...Object.keys(REQUESTS), 'look'];
  const agent = scriptedAgent({
    script: [
      calls(names.map((name) => ({ id: `toolu_${name}`, name: 'act', input: { name } }))),
      says('Done.'),
    ],
    deps: { tools: [asking(REQUESTS, ran)], ...deps },
    approve: async (id) => {
      asked.push(id.replace('toolu_', ''));
      return { approved: true };
    },
  });
  agent.session.append({ type: 'modeSet', mode });
  await agent.run('go');
  return { agent, ran, asked };
}

const textsOf = ({ messages }: ModelRequest): string => JSON.stringify(messages);

describe('the mode', () => {
  it('asks before each change in a new session, and the model is told nothing', async () => {
    const { agent, asked, ran } = await runAll('ask');
    expect(asked).toEqual(Object.keys(REQUESTS));
    expect(ran).toEqual([...Object.keys(REQUESTS), 'look']);
    expect(textsOf(agent.requests[0]!)).not.toContain('[Mode:');
  });

  it('accepts edits of ordinary files, and asks about all else', async () => {
    const { agent, asked, ran } = await runAll('acceptEdits');
    expect(asked).toEqual(Object.keys(REQUESTS).filter((name) => !/^(edit|create)$/.test(name)));
    expect(ran).toEqual([...Object.keys(REQUESTS), 'look']);
    const byMode = agent.session.events.flatMap((event) =>
      event.type === 'toolFinished' && event.allowedBy?.[0] === BY_MODE ? [event.toolUseId] : [],
    );
    expect(byMode).toEqual(['toolu_edit', 'toolu_create']);
  });

  it('accepts no edit that a rule denies, or that no rule may allow', async () => {
    const denied = await runAll('acceptEdits', {
      answerByRules: async () => ({ type: 'deny', rule: 'edits' }),
    });
    expect(denied.ran).toEqual(['look']);
    const unruled = await runAll('acceptEdits', {
      answerByRules: async () => ({ type: 'ask', why: 'It must be asked.', choices: [] }),
    });
    expect(unruled.asked).toContain('edit');
  });

  it('runs only what looks, while it plans, and says why the rest did not run', async () => {
    const { agent, asked, ran } = await runAll('plan');
    expect(ran).toEqual(['fetch', 'question', 'look']);
    expect(asked).toEqual(['fetch', 'question']);
    const refused = agent.session.events.filter(
      (event) => event.type === 'toolFinished' && event.origin === 'denied',
    );
    expect(refused).toHaveLength(Object.keys(REQUESTS).length - 2);
    expect(refused[0]).toMatchObject({
      text: 'Denied: plan mode only looks and plans. Not done: the edit. Nothing was changed.',
      isError: true,
    });
  });

  it('is told before the prompt that follows a switch, once, and the sent bytes before it stay', async () => {
    const agent = scriptedAgent({
      script: ['One.', 'A plan.', 'More.', 'Four.'].map((text) => says(text)),
    });
    await agent.run('first');
    agent.session.append({ type: 'modeSet', mode: 'plan' });
    await agent.run('second');
    await agent.run('third');
    agent.session.append({ type: 'modeSet', mode: 'ask' });
    await agent.run('fourth');
    const [one, two, three, four] = agent.requests.map(textsOf);
    expect(two).toMatch(/\[Mode: plan\..*second/);
    expect(three!.split('[Mode:')).toHaveLength(2);
    expect(four).toMatch(/\[Mode: plan\..*\[Mode: ask\..*fourth/);
    for (const { system, tools } of agent.requests) {
      expect([system, tools]).toEqual([agent.requests[0]!.system, agent.requests[0]!.tools]);
    }
    const [whole = '', next = ''] = [one, two].map((text) => text!.slice(0, one!.length - 40));
    expect(next).toBe(whole);
  });

  it('is told after the results if it is switched during a turn, and applies from the next call', async () => {
    const ran: string[] = [];
    const call = (id: string, name: string) => calls([{ id, name: 'act', input: { name } }]);
    const agent = scriptedAgent({
      script: [call('toolu_1', 'command'), call('toolu_2', 'edit'), says('The plan.')],
      deps: { tools: [asking(REQUESTS, ran)] },
      onEvent: (event) => {
        if (event.type === 'toolFinished' && event.use.id === 'toolu_1')
          agent.session.append({ type: 'modeSet', mode: 'plan' });
      },
    });
    await agent.run('go');
    expect(ran).toEqual(['command']);
    expect(textsOf(agent.requests[1]!)).toMatch(/did command.*\[Mode: plan\./);
    expect(planOf(agent.session.window)).toEqual({ step: 3, text: 'The plan.' });
  });

  it('survives a restart, and a note that left the window is repeated', async () => {
    const agent = scriptedAgent({ script: [says('A plan.')], deps: { tools: [ECHO] } });
    agent.session.append({ type: 'modeSet', mode: 'plan' });
    await agent.run('go');
    const again = scriptedAgent({ script: [says('More.')], events: agent.session.events });
    const { window } = again.session;
    expect([modeOf(window), modeNote(window)]).toEqual(['plan', undefined]);
    const without = window.blocks.filter(({ kind }) => kind !== 'note');
    expect(modeNote({ ...window, blocks: PersistentList.of(without) })?.source).toEqual({
      from: 'mode',
      mode: 'plan',
    });
  });
});

describe('a plan', () => {
  it('is the last reply of a turn in plan mode, until something follows', async () => {
    const agent = scriptedAgent({ script: [says('Hello.'), says('1. Mend a.ts.'), says('Done.')] });
    await agent.run('first');
    agent.session.append({ type: 'modeSet', mode: 'plan' });
    expect(planOf(agent.session.window)).toBeUndefined();
    await agent.run('plan it');
    expect(planOf(agent.session.window)).toEqual({ step: 2, text: '1. Mend a.ts.' });
    agent.session.append({ type: 'modeSet', mode: 'ask' });
    expect(planOf(agent.session.window)).toBeUndefined();
  });
});
