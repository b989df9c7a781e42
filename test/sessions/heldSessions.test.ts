import { describe, expect, it } from 'vitest';
import type { LeaveReason } from '../../src/sessions/heldSessions';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { tempFolder } from '../tools/support/tempFolder';
import { HOURS, registryScene } from './support/registryScene';
import { prompt } from './support/sampleEvents';

function endOf(file: string) {
  const read = readSessionLog(file);
  if (!read.ok) throw new Error(read.message);
  return read.events.at(-1);
}

/** Records which sessions were unloaded, and why. */
function recordUnloads(scene: ReturnType<typeof registryScene>) {
  const left: string[] = [];
  scene.registry.onExpire((session, reason: LeaveReason) =>
    left.push(`${session.window.sessionId} ${reason}`),
  );
  return left;
}

describe('the sessions in memory', () => {
  it('are unloaded after their time to live, which is checked four times within it', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(24) });
    const left = recordUnloads(scene);
    expect(scene.periods()).toEqual([HOURS(6)]);
    const { file } = scene.registry.start(true);
    scene.pass(23);
    expect([left, scene.registry.heldFiles]).toEqual([[], [file]]);
    scene.pass(1);
    expect([left, scene.registry.heldFiles]).toEqual([['id-1 expired'], []]);
    expect(endOf(file)).toMatchObject({ type: 'sessionClosed', reason: 'expired' });
    scene.pass(100);
    expect(left).toHaveLength(1);
  });

  it('stay loaded with every use, but not with a look', async () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(24) });
    const left = recordUnloads(scene);
    const [used, seen, resumed] = [1, 2, 3].map(() => scene.registry.start(true));
    scene.pass(20);
    used!.session.append(prompt('more'));
    // State that another extension sets does not count.
    seen!.session.setState('other.extension', 7);
    scene.registry.resume(resumed!.file);
    await scene.registry.list();
    expect(seen!.session.window.turn).toBe(0);
    scene.pass(12);
    expect(left).toEqual(['id-2 expired']);
  });

  it('are never unloaded while they are busy', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1), maxSessions: 1 });
    const { file } = scene.registry.start(true);
    scene.busy.add(file);
    scene.registry.start(true);
    scene.pass(9);
    expect(scene.registry.heldFiles).toEqual([file]);
  });

  it('give way to newer ones above the limit, the one idle longest first', () => {
    const scene = registryScene(tempFolder(), { maxSessions: 2 });
    const left = recordUnloads(scene);
    const first = scene.registry.start(true);
    scene.registry.start(true);
    first.session.append(prompt('used'));
    scene.registry.start(true);
    expect(left).toEqual(['id-2 evicted']);
    expect(endOf(scene.fileOf(2))).toMatchObject({ reason: 'evicted' });
    scene.registry.setLimits({ maxSessions: 1, ttlMs: 0 });
    expect(left).toEqual(['id-2 evicted', 'id-1 evicted']);
    scene.registry.setLimits({ maxSessions: 0, ttlMs: 0 });
    for (let more = 0; more < 50; more++) scene.registry.start(true);
    expect(scene.registry.heldFiles).toHaveLength(51);
  });

  it('are announced before their log is closed, and a hook that throws stops nothing', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1) });
    scene.registry.onExpire(() => {
      throw new Error('bad hook');
    });
    scene.registry.onExpire((session, reason) => session.setState('left', reason));
    const left = recordUnloads(scene);
    const { session, file } = scene.registry.start(true);
    scene.pass(2);
    expect(scene.reported).toEqual([new Error('bad hook')]);
    expect(left).toEqual(['id-1 expired']);
    expect(session.events.slice(-2)).toMatchObject([
      { type: 'stateSet', key: 'left', value: 'expired' },
      { type: 'sessionClosed', reason: 'expired' },
    ]);
    const again = scene.registry.resume(file);
    expect(again.ok && again.session.state).toEqual({ left: 'expired' });
    scene.registry.close();
  });

  it('return if a holder continues one, and can be unloaded again', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1) });
    const left = recordUnloads(scene);
    const { session, file } = scene.registry.start(true);
    scene.pass(2);
    session.append(prompt('still here'));
    expect(scene.registry.heldFiles).toEqual([file]);
    scene.pass(2);
    expect(left).toEqual(['id-1 expired', 'id-1 expired']);
    expect(session.window.turn).toBe(1);
  });

  it('end with the window, the most recently used last; an unused one needs no second end', () => {
    const folder = tempFolder();
    const scene = registryScene(folder, { ttlMs: HOURS(24) });
    const left = recordUnloads(scene);
    const { file } = scene.registry.start(true);
    scene.registry.start(true);
    scene.registry.touch(file);
    scene.registry.close();
    expect(left).toEqual(['id-2 ended', 'id-1 ended']);
    expect(scene.periods()).toEqual([]);
    const next = registryScene(folder);
    next.registry.resume(file);
    next.registry.close();
    const read = readSessionLog(file);
    expect(read.ok && read.events.map(({ type }) => type)).toEqual([
      'sessionStarted',
      'sessionClosed',
    ]);
  });
});

