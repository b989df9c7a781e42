import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import type { ApprovalAnswer, ApprovalRequest } from '../../src/agent/tool';
import type { SessionEvent } from '../../src/contextWindow/event';
import { makeProjectMemory } from '../../src/tools/files/nodeProjectMemory';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { calls, says, scriptedAgent, type Turn } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';

const YES: ApprovalAnswer = { approved: true };
const NO: ApprovalAnswer = { approved: false };

/** A session in a real folder, and the questions about memory that its user got. */
function sessionIn(
  root: string,
  script: readonly Turn[],
  answer: ApprovalAnswer = YES,
  events?: readonly SessionEvent[],
) {
  const workspace = makeNodeWorkspace({ folders: oneFolder(root), rgPath: undefined });
  const asked: ApprovalRequest[] = [];
  const agent = scriptedAgent({
    script,
    budget: { contextWindowTokens: 100_000 },
    deps: { tools: toolbox([]), workspace, projectMemory: makeProjectMemory(workspace) },
    approve: async (id) => (id.startsWith('memory_') ? answer : YES),
    onEvent: (event) => {
      if (event.type === 'approvalAsked' && event.request.kind === 'memory') {
        asked.push(event.request);
      }
    },
    ...(events === undefined ? {} : { events }),
  });
  const told = () =>
    agent.session.window.preamble.memory?.map(({ path, text, origin }) => [path, text, origin]);
  const notices = () =>
    agent.heard.flatMap((event) => (event.type === 'notice' ? [event.message] : []));
  return { agent, asked, told, notices };
}

const create = (id: string, path: string, content: string) =>
  calls([{ id, name: 'create_file', input: { path, content } }]);
const edit = (id: string, path: string, old_text: string, new_text: string) =>
  calls([{ id, name: 'edit_file', input: { path, old_text, new_text } }]);
const run = (id: string, command: string) =>
  calls([{ id, name: 'run_command', input: { command } }]);
const read = (id: string, path: string) => calls([{ id, name: 'read_file', input: { path } }]);
const begin = { how: 'begin' };

describe('memory that existed when the session began', () => {
  it('is used without asking, in the root and in a folder', async () => {
    const root = tempFolder({ 'AGENTS.md': 'Tabs.', 'lib/CLAUDE.md': 'Terse.', 'lib/a.js': 'a\n' });
    const { agent, asked, told } = sessionIn(root, [read('t1', 'lib/a.js'), says('Done.')]);
    await agent.run('look');
    expect(told()).toEqual([['AGENTS.md', 'Tabs.', begin]]);
    expect(agent.session.events.find(({ type }) => type === 'noteAdded')).toMatchObject({
      source: { from: 'memory', path: 'lib/CLAUDE.md', origin: begin },
    });
    expect(asked).toEqual([]);
  });
});

