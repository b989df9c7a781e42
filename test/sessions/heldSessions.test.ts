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

/** Notes who left, and why. */
function leavers(scene: ReturnType<typeof registryScene>) {
  const left: string[] = [];
  scene.registry.onExpire((session, reason: LeaveReason) =>
    left.push(`${session.window.sessionId} ${reason}`),
  );
  return left;
}

describe('the sessions in memory', () => {
  it('leave when nobody used them for their time to live, and are looked for four times in it', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(24) });
    const left = leavers(scene);
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

  it('stay for every use, not for a glance', async () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(24) });
    const left = leavers(scene);
    const [used, seen, resumed] = [1, 2, 3].map(() => scene.registry.start(true));
    scene.pass(20);
    used!.session.append(prompt('more'));
    scene.registry.resume(resumed!.file);
    await scene.registry.list();
    expect(seen!.session.window.turn).toBe(0);
    scene.pass(12);
    expect(left).toEqual(['id-2 expired']);
  });

  it('never leave while they are at work', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1), maxSessions: 1 });
    const { file } = scene.registry.start(true);
    scene.busy.add(file);
    scene.registry.start(true);
    scene.pass(9);
    expect(scene.registry.heldFiles).toEqual([file]);
  });

  it('leave for newer ones where there are too many, the one used longest ago first', () => {
    const scene = registryScene(tempFolder(), { maxSessions: 2 });
    const left = leavers(scene);
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

  it('are told of before their log is closed; a hook that throws stops nobody', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1) });
    scene.registry.onExpire(() => {
      throw new Error('bad hook');
    });
    scene.registry.onExpire((session, reason) => session.setState('left', reason));
    const left = leavers(scene);
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

  it('come back when somebody who still holds them goes on, and may leave once more', () => {
    const scene = registryScene(tempFolder(), { ttlMs: HOURS(1) });
    const left = leavers(scene);
    const { session, file } = scene.registry.start(true);
    scene.pass(2);
    session.append(prompt('still here'));
    expect(scene.registry.heldFiles).toEqual([file]);
    scene.pass(2);
    expect(left).toEqual(['id-1 expired', 'id-1 expired']);
    expect(session.window.turn).toBe(1);
  });

  it('end with the window, the one used last at the end; who was not used needs no second end', () => {
    const folder = tempFolder();
    const scene = registryScene(folder, { ttlMs: HOURS(24) });
    const left = leavers(scene);
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
