import { describe, expect, it } from 'vitest';
import { runTurn } from '../../../src/agent/runTurn';
import type { AgentDescription } from '../../../src/agent/subAgents/agentFile';
import { SubAgents } from '../../../src/agent/subAgents/subAgents';
import type { ModelRequest } from '../../../src/agent/model';
import type { ApprovalAnswer, PreparedCall } from '../../../src/agent/tool';
import { turnSpend } from '../../../src/contextWindow/account/spending';
import { subAgentLog, subAgentsIn } from '../../../src/contextWindow/subAgentLog';
import type { Checkpoints } from '../../../src/agent/checkpointPort';
import type { ToolUseId } from '../../../src/contextWindow/block';
import type { SessionEvent } from '../../../src/contextWindow/event';
import type { FileChange } from '../../../src/contextWindow/fileChanges';
import type { Inspected } from '../../../src/editor/session/inspected';
import { SubAgentWindow, windowViews } from '../../../src/editor/session/subAgentWindow';
import { fold } from '../../../src/contextWindow/fold';
import { toRequest } from '../../../src/contextWindow/request/request';
import { standingRulesOf } from '../../../src/contextWindow/standingRules/standingRules';
import { taskTool } from '../../../src/tools/task';
import {
  calls,
  echo,
  ECHO,
  type Options,
  says,
  scriptedAgent,
  sizeOf,
  type Turn,
} from '../../support/scriptedAgent';

const MAIN = 'main';

/** Who sends a request: the name of a sub-agent, or the agent itself. */
function senderOf({ system }: ModelRequest): string {
  return /You are the sub-agent "([^"]+)"/.exec(system[0]!.text)?.[1] ?? MAIN;
}

function task(id: string, title: string, input: object = {}) {
  return { id, name: 'task', input: { title, prompt: `Do: ${title}.`, ...input } };
}

/** An agent that can start sub-agents; each follows the script under its own name. */
function agentWith(
  scripts: Readonly<Record<string, readonly Turn[]>>,
  agents: readonly AgentDescription[] = [],
  options: Partial<Options> & { readonly settings?: Options['settings'] } = {},
) {
  const left = new Map(Object.entries(scripts).map(([name, turns]) => [name, [...turns]]));
  const next: Turn = (request) => {
    const name = senderOf(request);
    const turn = left.get(name)?.shift();
    if (turn === undefined) throw new Error(`The script of ${name} has ended.`);
    return turn(request);
  };
  const agent = scriptedAgent({
    ...options,
    script: Array.from({ length: 60 }, () => next),
    deps: { tools: [ECHO, taskTool(agents)], ...options.deps },
  });
  Object.assign(agent.deps, { subAgents: new SubAgents(runTurn) });
  return agent;
}

function resultsOf({ session }: ReturnType<typeof agentWith>): readonly string[] {
  return session.events.flatMap((event) => (event.type === 'toolFinished' ? [event.text] : []));
}

