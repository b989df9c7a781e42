import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { oneFolder } from '../../../src/agent/workspaceFolders';
import type { Turn } from '../../support/scriptedAgent';
import { OnClose } from '../../../src/editor/sessions/onClose';
import { DEFAULT_SETTINGS, type SessionSettings } from '../../../src/settings/settings';
import { makeNodeWorkspace } from '../../../src/tools/files/nodeWorkspace';
import { registryScene, HOURS } from '../../sessions/support/registryScene';
import { callsTools, finished, prompt } from '../../sessions/support/sampleEvents';
import { says, scriptedAgent, type Beside } from '../../support/scriptedAgent';
import { tempFolder } from '../../tools/support/tempFolder';

/** A registry with the actions for a closed session, and a session with a task in it. */
function scene(
  set: Partial<SessionSettings>,
  answers: boolean[] = [],
  summariser: Beside | Turn = says('All mended.'),
) {
  const logs = registryScene(tempFolder(), { ttlMs: HOURS(24) });
  const root = tempFolder();
  const settings = { ...DEFAULT_SETTINGS.sessions, onClose: 'nothing', onCloseCommand: '', ...set };
  const asked: string[] = [];
  const warnings: string[] = [];
  const kept = new Map<string, unknown>();
  let asks = 0;
  const { deps } = scriptedAgent({
    script: [],
    summariser: (request, signal) => {
      asks += 1;
      return summariser(request, signal);
    },
  });
  const services = {
    access: {
      settings: { valid: { settings: { sessions: settings } } },
      problem: undefined,
      connection: deps.model,
      estimator: deps.estimator,
      agentSettings: deps.settings(),
    },
    now: () => logs.now(),
    context: {
      workspaceState: {
        get: <T>(key: string) => kept.get(key) as T,
        update: async (key: string, value: unknown) => void kept.set(key, value),
      },
      globalState: {
        get: <T>(key: string, none?: T) => (kept.get(key) ?? none) as T,
        update: async (key: string, value: unknown) => void kept.set(key, value),
      },
    },
    loadTools: async () => ({ disk: makeNodeWorkspace({ folders: oneFolder(root) }) }),
    notices: {
      mayRun: async (command: string) => {
        asked.push(command);
        return answers[asked.length - 1] ?? new Promise(() => undefined);
      },
      warn: (message: string) => warnings.push(message),
    },
    folders: { now: oneFolder(root) },
  };
  const onClose = new OnClose(services as never);
  logs.registry.onExpire(onClose.hook);
  const { session, file } = logs.registry.start(true);
  for (const event of [prompt('Mend the mast.'), callsTools('a'), finished('a')]) {
    session.append(event);
  }
  return {
    ...logs,
    onClose,
    answers,
    restarted: () => {
      const next = new OnClose(services as never);
      logs.registry.onExpire(next.hook);
      return next;
    },
    session,
    file,
    asked,
    warnings,
    settings,
    asks: () => asks,
    told: () => readFileSync(join(root, 'told'), 'utf8'),
    close: () => logs.registry.closeSession(file),
    types: () => session.events.map(({ type }) => type),
  };
}

const TELL = 'echo "$PLIMSOLL_SESSION_TITLE $PLIMSOLL_SESSION_REASON" >> told';
const count = (types: readonly string[], type: string) =>
  types.filter((one) => one === type).length;

describe('when the time to live of a session ran out while no window was open', () => {
  const left = async (set: Partial<SessionSettings> = { onClose: 'summary' }) => {
    const made = scene(set);
    await made.onClose.catchUp(made.registry);
    made.pass(1);
    made.session.append(prompt('And the sail.'));
    made.registry.close();
    return made;
  };
  const summaries = (file: string) =>
    count(readFileSync(file, 'utf8').split('"'), 'sessionSummarised');

  it('it gets its end at the next start, once', async () => {
    const { onClose, registry, pass, file, asks } = await left();
    pass(20);
    await onClose.catchUp(registry);
    expect(asks()).toBe(0);
    pass(5);
    await onClose.catchUp(registry);
    expect([asks(), summaries(file), registry.heldFiles]).toEqual([1, 1, []]);
    await onClose.catchUp(registry);
    expect(asks()).toBe(1);
  });

  it('one from before the setting was made is left alone', async () => {
    const { onClose, registry, pass, settings, asks } = await left({ onClose: 'nothing' });
    pass(30);
    await onClose.catchUp(registry);
    Object.assign(settings, { onClose: 'summary' });
    await onClose.catchUp(registry);
    expect(asks()).toBe(0);
  });
});

