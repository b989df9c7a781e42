import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CurrentSession } from '../../../src/editor/session/currentSession';
import type { Session } from '../../../src/agent/session';
import { startProcess } from '../../../src/tools/processes/startedProcess';
import { commandViews } from '../../../src/editor/commands/derive';
import { HOURS, registryScene } from '../../sessions/support/registryScene';
import { callsTools, finished, prompt } from '../../sessions/support/sampleEvents';
import { isRunning, pidsIn, untilWritten } from '../../tools/support/processes';
import { tempFolder } from '../../tools/support/tempFolder';

const editor = vi.hoisted(() => ({
  asked: [] as { readonly label: string; readonly detail?: string }[],
  answer: undefined as string | undefined,
}));

vi.mock('vscode', () => ({
  EventEmitter: class {
    readonly event = () => undefined;
    fire() {}
  },
  Uri: {
    from: (parts: object) => ({ ...parts, toString: () => JSON.stringify(parts) }),
    parse: (text: string) => JSON.parse(text) as unknown,
  },
  window: {
    showQuickPick: async (items: readonly { readonly label: string }[]) => {
      editor.asked.push(...items);
      return items.find(({ label }) => label === editor.answer);
    },
  },
}));

const { RunningCommands } = await import('../../../src/editor/commands/runningCommands');

const open: { stop(): Promise<void> }[] = [];

afterEach(async () => {
  editor.asked.length = 0;
  for (const desk of open.splice(0)) await desk.stop();
});

/** A registry of sessions whose commands really run. */
function desked(limits: Parameters<typeof registryScene>[1] = {}) {
  const folder = tempFolder();
  const scene = registryScene(folder, limits);
  const warnings: string[] = [];
  let shown: Session | undefined;
  const live = { activity: { state: 'runningTool', toolUseId: 'toolu_1' } };
  const desk = new RunningCommands(
    { notices: { warn: (message) => warnings.push(message) }, textColumn: { beside: 1 } },
    {
      get session() {
        return shown;
      },
      run: { live: live as CurrentSession['run']['live'] },
      broke: (error) => {
        throw error;
      },
    },
  );
  open.push(desk);
  scene.registry.onExpire(desk.hook);
  const { session, file } = scene.registry.start(true);
  for (const event of [prompt('Mend the mast.'), callsTools('a'), finished('a')])
    session.append(event);
  shown = session;
  /** Starts a server with a child process, and returns both ids. */
  const serve = async (): Promise<readonly number[]> => {
    const cwd = tempFolder();
    const command = 'echo $$ >> pids; sleep 300 & echo $! >> pids; echo up; wait';
    const start = await startProcess(command, { cwd, input: 'open' });
    if (!start.ok) throw new Error(start.message);
    desk.of(session).add({ command: 'npm run dev', started: start.started });
    await untilWritten(join(cwd, 'pids'), 2);
    return pidsIn(join(cwd, 'pids'));
  };
  return { ...scene, desk, session, file, folder, warnings, serve };
}

const tail = ({ events }: Session) => events.slice(-2);