describe('a session that is closed', () => {
  /** A registry whose hook takes its time. */
  function slowScene() {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1) });
    const works: { readonly used: AbortSignal; readonly finish: (error?: Error) => void }[] = [];
    scene.registry.onExpire((_session, _reason, { usedAgain, waitFor }) =>
      waitFor(
        new Promise((resolve, reject) => {
          works.push({
            used: usedAgain,
            finish: (error) => (error === undefined ? resolve() : reject(error)),
          });
        }),
      ),
    );
    const { session, file } = scene.registry.start(true);
    session.append(prompt('task'));
    return { ...scene, session, file, works };
  }

  it('is unloaded once the hooks are done; their notes do not keep it', async () => {
    const { registry, session, file, works } = slowScene();
    const closing = registry.closeSession(file);
    expect(registry.heldFiles).toEqual([file]);
    session.append({
      type: 'sessionSummarised',
      text: 'S',
      writtenBy: { by: 'model', model: 'm' },
    });
    expect(works[0]!.used.aborted).toBe(false);
    works[0]!.finish();
    expect(await closing).toBeUndefined();
    expect(registry.heldFiles).toEqual([]);
    expect(endOf(file)).toMatchObject({ type: 'sessionClosed', reason: 'closed' });
  });

  it.each(['a prompt', 'opening it'])('stays if %s uses it meanwhile', async (how) => {
    const { registry, session, file, works } = slowScene();
    const closing = registry.closeSession(file);
    if (how === 'a prompt') session.append(prompt('more'));
    else registry.resume(file);
    expect(works[0]!.used.aborted).toBe(true);
    works[0]!.finish();
    await closing;
    expect(registry.heldFiles).toEqual([file]);
    expect(endOf(file)?.type).toBe('promptSubmitted');
    // It may be closed again.
    const again = registry.closeSession(file);
    works[1]!.finish();
    await again;
    expect(registry.heldFiles).toEqual([]);
  });

  it('is closed or deleted only once at a time, and a failing hook is reported', async () => {
    const { registry, file, works, reported } = slowScene();
    const closing = registry.closeSession(file);
    const message = 'The session is being closed. Try again when that is done.';
    expect(await registry.closeSession(file)).toBe(message);
    expect(registry.delete(file)).toBe(message);
    works[0]!.finish(new Error('no room on the disk'));
    await closing;
    expect(reported).toEqual([new Error('no room on the disk')]);
    expect(endOf(file)).toMatchObject({ reason: 'closed' });
  });

  it('ends in the log if the window closes before the hooks are done', () => {
    const { registry, file } = slowScene();
    void registry.closeSession(file);
    registry.close();
    expect(endOf(file)).toMatchObject({ type: 'sessionClosed', reason: 'closed' });
    expect(registry.heldFiles).toEqual([]);
  });

  it('may have been unloaded before; a busy one is refused', async () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1) });
    const left = recordUnloads(scene);
    const { file, session } = scene.registry.start(true);
    session.append(prompt('task'));
    scene.pass(2);
    expect(await scene.registry.closeSession(file)).toBeUndefined();
    expect(left).toEqual(['id-1 expired', 'id-1 closed']);
    scene.busy.add(file);
    expect(await scene.registry.closeSession(file)).toBe(
      'The agent is still at work in this session.',
    );
  });
});