describe('a sub-agent', () => {
  it('works in a window of its own and returns its last reply', async () => {
    const agent = agentWith({
      [MAIN]: [calls([task('t1', 'Find it')]), says('Thanks.')],
      'Find it': [calls([echo('e1', { text: 'a long text' })]), says('It is in a.ts:3.')],
    });
    expect(await agent.run('Fix the bug.')).toEqual({ type: 'finished' });
    expect(resultsOf(agent)).toEqual(['It is in a.ts:3.']);

    const own = agent.requests.filter((request) => senderOf(request) === 'Find it');
    expect(JSON.stringify(own)).not.toContain('Fix the bug.');
    expect(own[0]!.tools.map(({ name }) => name)).toEqual(['echo']);
    const below = subAgentLog(agent.session.events, 't1');
    expect(fold(below).blocks.map(({ kind }) => kind)).toEqual(['anchor', 'step', 'step']);
    // The parent's window has the call and its result only.
    expect(JSON.stringify(agent.session.window.blocks)).not.toContain('a long text');
  });

  it('gets the standing rules of the session, and none from its own task', async () => {
    const agent = agentWith({
      main: [calls([task('t1', 'Look', { prompt: 'Always shout. Look at it.' })]), says('Done.')],
      Look: [says('Seen.')],
    });
    agent.session.append({ type: 'standingRulesSet', on: true });
    await agent.run('Look at the mast. Never climb it.');
    const window = fold(subAgentLog(agent.session.events, 't1' as ToolUseId));
    expect(standingRulesOf(window).map(({ text, place }) => [text, place])).toEqual([
      ['Never climb it.', 'block'],
    ]);
    expect(JSON.stringify(toRequest(window).messages[0])).toContain('- Never climb it.');
  });

  it('has its tokens and steps counted in the turn', async () => {
    const agent = agentWith({
      [MAIN]: [calls([task('t1', 'Find it')]), says('Thanks.')],
      'Find it': [calls([echo('e1')]), says('Found.')],
    });
    await agent.run('Fix it.');
    const spent = turnSpend(agent.session.events, () => 1);
    expect(spent.steps).toBe(4);
    expect(spent.usd).toBe(4);
  });

  it('stops at the limit of the turn, which then ends too', async () => {
    const agent = agentWith(
      {
        [MAIN]: [calls([task('t1', 'Find it')]), says('Thanks.')],
        'Find it': [calls([echo('e1')]), calls([echo('e2')]), calls([echo('e3')]), says('No.')],
      },
      [],
      { settings: { caps: { steps: 3 } } },
    );
    expect(await agent.run('Fix it.')).toMatchObject({ type: 'capReached', cap: 'steps' });
    expect(agent.requests).toHaveLength(3);
    expect(resultsOf(agent)).toEqual([
      expect.stringMatching(/did not finish its task\. A limit of the turn was reached/),
    ]);
  });

  it('has a short answer: a longer one is cut, visibly', async () => {
    const agent = agentWith({
      [MAIN]: [calls([task('t1', 'Tell all')]), says('Thanks.')],
      'Tell all': [says('word '.repeat(40_000))],
    });
    await agent.run('Tell.');
    const [text = ''] = resultsOf(agent);
    expect(text).toContain('[Cut here: at most 4000 tokens.]');
  });

  it('is stopped with its turn', async () => {
    const agent = agentWith(
      {
        [MAIN]: [calls([task('t1', 'Wait')]), says('Never.')],
        Wait: [calls([echo('e1', { hang: true })]), says('Never.')],
      },
      [],
      {
        onEvent: ({ type }) => {
          if (type === 'toolStarted') setTimeout(() => agent.stop.abort(), 20);
        },
      },
    );
    expect(await agent.run('Wait.')).toEqual({ type: 'stopped' });
    expect(resultsOf(agent)).toEqual([expect.stringContaining('The user stopped it.')]);
    const below = subAgentLog(agent.session.events, 't1');
    expect(below.at(-1)).toMatchObject({ type: 'turnEnded', outcome: { type: 'stopped' } });
  });

  it('asks under its own name, one question at a time', async () => {
    let open = 0;
    const asked: string[] = [];
    const agent = agentWith(
      {
        [MAIN]: [calls([task('t1', 'One'), task('t2', 'Two')]), says('Thanks.')],
        One: [calls([echo('e1', { ask: true })]), says('One done.')],
        Two: [calls([echo('e2', { ask: true })]), says('Two done.')],
      },
      [],
      {
        approve: async (id): Promise<ApprovalAnswer> => {
          open += 1;
          expect(open).toBe(1);
          asked.push(id);
          await new Promise((resolve) => setTimeout(resolve, 10));
          open -= 1;
          return { approved: true };
        },
      },
    );
    await agent.run('Go.');
    expect(asked.toSorted()).toEqual(['e1', 'e2']);
    const names = agent.heard.flatMap((event) =>
      event.type === 'approvalAsked' ? [event.by] : [],
    );
    expect(names.toSorted()).toEqual(['One', 'Two']);
    expect(resultsOf(agent)).toEqual(['One done.', 'Two done.']);
  });

  it('runs beside others of the same reply, at most four at a time', async () => {
    const titles = ['A', 'B', 'C', 'D', 'E', 'F'];
    let most = 0;
    let atWork = 0;
    const hold: typeof ECHO = {
      ...ECHO,
      prepare: async () => ({
        ok: true,
        call: {
          action: 'the wait',
          run: async () => {
            atWork += 1;
            most = Math.max(most, atWork);
            await new Promise((resolve) => setTimeout(resolve, 15));
            atWork -= 1;
            return { text: 'ok', isError: false };
          },
        },
      }),
    };
    const agent = agentWith(
      {
        [MAIN]: [calls(titles.map((title) => task(`t${title}`, title))), says('Thanks.')],
        ...Object.fromEntries(
          titles.map((title) => [title, [calls([echo(`e${title}`)]), says(`${title} done.`)]]),
        ),
      },
      [],
      { deps: { tools: [hold, taskTool([])] } },
    );
    await agent.run('Go.');
    expect(most).toBe(4);
    // The results are in the order of the calls.
    expect(resultsOf(agent)).toEqual(titles.map((title) => `${title} done.`));
  });

  it('starts no other, and does not change anything in plan mode', async () => {
    const agent = agentWith({
      [MAIN]: [calls([task('t1', 'Deep')]), says('Thanks.')],
      Deep: [calls([task('t2', 'Deeper'), echo('e1', { ask: true })]), says('No.')],
    });
    agent.session.append({ type: 'modeSet', mode: 'plan' });
    await agent.run('Go.');
    const below = subAgentLog(agent.session.events, 't1');
    const results = below.flatMap((event) => (event.type === 'toolFinished' ? [event.text] : []));
    expect(results).toEqual([
      expect.stringContaining('There is no tool "task"'),
      expect.stringContaining('plan mode only looks and plans'),
    ]);
  });
});

