import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toRequest } from '../../src/contextWindow/request/request';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { tempFolder } from '../tools/support/tempFolder';
import { registryScene } from './support/registryScene';
import { callsTools, finished, prompt } from './support/sampleEvents';

const typesIn = (file: string) => {
  const read = readSessionLog(file);
  return read.ok ? read.events.map(({ type }) => type) : [];
};

describe('the registry of sessions', () => {
  it('has nothing to continue at first, and writes nothing', () => {
    const folder = tempFolder();
    expect(registryScene(folder).registry.openLatest()).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('names a log after the day and the id, and continues the most recently used session', () => {
    const folder = tempFolder();
    const first = registryScene(folder);
    first.registry.start(true).session.append(prompt('old'));
    first.pass(1);
    const { session, file } = first.registry.start(true);
    session.append(prompt('new'));
    expect(basename(file)).toBe('2026-11-21-id-2.jsonl');
    first.pass(1);
    // Housekeeping does not count as use, so the old session stays the old one.
    first.registry.rename(first.fileOf(1), 'Old');
    first.registry.close();
    const again = registryScene(folder).registry.openLatest();
    expect(again).toMatchObject({ ok: true, file });
    expect(again?.ok && again.session.window).toEqual(session.window);
  });

  it('lists the sessions, the most recently used first', async () => {
    const folder = tempFolder();
    const { registry, pass, fileOf } = registryScene(folder);
    const { session } = registry.start(true);
    for (const event of [prompt('Fix  the\ntests'), callsTools('a'), finished('a')]) {
      session.append(event);
    }
    pass(1);
    registry.start(true).session.append(prompt('x'.repeat(100)));
    registry.rename(fileOf(1), ' Tests ');
    writeFileSync(join(folder, '2026-11-20-torn.jsonl'), '{"type":"sess');
    writeFileSync(join(folder, '2026-11-20-alien.jsonl'), 'oops\n');
    const list = await registry.list();
    expect(list.map(({ title, turns, steps }) => [title, turns, steps])).toEqual([
      [`${'x'.repeat(59)}…`, 1, 0],
      ['Tests', 1, 1],
      ['New session', 0, 0],
    ]);
    expect(list.map(({ condition }) => condition)).toEqual(['sound', 'sound', 'unreadable']);
    expect(list[1]).toMatchObject({
      file: fileOf(1),
      sessionId: 'id-1',
      createdAt: Date.UTC(2026, 10, 21, 12),
      isHeld: true,
      bytes: readFileSync(fileOf(1)).length,
    });
    expect(await registryScene(folder).registry.list()).toEqual(
      list.map((listing) => ({
        ...listing,
        isHeld: false,
        ...(listing.isHeld ? { openIn: 'in another window' } : {}),
      })),
    );
    registry.close();
  });

  it('counts the pauses of the sessions that ended before one began', async () => {
    const { registry, pass } = registryScene(tempFolder());
    const began = (pausedHours: readonly number[]) => {
      const { session } = registry.start(true);
      session.append(prompt('Go on.'));
      for (const hours of [0, ...pausedHours]) {
        pass(hours);
        session.append(callsTools('a'));
        session.append(finished('a'));
      }
      return session;
    };
    const first = began([0.05, 0.5, 1, 1.1]);
    expect(await registry.pausesBefore(first)).toMatchObject({ sessions: 0, requests: 0 });
    pass(1);
    const second = began([0.2]);
    first.append(callsTools('b'));
    pass(1);
    const third = began([]);
    expect(await registry.pausesBefore(second)).toMatchObject({ sessions: 0 });
    expect(await registry.pausesBefore(third)).toEqual({
      sessions: 2,
      requests: 8,
      pauses: 3,
      longPauses: 2,
    });
    expect(await registry.pausesBefore(undefined)).toMatchObject({ sessions: 3, requests: 9 });
    registry.close();
  });

  it('counts the requests that a fork copied only once', async () => {
    const { registry, pass, fileOf } = registryScene(tempFolder());
    const { session } = registry.start(true);
    session.append(prompt('Go on.'));
    for (const id of ['a', 'b', 'c']) {
      session.append(callsTools(id));
      session.append(finished(id));
      pass(0.2);
    }
    pass(1);
    const fork = registry.fork(fileOf(1), 3);
    if (!fork.ok) expect.fail(fork.message);
    expect(await registry.pausesBefore(fork.session)).toMatchObject({ sessions: 0, requests: 0 });
    fork.session.append(callsTools('d'));
    pass(1);
    expect(await registry.pausesBefore(undefined)).toEqual({
      sessions: 2,
      requests: 4,
      pauses: 2,
      longPauses: 0,
    });
    registry.close();
  });

  it('trusts its index only while the log is unchanged', async () => {
    const folder = tempFolder();
    const { registry, fileOf } = registryScene(folder);
    registry.start(true).session.append(prompt('task'));
    registry.close();
    await registry.list();
    expect(readdirSync(folder)).toContain('index.json');
    appendFileSync(fileOf(1), 'damage\n');
    expect((await registryScene(folder).registry.list())[0]?.condition).toBe('damaged');
    writeFileSync(join(folder, 'index.json'), '{"version":1,"logs":{"x":7}}');
    expect(await registryScene(folder).registry.list()).toHaveLength(1);
    rmSync(fileOf(1));
    expect(await registryScene(folder).registry.list()).toEqual([]);
  });

  it('forks at any step with the same request as then, and leaves the original untouched', () => {
    const { registry, fileOf } = registryScene(tempFolder());
    const { session, file } = registry.start(true);
    const requests: string[] = [];
    session.append(prompt('task'));
    for (const id of ['a', 'b', 'c']) {
      session.append(callsTools(id));
      session.append({ type: 'scratchpadUpdated', scratchpad: session.window.scratchpad });
      session.append(finished(id));
      requests.push(JSON.stringify(toRequest(session.window)));
    }
    session.append(prompt('more'));
    const bytes = readFileSync(file);
    for (const [index, request] of requests.entries()) {
      const fork = registry.fork(file, index + 1);
      if (!fork.ok) throw new Error(fork.message);
      expect(JSON.stringify(toRequest(fork.session.window))).toBe(request);
      expect(fork.session.events[0]).toMatchObject({
        forkedFrom: { sessionId: 'id-1', step: index + 1 },
      });
      expect(fork.session.state).toEqual({ title: `task (from step ${index + 1})` });
      fork.session.append(prompt('elsewhere'));
    }
    expect(readFileSync(file)).toEqual(bytes);
    expect(registry.fork(file, 4)).toMatchObject({ message: 'The session has no step 4.' });
    registry.close();
    expect(typesIn(fileOf(2)).slice(-3)).toEqual(['stateSet', 'promptSubmitted', 'sessionClosed']);
    // For a session that is not in memory, or is open elsewhere, the log is enough.
    const other = registryScene(tempFolder()).registry.fork(file, 2);
    expect(other.ok && other.session.window.step).toBe(2);
  });

  it('names a fork after the current name of the original, however long', () => {
    const { registry } = registryScene(tempFolder());
    const { session, file } = registry.start(true);
    for (const event of [prompt('x'.repeat(99)), callsTools('a'), finished('a')]) {
      session.append(event);
    }
    const titleOf = (fork: ReturnType<typeof registry.fork>) => fork.ok && fork.session.state;
    expect(titleOf(registry.fork(file, 1))).toEqual({
      title: `${'x'.repeat(45)}… (from step 1)`,
    });
    registry.rename(file, 'Short');
    expect(titleOf(registry.fork(file, 1))).toEqual({ title: 'Short (from step 1)' });
    registry.close();
  });

  it('forks in the middle of a step with an error result for each missing one', () => {
    const { registry } = registryScene(tempFolder());
    const { session, file } = registry.start(true);
    for (const event of [prompt('task'), callsTools('a', 'b'), finished('a')]) {
      session.append(event);
    }
    const fork = registry.fork(file, 1);
    expect(fork.ok && fork.session.events.slice(-2)).toMatchObject([
      { toolUseId: 'b', origin: 'interrupted', text: expect.stringContaining('was forked before') },
      { type: 'stateSet' },
    ]);
    registry.close();
  });

  it('deletes a session for good, but not a busy one or one open elsewhere', () => {
    const folder = tempFolder();
    const [ours, theirs] = [registryScene(folder), registryScene(folder)];
    const { file } = ours.registry.start(true);
    expect(theirs.registry.delete(file)).toContain('open in another window');
    ours.busy.add(file);
    expect(ours.registry.delete(file)).toContain('still at work');
    ours.busy.clear();
    expect(ours.registry.delete(file)).toBeUndefined();
    expect([existsSync(file), readdirSync(folder)]).toEqual([false, []]);
    expect(ours.registry.heldFiles).toEqual([]);
  });

  it('renames a session that is not loaded, and clears a name', () => {
    const { registry } = registryScene(tempFolder());
    const { session, file } = registry.start(true);
    session.append(prompt('task'));
    registry.rename(file, 'Name');
    registry.close();
    expect(registry.rename(file, '')).toBeUndefined();
    const again = registry.resume(file);
    expect(again.ok && again.session.state).toEqual({});
    registry.close();
  });
});

describe('two windows on one workspace', () => {
  it('each have their session, and never see the other', async () => {
    const folder = tempFolder();
    const [left, right] = [registryScene(folder), registryScene(folder, {}, 'other')];
    const ours = left.registry.start(true);
    const refused = right.registry.openLatest();
    expect(refused).toMatchObject({ ok: false, cause: 'locked' });
    const theirs = right.registry.start(true);
    for (let turn = 0; turn < 20; turn++) {
      ours.session.append(prompt(`ours ${turn}`));
      theirs.session.append(prompt(`theirs ${turn}`));
    }
    for (const [{ session, file }, name] of [
      [ours, 'ours'],
      [theirs, 'theirs'],
    ] as const) {
      const read = readSessionLog(file);
      expect(read.ok && read.warning).toBeUndefined();
      expect(read.ok && read.events).toEqual(session.events);
      expect(session.window.blocks.map((block) => 'text' in block && block.text)).toEqual(
        Array.from({ length: 20 }, (_, turn) => `${name} ${turn}`),
      );
    }
    expect((await right.registry.list()).map(({ isHeld, openIn }) => [isHeld, openIn])).toEqual(
      expect.arrayContaining([
        [true, undefined],
        [false, 'in another window'],
      ]),
    );
    right.registry.close();
    // A third window continues the free session.
    const third = registryScene(folder, {}, 'third');
    expect(third.registry.openLatest()).toMatchObject({ ok: true, file: theirs.file });
    third.registry.close();
    left.registry.close();
  });

  it('continues a session that the other window released, with its events', () => {
    const folder = tempFolder();
    const [left, right] = [registryScene(folder), registryScene(folder)];
    const { session, file } = left.registry.start(true);
    session.append(prompt('first'));
    left.registry.close();
    const theirs = right.registry.resume(file);
    if (!theirs.ok) throw new Error(theirs.message);
    theirs.session.append(prompt('second'));
    expect(() => session.append(prompt('third'))).toThrow('open in another window');
    right.registry.close();
    expect(() => session.append(prompt('third'))).toThrow('was changed by something else');
    const again = left.registry.reopen(file);
    if (!again.ok) throw new Error(again.message);
    again.session.append(prompt('third'));
    expect(again.session.window.turn).toBe(3);
    left.registry.close();
  });

  it('finds a loaded session by its log, and its log by the session', () => {
    const { registry } = registryScene(tempFolder());
    const { session, file } = registry.start(true);
    session.append(prompt('task'));
    expect([registry.heldFile(session), registry.inMemory(file)]).toEqual([file, session]);
    registry.close();
    expect([registry.heldFile(session), registry.inMemory(file)]).toEqual([undefined, undefined]);
  });
});
