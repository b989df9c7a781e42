import { oneFolder } from '../../src/agent/workspaceFolders';
import { readFile } from '../../src/tools/files/readFile';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { describe, expect, it } from 'vitest';
import type { Checkpoints } from '../../src/agent/checkpointPort';
import type { Media, Tool, ToolContext, ToolOutput } from '../../src/agent/tool';

import { recall } from '../../src/tools/recall';
import { calls, says, scriptedAgent } from '../support/scriptedAgent';
import { PDF, PNG } from '../tools/support/pictures';
import { tempFolder } from '../tools/support/tempFolder';
import { STAND_IN_ESTIMATOR } from '../support/standInEstimator';
import type { JsonValue } from '../../src/contextWindow/json';

function answering(answer: (context: ToolContext) => Partial<ToolOutput>): Tool {
  return {
    definition: { name: 'made_up', description: 'Made up.', inputSchema: { type: 'object' } },
    prepare: (_input, context) =>
      Promise.resolve({
        ok: true,
        call: {
          action: 'the call',
          run: () => Promise.resolve({ text: 'ok', isError: false, ...answer(context) }),
        },
      }),
  };
}

const madeUp = (id: string) => calls([{ id, name: 'made_up' }]);
const image: Media = { type: 'image', mediaType: 'image/png', data: PNG.toString('base64') };

/** An agent for which every image and document takes this many tokens. */
function agentSeeing(tokens: number, tool: Tool, script: Parameters<typeof calls>[0]) {
  return scriptedAgent({
    script: [calls(script), says('Done.')],
    deps: {
      tools: [tool],
      estimator: { ...STAND_IN_ESTIMATOR, media: () => tokens },
    },
  });
}

const resultOf = ({ session }: ReturnType<typeof scriptedAgent>, id: string) =>
  session.events.find((event) => event.type === 'toolFinished' && event.toolUseId === id);

describe('the state of a tool', () => {
  it('is stored with the session for the next call; null removes a key', async () => {
    const seen: unknown[] = [];
    const tool = answering(({ state }) => {
      seen.push(state);
      const count = Number(state['count'] ?? 0) + 1;
      const after: Record<string, JsonValue> = count < 3 ? { count, other: true } : { count: null };
      return { state: after };
    });
    const agent = scriptedAgent({
      script: [madeUp('toolu_1'), madeUp('toolu_2'), madeUp('toolu_3'), says('Done.')],
      deps: { tools: [tool] },
    });
    await agent.run('count');
    expect(seen).toEqual([{}, { count: 1, other: true }, { count: 2, other: true }]);
    expect(agent.session.window.state).toEqual({ other: true });
  });
});

describe('the notice of a tool', () => {
  it('is for the user, once a session', async () => {
    const tool = answering(() => ({ notice: 'Not everything was checked.' }));
    const agent = scriptedAgent({
      script: [madeUp('toolu_1'), madeUp('toolu_2'), says('Done.')],
      deps: { tools: [tool] },
    });
    await agent.run('check');
    const notices = agent.heard.filter(({ type }) => type === 'notice');
    expect(notices).toEqual([{ type: 'notice', message: 'Not everything was checked.' }]);
    expect(JSON.stringify(agent.requests)).not.toContain('Not everything');
  });
});