describe('when a session is closed', () => {
  it('nothing happens by default', async () => {
    const { close, types } = scene({});
    await close();
    expect(types().slice(-2)).toEqual(['toolFinished', 'sessionClosed']);
  });

  it('its summary is written once, and again only after the session was continued', async () => {
    const { close, types, session, asks, registry, file } = scene({ onClose: 'summary' });
    await close();
    expect(types().slice(-3)).toEqual(['modelAsked', 'sessionSummarised', 'sessionClosed']);
    expect(registry.heldFiles).toEqual([]);
    await close();
    expect([asks(), count(types(), 'sessionSummarised')]).toEqual([1, 1]);
    const again = registry.resume(file);
    if (!again.ok) throw new Error(again.message);
    again.session.append(prompt('And the sail.'));
    await close();
    expect(asks()).toBe(2);
    expect(
      count(
        again.session.events.map(({ type }) => type),
        'sessionSummarised',
      ),
    ).toBe(2);
    expect(session.events.length).toBeLessThan(again.session.events.length);
  });

  it('its summary is not written if it is used again meanwhile', async () => {
    const never: Beside = (_, signal) =>
      new Promise((resolve) => {
        const failure = { type: 'aborted', message: 'Stopped.' } as const;
        signal.addEventListener('abort', () => resolve({ ok: false, failure }));
      });
    const { close, types, session, asks, registry } = scene({ onClose: 'summary' }, [], never);
    const closing = close();
    await expect.poll(() => asks()).toBe(1);
    session.append(prompt('And the sail.'));
    await closing;
    expect(types().at(-1)).toBe('promptSubmitted');
    expect(registry.heldFiles).toHaveLength(1);
  });

  it('Plimsoll asks once about the command, in full, and runs it once', async () => {
    const made = scene({ onClose: 'command', onCloseCommand: TELL }, [true, true]);
    await made.close();
    expect(made.asked).toEqual([TELL]);
    expect(made.told()).toBe('Mend the mast. closed\n');
    await made.close();
    expect(made.told()).toBe('Mend the mast. closed\n');
    const next = made.registry.start(true);
    next.session.append(prompt('Another.'));
    await made.registry.closeSession(next.file);
    expect(made.told()).toBe('Mend the mast. closed\nAnother. closed\n');
    expect(made.asked).toEqual([TELL]);
    Object.assign(made.settings, { onCloseCommand: `${TELL} ` });
    const last = made.registry.start(true);
    last.session.append(prompt('The last.'));
    await made.registry.closeSession(last.file);
    expect(made.asked).toEqual([TELL, `${TELL} `]);
  });

  it('a denied command does not run, and Plimsoll asks again', async () => {
    const made = scene({ onClose: 'command', onCloseCommand: TELL }, [false, true]);
    await made.close();
    expect(made.types()).not.toContain('closeCommandRan');
    await made.close();
    expect(made.asked).toHaveLength(2);
    expect(made.told()).toBe('Mend the mast. closed\n');
  });

  it('a question without an answer ends with the window, and the command does not run', async () => {
    const made = scene({ onClose: 'command', onCloseCommand: TELL });
    const closing = made.close();
    await expect.poll(() => made.asked).toHaveLength(1);
    await made.onClose.stop();
    await closing;
    expect(made.types().at(-1)).toBe('sessionClosed');
    expect(made.types()).not.toContain('closeCommandRan');
  });

  it('a command whose question ended with the window is asked about at the next start', async () => {
    const made = scene({ onClose: 'command', onCloseCommand: TELL }, []);
    await made.onClose.catchUp(made.registry);
    made.pass(1);
    made.session.append(prompt('And the sail.'));
    const closing = made.close();
    await expect.poll(() => made.asked).toHaveLength(1);
    await made.onClose.stop();
    await closing;
    made.registry.close();
    made.answers.push(false, true);
    const next = made.restarted();
    made.pass(25);
    await next.catchUp(made.registry);
    expect(made.asked).toHaveLength(2);
    expect(made.told()).toBe('Mend the mast. expired\n');
  });

  it('a command that fails or is missing is reported', async () => {
    const failing = scene({ onClose: 'command', onCloseCommand: 'echo oh >&2; exit 4' }, [true]);
    await failing.close();
    expect(failing.warnings.join()).toContain('failed with exit code 4. Its last output: oh');
    const none = scene({ onClose: 'command' });
    await none.close();
    expect(none.warnings).toEqual([
      'The session “Mend the mast.” is over. No command was run: plimsoll.sessions.onCloseCommand is empty.',
    ]);
  });

  it('nothing happens for a session without a prompt', async () => {
    const { registry, onClose } = scene({ onClose: 'summary' });
    const { session, file } = registry.start(true);
    await registry.closeSession(file);
    await onClose.stop();
    expect(session.events.map(({ type }) => type)).toEqual(['sessionStarted', 'sessionClosed']);
  });
});

describe('when a session leaves memory', () => {
  it('it is closed if its time to live has ended', async () => {
    const made = scene({ onClose: 'command', onCloseCommand: TELL }, [true]);
    made.pass(25);
    await expect.poll(() => made.registry.heldFiles).toEqual([]);
    expect(made.told()).toBe('Mend the mast. expired\n');
    expect(made.session.events.at(-1)).toMatchObject({ reason: 'expired' });
  });

  it('it is not closed if it made way for another or the window closed', async () => {
    const made = scene({ onClose: 'summary' });
    made.registry.setLimits({ maxSessions: 1, ttlMs: 0 });
    made.registry.start(true);
    expect(made.session.events.at(-1)).toMatchObject({ reason: 'evicted' });
    made.registry.close();
    await made.onClose.stop();
    expect(made.types()).not.toContain('sessionSummarised');
  });
});