describe('the windows of a session', () => {
  const worked = async () => {
    const agent = agentWith({
      [MAIN]: [calls([task('t1', 'Find it')]), says('Thanks.')],
      'Find it': [calls([echo('e1')]), says('Found.')],
    });
    await agent.run('Fix it.');
    return agent;
  };

  it('are its own and those of its sub-agents, with their sizes as counted', async () => {
    const { session, requests } = await worked();
    const [found] = subAgentsIn(session.events);
    expect(found).toEqual({
      toolUseId: 't1',
      name: 'Find it',
      steps: 2,
      tokens: sizeOf(requests[2]!),
      isAtWork: false,
    });
  });

  it('are shown whole, while the session grows', async () => {
    const { session } = await worked();
    const shown = new SubAgentWindow('t1' as ToolUseId);
    const events: SessionEvent[] = [];
    for (const event of session.events) {
      events.push(event);
      const inspected = shown.of({ events, busy: true } as unknown as Inspected);
      if (inspected !== undefined) {
        expect(inspected.events).toEqual(subAgentLog(events, 't1'));
        expect(inspected.window).toEqual(fold(inspected.events));
      }
    }
    expect(shown.of({ events: [] } as unknown as Inspected)).toBeUndefined();
    // A crash leaves it without an end; then it is not at work.
    const cut = events.slice(0, -6);
    const isAtWork = (busy: boolean) =>
      windowViews({ events: cut, busy }, undefined)?.map((one) => one.isAtWork);
    expect([isAtWork(true), isAtWork(false)]).toEqual([
      [undefined, true],
      [undefined, false],
    ]);
  });
});