describe('the attachments of a result', () => {
  it('enter the window with their tokens, after the text', async () => {
    const tool = answering(() => ({ attachments: [image] }));
    const agent = agentSeeing(900, tool, [{ id: 'toolu_1', name: 'made_up' }]);
    await agent.run('look');
    expect(resultOf(agent, 'toolu_1')).toMatchObject({ attachments: [{ ...image, tokens: 900 }] });
    expect(agent.requests[1]!.messages.at(-1)!.content[0]).toMatchObject({
      type: 'tool_result',
      content: [{ type: 'text', text: 'ok' }, { type: 'image' }],
    });
  });

  it('are omitted with a note if they take more than one result may', async () => {
    const tool = answering(() => ({ attachments: [image] }));
    const agent = agentSeeing(2_000, tool, [{ id: 'toolu_1', name: 'made_up' }]);
    await agent.run('look');
    const result = resultOf(agent, 'toolu_1');
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringContaining('Not shown: it would take about 2000 tokens'),
    });
    expect(result).not.toHaveProperty('attachments');
  });

  it('are not sent with an error: the API accepts only text there', async () => {
    const tool = answering(() => ({ isError: true, attachments: [image] }));
    const agent = agentSeeing(900, tool, [{ id: 'toolu_1', name: 'made_up' }]);
    await agent.run('look');
    expect(resultOf(agent, 'toolu_1')).not.toHaveProperty('attachments');
  });

  it('of read_file are accepted as image and PDF, and recall shows them again', async () => {
    const root = tempFolder({ 'a.png': PNG, 'b.pdf': PDF });
    const agent = scriptedAgent({
      script: [
        calls([
          { id: 'toolu_1', name: 'read_file', input: { path: 'a.png' } },
          { id: 'toolu_2', name: 'read_file', input: { path: 'b.pdf' } },
        ]),
        calls([{ id: 'toolu_3', name: 'recall', input: { handle: 'toolu_1' } }]),
        says('Done.'),
      ],
      deps: {
        tools: [readFile, recall],
        workspace: makeNodeWorkspace({ folders: oneFolder(root) }),
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(resultOf(agent, 'toolu_2')).toMatchObject({
      attachments: [{ type: 'document', mediaType: 'application/pdf' }],
    });
    expect(resultOf(agent, 'toolu_3')).toMatchObject({ attachments: [{ mediaType: 'image/png' }] });
  });
});

describe('a call with unreadable input', () => {
  it('does not run, and the model gets the reason', async () => {
    const inputFault = 'The input of this call is nested deeper than 500 levels.';
    let runs = 0;
    const agent = scriptedAgent({
      script: [
        (request) => {
          const result = madeUp('toolu_1')(request);
          if (!result.ok) return result;
          const parts = result.reply.parts.map((part) =>
            part.type === 'toolUse' ? { ...part, use: { ...part.use, inputFault } } : part,
          );
          return { ok: true, reply: { ...result.reply, parts } };
        },
        says('Done.'),
      ],
      deps: {
        tools: [
          answering(() => {
            runs += 1;
            return {};
          }),
        ],
      },
    });
    expect(await agent.run('look')).toEqual({ type: 'finished' });
    expect(runs).toBe(0);
    expect(resultOf(agent, 'toolu_1')).toMatchObject({ isError: true, text: inputFault });
    expect(JSON.stringify(agent.requests.at(-1)!.messages)).not.toContain('inputFault');
  });
});

describe('impossible numbers from a server', () => {
  it('are reported once a session', async () => {
    const odd = (id: string) => (request: Parameters<ReturnType<typeof madeUp>>[0]) => {
      const result = madeUp(id)(request);
      return result.ok ? { ...result, reply: { ...result.reply, problems: ['Odd.'] } } : result;
    };
    const agent = scriptedAgent({
      script: [odd('toolu_1'), odd('toolu_2'), says('Done.')],
      deps: { tools: [answering(() => ({}))] },
    });
    await agent.run('look');
    const warned = agent.heard.filter(({ type }) => type === 'warning');
    expect(warned).toEqual([{ type: 'warning', message: 'Odd.' }]);
  });
});

describe('the problems of a command', () => {
  const PROBLEM = { path: 'a.ts', line: 1, severity: 'error', message: 'Wrong.' } as const;

  /** The result of a command that changed one file; the language servers report one problem. */
  async function resultWith(files: readonly string[]) {
    const asked: (readonly string[])[] = [];
    const root = tempFolder({ 'a.ts': 'let a;' });
    const agent = scriptedAgent({
      script: [madeUp('toolu_1'), says('Done.')],
      approve: async () => ({ approved: true }),
      deps: {
        tools: [
          {
            definition: {
              name: 'made_up',
              description: 'Made up.',
              inputSchema: { type: 'object' },
            },
            prepare: async () => ({
              ok: true,
              call: {
                approval: { kind: 'command', command: 'make', cwd: root },
                action: 'the command',
                run: async () => ({ text: '(no output)\nexit code 0', isError: false }),
              },
            }),
          },
        ],
        checkpoints: {
          count: async () => undefined,
          before: async () => async () => ({
            isAll: true,
            files: files.map((path) => ({ path, before: 'x', after: 'y' })),
          }),
        } as Partial<Checkpoints> as Checkpoints,
        workspace: {
          ...makeNodeWorkspace({ folders: oneFolder(root) }),
          problems: {
            in: () => [],
            settled: async () => undefined,
            watch: async () => async () => ({ problems: [], areNew: true }),
            watchAll: () => async (paths) => {
              asked.push(paths);
              return paths.includes('a.ts') ? [PROBLEM] : [];
            },
          },
        },
      },
    });
    await agent.run('make it');
    const result = resultOf(agent, 'toolu_1');
    return { asked, text: result?.type === 'toolFinished' ? result.text : '' };
  }

  it('are listed before its last line, for the files that it changed', async () => {
    const { asked, text } = await resultWith(['a.ts', 'b.ts']);
    expect(asked).toEqual([['a.ts', 'b.ts']]);
    expect(text).toBe(
      '(no output)\n[Problems in files that it changed, by language servers:]\na.ts:1: error: Wrong.\nexit code 0',
    );
  });

  it('are not looked for if it changed no file', async () => {
    expect(await resultWith([])).toEqual({ asked: [], text: '(no output)\nexit code 0' });
  });
});
