import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { MORE_TOOLS } from '../../src/agent/compactTools';
import { SubAgents } from '../../src/agent/subAgents/subAgents';
import { runTurn } from '../../src/agent/runTurn';
import { fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request/request';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { LocalEstimator } from '../support/localEstimator';
import { calls, says, scriptedAgent, type Options, type Turn } from '../support/scriptedAgent';
import { smallWindowRun } from '../support/smallWindowRun';
import { tempFolder } from '../tools/support/tempFolder';
import { resultsOf } from './support/resultsOf';

const through = (tool: string, input?: object, id = `toolu_${tool}`) => ({
  id,
  name: MORE_TOOLS,
  input: { tool, ...(input === undefined ? {} : { input }) },
});

/** An agent with its own tools in a small window, in a folder with one file. */
async function smallAgent(script: readonly Turn[], more: Pick<Options, 'deps'> = {}) {
  const root = await tempFolder();
  writeFileSync(join(root, 'a.ts'), 'export const a = 1;\n');
  const deps = {
    tools: toolbox([]),
    workspace: makeNodeWorkspace({ folders: oneFolder(root) }),
    ...more.deps,
  };
  const agent = scriptedAgent({ script, budget: { contextWindowTokens: 32_000 }, deps });
  return { agent, root, there: () => existsSync(join(root, 'a.ts')) };
}

const DELETES = [calls([through('delete_file', { path: 'a.ts' })]), says('Done.')];

describe('a tool that more_tools calls', () => {
  it('is approved under its own name, and sent as the model called it', async () => {
    const { agent, there } = await smallAgent(DELETES);
    await agent.run('Delete a.ts.');
    expect(there()).toBe(false);
    const asked = agent.heard.find(({ type }) => type === 'approvalAsked');
    expect(asked).toMatchObject({
      use: { name: 'delete_file', input: { path: 'a.ts' } },
      request: { kind: 'delete', path: 'a.ts' },
    });
    expect(agent.requests[1]!.messages[1]!.content).toEqual([
      expect.objectContaining({
        type: 'tool_use',
        name: MORE_TOOLS,
        input: { tool: 'delete_file', input: { path: 'a.ts' } },
      }),
    ]);
    const { events, window } = agent.session;
    expect(toRequest(fold(JSON.parse(JSON.stringify(events))))).toEqual(toRequest(window));
  });

  it('is denied by the rules of that tool, and does not run in plan mode', async () => {
    const denied = await smallAgent(DELETES, {
      deps: {
        answerByRules: async ({ name }, { kind }) =>
          name === 'delete_file' && kind === 'delete'
            ? { type: 'deny', rule: 'no deletions' }
            : { type: 'ask', choices: [] },
      },
    });
    await denied.agent.run('Delete a.ts.');
    const planning = await smallAgent(DELETES);
    planning.agent.session.append({ type: 'modeSet', mode: 'plan' });
    await planning.agent.run('Delete a.ts.');
    for (const { agent, there } of [denied, planning]) {
      expect(there()).toBe(true);
      expect(resultsOf(agent)[0]).toMatchObject({ isError: true, origin: 'denied' });
    }
  });

  it('is described if the call has no input, and named if the call is wrong', async () => {
    const { agent } = await smallAgent([
      calls([
        through('move_file'),
        through('format_disk', {}),
        through('move_file', ['a.ts'], 'toolu_3'),
        through('move_file', { path: 'a.ts' }, 'toolu_4'),
      ]),
      says('Done.'),
    ]);
    await agent.run('Go.');
    const [described, unknown, wrong, missing] = resultsOf(agent).map(({ text }) => text);
    expect(described).toMatch(/^Moves or renames a file.*\nInput, as JSON schema: \{.*"to":/);
    expect(unknown).toMatch(
      /^more_tools was not run: there is no tool "format_disk"\. The tools are: .*move_file/,
    );
    expect(wrong).toBe(
      'more_tools was not run: it takes tool and input, an object with the parameters of move_file.',
    );
    expect(missing).toBe('move_file was not run: "to" is missing (string).');
  });

  it('starts sub-agents, which have the same tools in the same form', async () => {
    const next: Turn = (request) => {
      const isBelow = request.system[0]!.text.includes('You are the sub-agent');
      const hasResult = request.messages.length > 1;
      const call = isBelow
        ? through('delete_file', { path: 'a.ts' })
        : through('task', { title: 'Tidy', prompt: 'Delete a.ts.' });
      return hasResult ? says('Done.')(request) : calls([call])(request);
    };
    const { agent, there } = await smallAgent([next, next, next, next]);
    await runToEnd({ ...agent.deps, subAgents: new SubAgents(runTurn) });
    expect(there()).toBe(false);
    const [above, below] = agent.requests.map(({ tools }) => tools.at(-1)!);
    expect([above!.name, below!.name]).toEqual([MORE_TOOLS, MORE_TOOLS]);
    expect(above!.description).toContain('\n- task(');
    expect(below!.description).not.toContain('\n- task(');
  });

  async function runToEnd(deps: Parameters<typeof runTurn>[0]): Promise<void> {
    const turn = runTurn(deps, 'Tidy up.', new AbortController().signal);
    while ((await turn.next()).done !== true);
  }
});

describe('a run that reads files of 6,400 tokens in a window of 32,000', () => {
  const estimator = () => new LocalEstimator('claude-sonnet-5-5');

  it.each(['whole files', 'one range each'] as const)(
    'of %s: one pass in three steps and half a count a step at most',
    async (reading) => {
      const numbers = await smallWindowRun(40, reading, estimator());
      const { steps, passes, counts, preambleTokens } = numbers;
      expect(preambleTokens).toBeLessThanOrEqual(2_500);
      expect(passes * 3).toBeLessThanOrEqual(steps);
      expect(counts * 2).toBeLessThanOrEqual(steps);
    },
  );
});
