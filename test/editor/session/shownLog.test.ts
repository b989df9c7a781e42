import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Session } from '../../../src/agent/session';
import { ShownLog } from '../../../src/editor/session/shownLog';
import { registryScene } from '../../sessions/support/registryScene';
import { promptEvent } from '../../support/drawing';
import { tempFolder } from '../../tools/support/tempFolder';

/** `kept` is the state that the previous window stored. */
function scene(folder: string, ids = 'id', kept: { name?: string } = {}) {
  const { registry } = registryScene(folder, {}, ids);
  const before = { get: () => kept.name, set: (name: string) => void (kept.name = name) };
  const log = new ShownLog(registry, before);
  const shown = {
    openLatest: (isLeft: (session: Session) => boolean) => now(log.openLatest(isLeft, LOADING)),
    open: (file: string) => now(log.open(file, LOADING)),
    reopen: () => now(log.reopen(LOADING)),
    start: (pinTaskAnchor: boolean) => log.start(pinTaskAnchor),
    leave: () => log.leave(),
    get file() {
      return log.file;
    },
    get session() {
      return log.session;
    },
  };
  return { scene: shown, registry };
}

const LOADING = { seen: () => undefined, signal: new AbortController().signal };

/** A short log is opened at once. */
function now<T>(opened: T | Promise<T>): T {
  if (opened instanceof Promise) throw new Error('It takes time to open.');
  return opened;
}

describe('the session that a window shows', () => {
  it('is none at first, and nothing is written for it', () => {
    const folder = tempFolder();
    expect(scene(folder).scene.openLatest(() => false)).toEqual({ session: undefined });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is the last used one when the window opens again', () => {
    const folder = tempFolder();
    const first = scene(folder);
    const session = first.scene.start(true);
    session.append(promptEvent('task'));
    first.registry.close();
    const second = scene(folder);
    expect(second.scene.openLatest(() => false).session?.window).toEqual(session.window);
    expect(second.scene.file).toBe(join(folder, '2026-11-21-id-1.jsonl'));
  });

  it('is the one shown before the reload, even if another worked later', () => {
    const folder = tempFolder();
    const kept: { name?: string } = {};
    const first = scene(folder, 'id', kept);
    const other = first.scene.start(true);
    other.append(promptEvent('works on'));
    const shown = first.scene.start(true);
    shown.append(promptEvent('is shown'));
    expect(kept.name).toBe('2026-11-21-id-2.jsonl');
    other.append(promptEvent('later'));
    first.registry.close();
    const second = scene(folder, 'id', kept);
    const opened = second.scene.openLatest(() => false);
    expect(opened.session?.window.sessionId).toBe('id-2');
    second.registry.close();
  });

  it('is none if a new one without a prompt was shown, and another one if it was deleted', () => {
    const folder = tempFolder();
    const kept: { name?: string } = {};
    const first = scene(folder, 'id', kept);
    first.scene.start(true).append(promptEvent('task'));
    first.scene.leave();
    first.registry.close();
    expect(kept.name).toBe('');
    const second = scene(folder, 'id', kept);
    expect(second.scene.openLatest(() => false)).toEqual({ session: undefined });
    const third = scene(folder, 'id', { name: 'gone.jsonl' });
    expect(third.scene.openLatest(() => false).session?.window.sessionId).toBe('id-1');
  });

  it('is none if the user left the last one for a new one', () => {
    const folder = tempFolder();
    const first = scene(folder);
    first.scene.start(true).append(promptEvent('task'));
    first.registry.close();
    const second = scene(folder);
    const asked: string[] = [];
    const latest = second.scene.openLatest(({ window }) => asked.push(window.sessionId) > 0);
    expect([latest, asked, second.scene.file]).toEqual([
      { session: undefined },
      ['id-1'],
      undefined,
    ]);
  });

  it('stays in memory after a switch, and is found there again', () => {
    const { scene: mine, registry } = scene(tempFolder());
    const session = mine.start(true);
    const file = mine.file!;
    mine.leave();
    expect([mine.file, registry.heldFiles]).toEqual([undefined, [file]]);
    const again = mine.open(file);
    expect(again.ok && again.session).toBe(session);
  });

  it('is another one if a second window has the latest, and the user is told', () => {
    const folder = tempFolder();
    const [first, second] = [scene(folder), scene(folder, 'other')];
    const ours = first.scene.start(true);
    ours.append(promptEvent('ours'));
    expect(second.scene.openLatest(() => false)).toEqual({
      session: undefined,
      warning:
        'This session is open in another window; only one window can write its log. ' +
        'A new session starts with your next prompt.',
    });
    second.scene.start(true).append(promptEvent('theirs'));
    ours.append(promptEvent('ours'));
    expect(ours.window.turn).toBe(2);
  });

  it('is read-only while another window has it open', () => {
    const folder = tempFolder();
    const [first, second] = [scene(folder), scene(folder, 'other')];
    first.scene.start(true).append(promptEvent('ours'));
    const file = first.scene.file!;
    const looked = second.scene.open(file);
    expect(looked).toMatchObject({
      ok: true,
      whyReadOnly:
        'This session is open in another window; only one window can write its log. Here it is read-only.',
    });
    expect(looked.ok && looked.session?.window.turn).toBe(1);
    expect([second.scene.file, second.scene.session]).toEqual([file, undefined]);
    const bytes = readFileSync(file);
    expect(() => looked.ok && looked.session?.append(promptEvent('theirs'))).toThrow(
      'is read-only here',
    );
    expect(readFileSync(file)).toEqual(bytes);
    first.scene.session!.append(promptEvent('more'));
    expect(second.scene.reopen()).toMatchObject({ whyReadOnly: expect.any(String) });
    first.registry.close();
    const opened = second.scene.reopen();
    expect([opened.whyReadOnly, opened.session?.window.turn]).toEqual([undefined, 2]);
    expect(second.scene.session).toBe(opened.session);
    second.registry.close();
  });

  it('can be opened again after something else wrote to its log', () => {
    const { scene: mine } = scene(tempFolder());
    const session = mine.start(true);
    session.append(promptEvent('task'));
    appendFileSync(mine.file!, 'by hand\n');
    expect(() => session.append(promptEvent('more'))).toThrow('was changed by something else');
    const again = mine.reopen();
    expect(again.warning).toContain('Line 3 of');
    again.session?.append(promptEvent('more'));
    expect(again.session?.window.turn).toBe(2);
  });

  it('is none if its log cannot be read, and the log stays unchanged', () => {
    const folder = tempFolder();
    const file = join(folder, '2026-11-20-x.jsonl');
    writeFileSync(file, '{"type":"sessionStarted","version":99}\n');
    const bytes = readFileSync(file);
    const { scene: mine } = scene(folder);
    expect(mine.openLatest(() => false)).toMatchObject({
      session: undefined,
      warning: expect.stringMatching(/has version 99.* A new session starts/),
    });
    mine.start(true).append(promptEvent('new'));
    expect(readFileSync(file)).toEqual(bytes);
  });
});