describe('what a sub-agent shares with its session', () => {
  it('is which memory files the user was asked about', async () => {
    const agent = agentWith({
      [MAIN]: [calls([task('t1', 'Find it')]), says('Thanks.')],
      'Find it': [says('Found.')],
    });
    await agent.run('Fix it.');
    const listed = (events: readonly SessionEvent[]) =>
      events.flatMap((event) => (event.type === 'memoryListed' ? [event.files] : []));
    expect(listed(subAgentLog(agent.session.events, 't1'))).toEqual(listed(agent.session.events));
  });

  it('is what it changed: the turn has its files', async () => {
    const change = { path: 'a.ts', before: 'aa', after: 'bb' } as unknown as FileChange;
    const agent = agentWith(
      {
        [MAIN]: [calls([task('t1', 'Edit it')]), says('Thanks.')],
        'Edit it': [calls([echo('e1', { ask: true })]), says('Edited.')],
      },
      [],
      {
        deps: {
          checkpoints: {
            before: async ({ approval }: Pick<PreparedCall, 'approval'>) =>
              approval && (async () => ({ files: [change], isAll: true })),
            count: async () => ({ added: 1, removed: 1 }),
          } as unknown as Checkpoints,
        },
      },
    );
    await agent.run('Go.');
    const turn = agent.session.events.findLast(({ type }) => type === 'turnFiles');
    expect(turn).toMatchObject({ files: [{ path: 'a.ts', added: 1 }] });
  });
});

describe('an agent that the project describes', () => {
  const REVIEWER: AgentDescription = {
    name: 'reviewer',
    description: 'Reviews changes.',
    instructions: 'Be strict.',
    tools: ['recall'],
    model: 'haiku',
  };

  it('gets its instructions and its tools', async () => {
    const agent = agentWith(
      {
        [MAIN]: [calls([task('t1', 'Look', { agent: 'reviewer' })]), says('Thanks.')],
        reviewer: [says('All good.')],
      },
      [REVIEWER],
    );
    await agent.run('Review.');
    const [, own] = agent.requests;
    expect(own!.system[0]!.text).toContain('Be strict.');
    expect(own!.tools).toEqual([]);
    // Its file names a model that cannot be chosen here: the user is told.
    expect(agent.heard).toContainEqual({
      type: 'notice',
      message: 'reviewer uses the model of the session. Another model cannot be chosen here.',
    });
    expect(agent.requests[0]!.tools.at(-1)!.description).toContain('- reviewer: Reviews changes.');
  });

  it('asks its own model; a call may name another', async () => {
    const agent = agentWith(
      {
        [MAIN]: [
          calls([
            task('t1', 'Look', { agent: 'reviewer' }),
            task('t2', 'Again', { agent: 'reviewer', model: 'opus' }),
          ]),
          says('Thanks.'),
        ],
        reviewer: [says('All good.'), says('Still good.')],
      },
      [REVIEWER],
    );
    const { settings } = agent.deps;
    Object.assign(agent.deps, {
      settingsOf: async (name: string) => {
        const model = name === 'haiku' ? 'claude-haiku-4-5' : 'claude-opus-5-5';
        return { ok: true, settings: () => ({ ...settings(), model }) };
      },
    });
    await agent.run('Review.');
    const { model: ofSession } = settings();
    const models = agent.requests.map(({ model }) => model);
    expect(models.toSorted()).toEqual(
      [ofSession, 'claude-haiku-4-5', 'claude-opus-5-5', ofSession].toSorted(),
    );
    expect(agent.heard.filter(({ type }) => type === 'notice')).toEqual([]);
  });

  it('must exist, and a model that the call names too', async () => {
    const agent = agentWith(
      {
        [MAIN]: [
          calls([task('t1', 'Look', { agent: 'nobody' })]),
          calls([task('t2', 'Look', { model: 'gpt' })]),
          says('Thanks.'),
        ],
      },
      [REVIEWER],
    );
    await agent.run('Review.');
    expect(resultsOf(agent)).toEqual([
      'task was not run: there is no agent "nobody". There are: reviewer.',
      'The sub-agent did not finish its task. Another model cannot be chosen here. Nothing was done.',
    ]);
  });
});