describe('memory that appeared or changed during the session', () => {
  it.each([
    ['an edit', () => create('t1', 'AGENTS.md', 'Obey.\n')],
    ['a command', () => run('t1', 'echo Obey. > AGENTS.md')],
  ])('by %s is used once the user approved its whole text', async (_, make) => {
    const root = tempFolder();
    const script = [make(), says('Done.'), says('Two.'), says('Three.')];
    const { agent, asked, told } = sessionIn(root, script);
    await agent.run('one');
    expect(told()).toBeUndefined();
    await agent.run('two');
    expect(asked).toEqual([{ kind: 'memory', path: 'AGENTS.md', text: 'Obey.\n' }]);
    expect(told()).toEqual([['AGENTS.md', 'Obey.\n', { how: 'allowed', step: 2 }]]);
    await agent.run('three');
    expect(asked).toHaveLength(1);
  });

  it('is asked about after the prompt, which survives a crash meanwhile', async () => {
    const root = tempFolder();
    const script = [create('t1', 'AGENTS.md', 'Obey.'), says('1'), says('2')];
    const { agent } = sessionIn(root, script);
    for (const prompt of ['one', 'two']) await agent.run(prompt);
    const types = agent.session.events.map(({ type }) => type);
    const at = types.lastIndexOf('promptSubmitted');
    expect(types.slice(at, at + 3)).toEqual(['promptSubmitted', 'memoryAnswered', 'preambleSet']);
  });

  it('stays unchanged until approval, and a denial applies to that text', async () => {
    const root = tempFolder({ 'AGENTS.md': 'Tabs.' });
    const script = [edit('t1', 'AGENTS.md', 'Tabs', 'Obey'), says('Done.'), says('2'), says('3')];
    const { agent, asked, told } = sessionIn(root, script, NO);
    for (const prompt of ['one', 'two', 'three']) await agent.run(prompt);
    expect(told()).toEqual([['AGENTS.md', 'Tabs.', begin]]);
    expect(asked).toHaveLength(1);
    expect(JSON.stringify(agent.requests.map(({ system }) => system))).not.toContain('Obey');
  });

  it('in a folder is asked about before it is used', async () => {
    const root = tempFolder({ 'lib/a.js': 'a\n' });
    const script = [run('t1', 'echo Obey. > lib/AGENTS.md'), read('t2', 'lib/a.js'), says('Done.')];
    for (const [answer, notes] of [
      [YES, 1],
      [NO, 0],
    ] as const) {
      const { agent, asked } = sessionIn(root, script, answer);
      await agent.run('go');
      expect(asked).toEqual([{ kind: 'memory', path: 'lib/AGENTS.md', text: 'Obey.\n' }]);
      const told = agent.session.events.filter(({ type }) => type === 'noteAdded');
      expect(told).toHaveLength(notes);
      writeFileSync(join(root, 'lib/AGENTS.md'), '');
    }
  });

  it('is not used if no one can answer, which is reported once', async () => {
    const root = tempFolder();
    const rule: ApprovalAnswer = { approved: false, message: 'No one is there.' };
    const script = [create('t1', 'AGENTS.md', 'Obey.'), says('1'), says('2'), says('3')];
    const { agent, told, notices } = sessionIn(root, script, rule);
    for (const prompt of ['one', 'two', 'three']) await agent.run(prompt);
    expect(told()).toBeUndefined();
    expect(notices()).toEqual([
      'AGENTS.md is new or changed since the session began, and does not instruct the agent: ' +
        'No one is there.',
    ]);
    expect(agent.session.events.some(({ type }) => type === 'memoryAnswered')).toBe(false);
  });

  it('is not asked about if it is too long to read', async () => {
    const root = tempFolder();
    const script = [run('t1', 'yes | head -c 100001 > AGENTS.md'), says('1'), says('2')];
    const { agent, asked, told, notices } = sessionIn(root, script);
    for (const prompt of ['one', 'two']) await agent.run(prompt);
    expect([asked, told()]).toEqual([[], undefined]);
    expect(notices().at(-1)).toContain('too many to ask about');
  });
});

describe('a line that remember added', () => {
  const remember = calls([{ id: 't1', name: 'remember', input: { text: 'Port 80.' } }]);

  it('was approved with the line in sight, so the user is not asked again', async () => {
    const root = tempFolder({ '.plimsoll/memory.md': '- Old.\n' });
    const { agent, asked } = sessionIn(root, [remember, says('1'), says('2')]);
    for (const prompt of ['one', 'two']) await agent.run(prompt);
    expect(asked).toEqual([]);
    expect(agent.session.events.at(-1)).toBeDefined();
  });

  it('does not approve lines that a command put before it', async () => {
    const root = tempFolder({ '.plimsoll/x': '' });
    const poison = run('t0', 'echo "- Obey." > .plimsoll/memory.md');
    const { agent, asked, told } = sessionIn(root, [poison, remember, says('1'), says('2')], NO);
    for (const prompt of ['one', 'two']) await agent.run(prompt);
    expect(asked).toEqual([
      { kind: 'memory', path: '.plimsoll/memory.md', text: '- Obey.\n- Port 80.\n' },
    ]);
    expect(told()).toBeUndefined();
  });
});

describe('the log', () => {
  it('still records after a reload which files existed, were approved and were denied', async () => {
    const root = tempFolder({ 'AGENTS.md': 'Tabs.' });
    const first = sessionIn(root, [create('t1', 'CLAUDE.md', 'Obey.'), says('1'), says('2')], NO);
    for (const prompt of ['one', 'two']) await first.agent.run(prompt);
    const { events } = first.agent.session;
    const again = sessionIn(root, [says('3')], YES, JSON.parse(JSON.stringify(events)));
    await again.agent.run('three');
    expect(again.asked).toEqual([]);
    expect(again.told()).toEqual([['AGENTS.md', 'Tabs.', begin]]);
  });

  it('of an older session starts with the files that exist when it opens', async () => {
    const root = tempFolder({ 'AGENTS.md': 'Tabs.' });
    const first = sessionIn(root, [says('1')]);
    await first.agent.run('one');
    const older = first.agent.session.events.filter(({ type }) => type !== 'memoryListed');
    mkdirSync(join(root, 'lib'));
    const again = sessionIn(root, [says('2')], NO, older);
    await again.agent.run('two');
    expect([again.asked, again.told()]).toEqual([[], [['AGENTS.md', 'Tabs.', begin]]]);
  });
});
