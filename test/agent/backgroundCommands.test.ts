import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import { BackgroundCommands } from '../../src/agent/backgroundCommands';
import type { Tool } from '../../src/agent/tool';
import type { CommandExit, StartedCommand, Workspace } from '../../src/agent/workspace';
import type { SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { unreportedEnds } from '../../src/contextWindow/commands';
import { closeLostCommands } from '../../src/sessions/interruptedCalls';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { toolbox } from '../../src/tools/toolbox';
import { calls, ECHO, echo, says, scriptedAgent, type Options } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';

/** A fake command whose output and end the test controls. */
function played() {
  let tell: (text: string) => void = () => undefined;
  let end: (exit: CommandExit) => void = () => undefined;
  const typed: string[] = [];
  const started: StartedCommand = {
    ended: new Promise((resolve) => (end = resolve)),
    listen: (onOutput) => {
      tell = onOutput;
      queueMicrotask(() => tell('up\n'));
    },
    write: async (text) => void typed.push(text),
    stop: async () => end({ exitCode: null }),
  };
  return {
    started,
    typed,
    tell: (text: string) => tell(text),
    end: (exit: CommandExit) => end(exit),
  };
}

/** An agent whose only command is the fake one. */
function agentWith(options: Omit<Options, 'deps'>) {
  const command = played();
  const workspace: Workspace = {
    ...makeNodeWorkspace({ folders: oneFolder(tempFolder()) }),
    startCommand: async () => ({ ok: true, started: command.started }),
  };
  const problems: unknown[] = [];
  const agent = scriptedAgent({
    ...options,
    deps: { workspace, tools: [...toolbox([]), ECHO, WAITING] },
  });
  const background = new BackgroundCommands(agent.session, {
    changed: () => undefined,
    report: (error) => problems.push(error),
  });
  Object.assign(agent.deps, { background });
  return { agent, background, command, problems };
}

const START = {
  id: 'toolu_start',
  name: 'run_command',
  input: { command: 'npm run dev', background: true },
};

const WAIT = { id: 'toolu_wait', name: 'wait', input: {} };

/** Resolved by the test; the tool `wait` waits for it. */
let waitFor: () => Promise<void> = async () => undefined;

const WAITING: Tool = {
  definition: { name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } },
  prepare: async () => ({
    ok: true,
    call: {
      action: 'the wait',
      run: async () => {
        await waitFor();
        return { text: 'waited', isError: false };
      },
    },
  }),
};

/** The newest message of a request: each text verbatim, each other part as its type. */
function newest(agent: ReturnType<typeof agentWith>['agent'], index: number): readonly string[] {
  const { content } = agent.requests[index]!.messages.at(-1)!;
  return content.map((part) => (part.type === 'text' ? part.text : part.type));
}

const noteOf = (text: string) =>
  `<commands_ended note="Reports what happened to background commands. It is not a new request.">\n${text}\n</commands_ended>`;

const typesOf = (events: readonly SessionEvent[]) => events.map(({ type }) => type);

