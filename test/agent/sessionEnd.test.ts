import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { oneFolder } from '../../src/agent/workspaceFolders';
import {
  closeCommandProblem,
  runCloseCommand,
  summariseSession,
} from '../../src/agent/closeSession';
import { chargesOf } from '../../src/contextWindow/account/spending';
import { refused } from '../../src/contextWindow/result';
import { makeNodeWorkspace } from '../../src/tools/files/nodeWorkspace';
import { fails, says, scriptedAgent, steps, type ScriptedAgent } from '../support/scriptedAgent';
import { tempFolder } from '../tools/support/tempFolder';

async function summaryOf(agent: ScriptedAgent, signal = new AbortController().signal) {
  const { session, deps } = agent;
  const { estimator, model } = deps;
  return summariseSession(
    { session, estimator, model: { ok: true, model } },
    deps.settings(),
    signal,
  );
}

describe('the summary of a whole session', () => {
  it('asks the model with the usual task and says that the session ends', async () => {
    const agent = scriptedAgent({ script: steps(3, 300), summariser: says('It went well.') });
    await agent.run('Find the needle.');
    expect(await summaryOf(agent)).toEqual({
      text: 'It went well.',
      writtenBy: { by: 'model', model: expect.any(String) },
    });
    const [request] = agent.summaryRequests;
    expect(request!.system[0]!.text).toContain('session ends here');
    const texts = request!.messages[0]!.content.map((part) =>
      part.type === 'text' ? part.text : '',
    );
    expect(texts[0]).toContain('Find the needle.');
    expect(texts.join()).toContain('--- step-4');
  });

  it('is also written for a short session, where the summary of a pass would be too long', async () => {
    const agent = scriptedAgent({
      script: [says('Hello.')],
      summariser: says('The user said hello, and the agent answered. '.repeat(8)),
    });
    await agent.run('Hello');
    expect((await summaryOf(agent))?.writtenBy.by).toBe('model');
  });

  it('is charged in the session that ends', async () => {
    const agent = scriptedAgent({ script: steps(3, 300) });
    await agent.run('look');
    const before = agent.session.events.length;
    await summaryOf(agent);
    const since = agent.session.events.slice(before);
    expect(since.map(({ type }) => type)).toEqual(['modelAsked']);
    expect(since.flatMap(chargesOf)).toHaveLength(1);
  });

  it('is a work note if the model fails, is off, cannot be asked, or is stopped', async () => {
    const agent = scriptedAgent({
      script: steps(3, 300),
      summariser: fails({ type: 'overloaded', message: '529' }),
    });
    await agent.run('look');
    const { session, deps } = agent;
    const { estimator } = deps;
    const off = { ...deps.settings(), summary: { writer: 'off', model: 'm' } as const };
    const stop = new AbortController();
    const none = refused('no model can be asked: set a key');
    const asked = { session, estimator, model: { ok: true, model: deps.model } } as const;
    const stopped = new AbortController();
    stopped.abort();
    const notes = [
      await summaryOf(agent),
      await summariseSession(asked, off, stop.signal),
      await summariseSession({ session, estimator, model: none }, deps.settings(), stop.signal),
      await summaryOf(agent, stopped.signal),
    ];
    for (const note of notes) {
      expect(note?.text).toContain('Work note, written from the log without a model:');
      expect(note?.text).toContain('echo');
    }
    expect(notes.map((note) => note?.writtenBy)).toMatchObject([
      { because: 'the model call failed: 529' },
      { because: 'summaries by a model are off' },
      { because: 'no model can be asked: set a key' },
      { because: 'the model call failed: Stopped.' },
    ]);
  });

  it('is absent if the session did nothing but set a task', async () => {
    const agent = scriptedAgent({ script: [] });
    agent.session.append({
      type: 'promptSubmitted',
      text: 'task',
      admission: { form: 'whole' },
    });
    expect(await summaryOf(agent)).toBeUndefined();
    expect(agent.summaryRequests).toEqual([]);
  });
});

describe('the command at the end of a session', () => {
  function scene() {
    const root = tempFolder();
    const { session } = scriptedAgent({ script: [] });
    const run = (command: string, signal = new AbortController().signal) =>
      runCloseCommand(
        makeNodeWorkspace({ folders: oneFolder(root) }),
        session,
        { command, title: 'Mend\0 it', reason: 'closed', logFile: '/logs/a.jsonl' },
        signal,
      );
    const file = join(root, 'out.txt');
    return { root, session, run, read: () => readFileSync(file, 'utf8'), file };
  }

  it('gets title, reason and log, and never the key', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-secret');
    const { run, read, session } = scene();
    const outcome = await run('env > out.txt');
    vi.unstubAllEnvs();
    expect(outcome).toMatchObject({ ended: 'exited', exitCode: 0 });
    const lines = read().split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'PLIMSOLL_SESSION_TITLE=Mend it',
        'PLIMSOLL_SESSION_REASON=closed',
        'PLIMSOLL_SESSION_LOG=/logs/a.jsonl',
      ]),
    );
    expect(read()).not.toContain('sk-ant-secret');
    expect(session.events.at(-1)).toMatchObject({
      type: 'closeCommandRan',
      command: 'env > out.txt',
      exitCode: 0,
    });
  });

  it('runs once for the same end, and again after the session was continued', async () => {
    const { run, read, session } = scene();
    await run('echo ran >> out.txt');
    session.append({ type: 'sessionClosed', reason: 'closed' });
    expect(await run('echo ran >> out.txt')).toBeUndefined();
    expect(read()).toBe('ran\n');
    session.append({ type: 'promptSubmitted', text: 'more', admission: { form: 'whole' } });
    await run('echo ran >> out.txt');
    expect(read()).toBe('ran\nran\n');
  });

  it('is ended with its child processes when it is stopped, and says so', async () => {
    const { run, session, file } = scene();
    const stop = new AbortController();
    const running = run('touch out.txt; sleep 300 & sleep 300', stop.signal);
    await expect.poll(() => existsSync(file)).toBe(true);
    stop.abort();
    const outcome = await running;
    expect(outcome).toMatchObject({ ended: 'stopped', exitCode: null });
    expect(session.events.at(-1)).toMatchObject({ type: 'closeCommandRan', exitCode: null });
    expect(closeCommandProblem('x', outcome!)).toContain('was stopped before it finished');
  });

  it('reports its failure with its last output', async () => {
    const { run } = scene();
    const failed = await run('echo no such place >&2; exit 3');
    expect(closeCommandProblem('deploy', failed!)).toBe(
      'The command at the end of the session, deploy, failed with exit code 3. Its last output: no such place',
    );
    expect(closeCommandProblem('true', { ...failed!, exitCode: 0 })).toBeUndefined();
    expect(closeCommandProblem('x', { ...failed!, ended: 'timedOut' })).toContain(
      'longer than 60 s',
    );
  });
});
