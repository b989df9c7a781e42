import { describe, expect, it } from 'vitest';
import type { AgentSettings } from '../../src/agent/agentDeps';
import type { ModelRequest } from '../../src/agent/model';
import { scratchpadTool } from '../../src/tools/scratchpadTool';
import { POLICY_SETTINGS } from '../support/agentSettings';
import {
  calls,
  ECHO,
  says,
  scriptedAgent,
  steps,
  type ScriptedAgent,
  type Turn,
} from '../support/scriptedAgent';

const TOOLS = [ECHO, scratchpadTool([])];

const writes = (id: string, key_facts: readonly string[]) =>
  calls([{ id, name: 'update_scratchpad', input: { key_facts } }]);

function agentWith(
  script: readonly Turn[],
  settings: Partial<AgentSettings> = {},
  tools = TOOLS,
): ScriptedAgent {
  return scriptedAgent({ script, deps: { tools }, settings: { remindAfterSteps: 3, ...settings } });
}

/** The parts of a request as sent, without the cache breakpoints. */
function partsOf({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ role, content }) =>
    content.map(({ ...part }) => {
      delete (part as { cache_control?: unknown }).cache_control;
      return JSON.stringify({ role, part });
    }),
  );
}

function remindersIn(request: ModelRequest): readonly string[] {
  return request.messages.flatMap(({ content }) =>
    content.flatMap((part) =>
      part.type === 'text' && part.text.startsWith('[Reminder') ? [part.text] : [],
    ),
  );
}

const counts = ({ requests }: ScriptedAgent) => requests.map((one) => remindersIn(one).length);

describe('a reminder of the scratchpad', () => {
  it('is added once at the end, when the notes are older than the setting allows', async () => {
    const agent = agentWith(steps(7, 20));
    await agent.run('Go.');
    expect(counts(agent)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    const last = agent.requests[4]!.messages.at(-1)!;
    expect(last.content.map(({ type }) => type)).toEqual(['tool_result', 'text']);
    expect(last.content[1]).toMatchObject({
      text:
        '[Reminder, no request: you have written no notes in 4 steps. If anything new must ' +
        'outlive the context window, save it with update_scratchpad as you continue.]',
    });
  });

  it('leaves the bytes of every earlier request unchanged (I7)', async () => {
    const agent = agentWith(steps(7, 20));
    await agent.run('Go.');
    agent.requests.slice(1).forEach((request, index) => {
      const before = partsOf(agent.requests[index]!);
      expect(partsOf(request).slice(0, before.length)).toEqual(before);
    });
  });

  it('is not sent while the notes are fresh, and returns when they are old again', async () => {
    const script = [
      ...steps(2, 20, 'a').slice(0, -1),
      writes('w1', ['one']),
      ...steps(3, 20, 'b').slice(0, -1),
      writes('w2', ['two']),
      ...steps(5, 20, 'c'),
    ];
    const agent = agentWith(script);
    await agent.run('Go.');
    expect(counts(agent)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(remindersIn(agent.requests.at(-1)!)[0]).toContain('your notes are 4 steps old');
  });

  it('treats notes as fresh if they were rewritten with the same words', async () => {
    const script = [
      writes('w1', ['one']),
      ...steps(3, 20, 'a').slice(0, -1),
      writes('w2', ['one']),
      ...steps(3, 20, 'b'),
    ];
    const agent = agentWith(script);
    await agent.run('Go.');
    expect(Math.max(...counts(agent))).toBe(0);
  });

  it('precedes a prompt that arrives when it is due, and never follows it (I3)', async () => {
    const agent = agentWith(Array.from({ length: 5 }, (_, index) => says(`Said ${index}.`)));
    for (const prompt of ['One.', 'Two.', 'Three.', 'Four.', 'Five.']) await agent.run(prompt);
    expect(counts(agent)).toEqual([0, 0, 0, 0, 1]);
    const texts = agent.requests[4]!.messages.at(-1)!.content.map((part) =>
      part.type === 'text' ? part.text.slice(0, 9) : part.type,
    );
    expect(texts).toEqual(['[Reminder', 'Five.']);
  });

  it.each([
    ['it is set to 0', { remindAfterSteps: 0 }, TOOLS],
    ['the agent has no tool to write notes', {}, [ECHO]],
  ])('is never added if %s', async (_, settings, tools) => {
    const agent = agentWith(steps(7, 20), settings, tools);
    await agent.run('Go.');
    expect(Math.max(...counts(agent))).toBe(0);
  });
});

describe('the warning before a pass', () => {
  const policy = { ...POLICY_SETTINGS, summaries: false, keepRecentTurns: 0 };
  const near = (settings: Partial<AgentSettings> = {}) =>
    agentWith(steps(24, 1_500), { remindAfterSteps: 100, policy, ...settings });

  it('says once, before the pass, how many steps newer than the notes it will remove', async () => {
    const agent = near();
    await agent.run('Go.');
    const happened = agent.session.events.flatMap((event) => {
      if (event.type === 'passApplied') return ['pass'];
      return event.type === 'noteAdded' && event.source.from === 'reminder'
        ? [`told because of ${event.source.because}`]
        : [];
    });
    expect(happened.slice(0, 4)).toEqual([
      'told because of pass',
      'pass',
      'told because of pass',
      'pass',
    ]);
    const told = agent.requests.flatMap(remindersIn)[0]!;
    expect(told).toMatch(
      /^\[Reminder, no request: the context window will soon be compacted\. As it is, \d+ of the \d+ steps not in your notes will be removed from it, in whole or in part\./,
    );
  });

  it('is not sent if no pass runs automatically', async () => {
    const agent = near({ compaction: 'off' });
    await agent.run('Go.');
    expect(Math.max(...counts(agent))).toBe(0);
  });

  it('is not sent if the notes are newer than everything the pass will remove', async () => {
    const script = [
      ...steps(6, 3_000).slice(0, -1),
      writes('w', ['all']),
      ...steps(3, 900, 'b').slice(0, -1),
      ...steps(1, 3_000, 'c'),
    ];
    const agent = agentWith(script, { remindAfterSteps: 100, policy });
    await agent.run('Go.');
    expect(agent.session.window.ledger.length).toBeGreaterThan(0);
    expect(Math.max(...counts(agent))).toBe(0);
  });
});