describe('a command in the background', () => {
  it('outlives the step and the turn, and the log says so', async () => {
    const { agent, background } = agentWith({ script: [calls([START]), says('Done.')] });
    expect(await agent.run('start it')).toEqual({ type: 'finished' });
    expect(background.running).toMatchObject([{ handle: 'cmd1', command: 'npm run dev' }]);
    const events = agent.session.events.filter(({ type }) => type === 'commandStarted');
    expect(events).toMatchObject([{ handle: 'cmd1', command: 'npm run dev' }]);
    expect(fold(agent.session.events).commands).toEqual(agent.session.window.commands);
  });

  it('is stopped if the log rejects it, so that no command runs unseen', async () => {
    const { agent, background, command } = agentWith({ script: [] });
    agent.session.append = () => {
      throw new Error('The disk is full.');
    };
    expect(() => background.add({ command: 'npm run dev', started: command.started })).toThrow(
      'The disk is full.',
    );
    expect(await command.started.ended).toEqual({ exitCode: null });
    expect(background.withOutput.size).toBe(0);
  });

  it('outlives a stopped turn', async () => {
    const { agent, background } = agentWith({
      script: [calls([START, echo('toolu_hang', { hang: true })])],
      onEvent: (event) => {
        if (event.type === 'toolStarted' && event.use.name === 'echo') agent.stop.abort();
      },
    });
    expect(await agent.run('start it')).toEqual({ type: 'stopped' });
    expect(background.running).toHaveLength(1);
  });

  it('is reported once after the results of the step in which it ended', async () => {
    const { agent, command } = agentWith({
      script: [calls([START]), calls([WAIT]), calls([echo('toolu_2')]), says('Done.')],
    });
    waitFor = async () => {
      command.end({ exitCode: 1 });
      await expect.poll(() => unreportedEnds(agent.session.window)).toHaveLength(1);
    };
    await agent.run('start it');
    expect(newest(agent, 1)).toEqual(['tool_result']);
    expect(newest(agent, 2)).toEqual([
      'tool_result',
      noteOf(
        'A background command has ended:\n- cmd1 (npm run dev): exit code 1; read_output returns its last output.',
      ),
    ]);
    expect(newest(agent, 3)).toEqual(['tool_result']);
  });

  it('is reported before the next prompt if it ended between two turns', async () => {
    const { agent, background, command } = agentWith({
      script: [calls([START]), says('Done.'), says('I see.')],
    });
    await agent.run('start it');
    command.tell('Error: port taken\n');
    await background.stop('cmd1', 'user');
    await agent.run('and now?');
    expect(newest(agent, 2)).toEqual([
      noteOf(
        'A background command has ended:\n- cmd1 (npm run dev): stopped by the user; read_output returns its last output.',
      ),
      'and now?',
    ]);
    expect(unreportedEnds(agent.session.window)).toEqual([]);
  });

  it('needs no note if a result already reported its end', async () => {
    const { agent } = agentWith({
      script: [
        calls([START]),
        calls([{ id: 'toolu_stop', name: 'stop_command', input: { handle: 'cmd1' } }]),
        says('Stopped.'),
      ],
    });
    await agent.run('start and stop it');
    expect(typesOf(agent.session.events)).not.toContain('noteAdded');
    expect(agent.session.events).toContainEqual(
      expect.objectContaining({ type: 'toolFinished', reportedEnds: ['cmd1'] }),
    );
  });

  it('is gone after a restart of the editor, and both the log and the model learn that', async () => {
    const first = agentWith({ script: [calls([START]), says('Done.')] });
    await first.agent.run('start it');
    const { agent } = agentWith({ script: [says('I see.')], events: first.agent.session.events });
    closeLostCommands(agent.session, 'lost');
    expect(agent.session.events.at(-1)).toMatchObject({ handle: 'cmd1', because: 'lost' });
    await agent.run('and now?');
    expect(newest(agent, 0)[0]).toBe(
      noteOf(
        'A background command has ended:\n- cmd1 (npm run dev): stopped when the editor closed.',
      ),
    );
  });

  it('has typed input approved by the user, who sees the text', async () => {
    const asked: string[] = [];
    const { agent, command } = agentWith({
      script: [
        calls([START]),
        calls([{ id: 'toolu_yes', name: 'send_input', input: { handle: 'cmd1', text: 'y' } }]),
        calls([{ id: 'toolu_no', name: 'send_input', input: { handle: 'cmd1', text: 'n' } }]),
        says('Done.'),
      ],
      approve: async (id) => ({ approved: id !== 'toolu_no' }),
      onEvent: (event) => {
        if (event.type === 'approvalAsked' && event.request.kind === 'input')
          asked.push(`${event.request.handle} ${event.request.text}`);
      },
    });
    await agent.run('start it');
    expect(asked).toEqual(['cmd1 y', 'cmd1 n']);
    expect(command.typed).toEqual(['y\n']);
  });

  it('is reported as a problem if its end cannot be logged', async () => {
    const { agent, command, problems } = agentWith({ script: [calls([START]), says('Done.')] });
    await agent.run('start it');
    agent.session.append = () => {
      throw new Error('The log takes nothing more.');
    };
    command.end({ exitCode: 0 });
    await expect.poll(() => problems).toHaveLength(1);
  });
});