describe.skipIf(process.platform === 'win32')('the background commands of a session', () => {
  it('are stopped when the window closes: no process stays, and the log says why', async () => {
    const { desk, session, registry, serve } = desked();
    const pids = await serve();
    expect(pids.filter(isRunning)).toHaveLength(2);
    await desk.stop();
    registry.close();
    expect(pids.filter(isRunning)).toEqual([]);
    expect(tail(session)).toMatchObject([
      { type: 'commandEnded', handle: 'cmd1', because: 'windowClosed' },
      { type: 'sessionClosed', reason: 'ended' },
    ]);
  });

  it('are stopped when the session expires, and the user is told', async () => {
    const { session, pass, registry, serve, warnings } = desked({ ttlMs: HOURS(1) });
    const pids = await serve();
    pass(3);
    await expect.poll(() => registry.heldFiles).toEqual([]);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(tail(session)).toMatchObject([
      { type: 'commandEnded', because: 'sessionEnded' },
      { type: 'sessionClosed', reason: 'expired' },
    ]);
    expect(warnings).toEqual([
      'The session “Mend the mast.” expired. Its commands were stopped: cmd1 (npm run dev).',
    ]);
  });

  it('are named before the user ends the session, and stopped only after a confirmation', async () => {
    const { desk, session, serve } = desked();
    expect(await desk.mayEnd(session)).toBe(true);
    expect(editor.asked).toEqual([]);
    const pids = await serve();
    editor.answer = 'Keep the session';
    expect(await desk.mayEnd(session)).toBe(false);
    expect(editor.asked).toMatchObject([
      { label: 'Keep the session' },
      { label: 'Stop them and end', detail: 'cmd1 (npm run dev)' },
    ]);
    expect(pids.filter(isRunning)).toHaveLength(2);
    editor.answer = 'Stop them and end';
    expect(await desk.mayEnd(session)).toBe(true);
    expect(pids.filter(isRunning)).toEqual([]);
  });

  it('keep running while another session is shown, and the user is told', async () => {
    const { desk, session, serve, warnings } = desked();
    desk.leaving(session);
    expect(warnings).toEqual([]);
    const pids = await serve();
    desk.leaving(session);
    expect(warnings).toEqual([
      'Commands of the session “Mend the mast.” keep running in the background until it ends: cmd1 (npm run dev).',
    ]);
    expect(pids.filter(isRunning)).toHaveLength(2);
  });

  it('read the line that the user types, and say if they have ended', async () => {
    const { desk, session } = desked();
    expect(await desk.type('cmd1', 'ahoy')).toMatch(/There is no background command/);
    const command = 'read line; echo "got $line"';
    const start = await startProcess(command, { cwd: tempFolder(), input: 'open' });
    if (!start.ok) throw new Error(start.message);
    desk.of(session).add({ command, started: start.started });
    expect(await desk.type('cmd1', 'ahoy')).toBeUndefined();
    await expect.poll(() => desk.of(session).output('cmd1')?.text).toBe('got ahoy\n');
    await expect.poll(() => desk.type('cmd1', 'ahoy')).toBe('cmd1 has already ended.');
  });

  it('are stopped one by one, and their output opens as a document', async () => {
    const { desk, session, serve } = desked();
    await serve();
    await expect.poll(() => desk.of(session).output('cmd1')?.text).toBe('up\n');
    const query = `${session.window.sessionId} cmd1`;
    const read = (of: string) =>
      desk.provideTextDocumentContent({ query: of } as Parameters<
        typeof desk.provideTextDocumentContent
      >[0]);
    expect(read(query)).toBe('$ npm run dev\nup\n');
    expect(read('other cmd1')).toBe('The output of this command is no longer kept.');
    expect(await desk.stopOne('cmd1')).toBeUndefined();
    expect(commandViews(session.window, desk.withOutput)).toMatchObject([
      { handle: 'cmd1', ended: 'stopped by the user', hasOutput: true },
    ]);
    expect(await desk.stopOne('cmd1')).toBe('cmd1 has already ended.');
    expect(await desk.show('cmd9')).toBe('The output of cmd9 is no longer kept.');
  });

  it('are stopped without an event when the session is opened again, which logs their end', async () => {
    const { desk, session, file, registry, serve } = desked();
    const pids = await serve();
    desk.reopening(session);
    const reopened = registry.reopen(file);
    if (!reopened.ok) throw new Error(reopened.message);
    const before = session.events.length;
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(session.events).toHaveLength(before);
    expect(tail(reopened.session)).toMatchObject([{}, { type: 'commandEnded', because: 'lost' }]);
    expect(desk.of(reopened.session).withOutput.size).toBe(0);
  });

  it('are not kept for a session without any once it has left memory', () => {
    const { desk, session, file, registry } = desked();
    const before = desk.of(session);
    expect(desk.of(session)).toBe(before);
    void registry.close();
    expect(registry.heldFiles).not.toContain(file);
    expect(desk.of(session)).not.toBe(before);
  });

  it('are moved only while they run', () => {
    const { desk } = desked();
    expect(desk.move('toolu_other')).toBe('This command is no longer running.');
    expect(desk.move('toolu_1')).toBe('No running command can be moved.');
  });

  it('do not run in a session opened again after a crash, nor in a fork', async () => {
    const { session, file, registry, desk, serve } = desked();
    await serve();
    const forked = registry.fork(file, 1);
    if (!forked.ok) throw new Error(forked.message);
    expect(commandViews(forked.session.window, new Set())).toEqual([]);
    // Another window, after this one crashed.
    const reopened = registry.reopen(file);
    if (!reopened.ok) throw new Error(reopened.message);
    expect(commandViews(reopened.session.window, new Set())).toMatchObject([
      { handle: 'cmd1', ended: 'stopped when the editor closed' },
    ]);
    session.append = () => undefined;
    await desk.stop();
  });
});
