import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plimsollApi, type ClosedSession } from '../../src/editor/plimsollApi';
import { ShownLog } from '../../src/editor/session/shownLog';
import type { SessionLimits } from '../../src/sessions/heldSessions';
import { HOURS, registryScene } from '../sessions/support/registryScene';
import { readWhole } from '../sessions/support/storedLog';
import { promptEvent } from '../support/drawing';
import { tempFolder } from '../tools/support/tempFolder';

function scene(limits: Partial<SessionLimits> = {}) {
  const around = registryScene(tempFolder(), limits);
  const desk = new ShownLog(around.registry, { get: () => undefined, set: () => undefined });
  const api = plimsollApi(around.registry, () => desk.session);
  return { ...around, desk, api };
}

describe('the event for other extensions when a session leaves memory', () => {
  it('fires once, with session, reason, title and state', () => {
    const { api, desk, pass } = scene({ ttlMs: HOURS(1) });
    const heard: ClosedSession[] = [];
    api.onSessionClosed((closed) => heard.push(closed));
    desk.start(true).append(promptEvent('Fix the\ntests'));
    api.setSessionState('acme.ticket', { id: 7, tags: ['a'] });
    pass(9);
    expect(heard).toEqual([
      {
        sessionId: 'id-1',
        reason: 'expired',
        title: 'Fix the tests',
        state: { 'acme.ticket': { id: 7, tags: ['a'] } },
      },
    ]);
  });

  it('fires for each reason, and again after a session was used again', () => {
    const { api, desk, registry, pass } = scene({ ttlMs: HOURS(1), maxSessions: 1 });
    const heard: string[] = [];
    api.onSessionClosed(({ sessionId, reason }) => heard.push(`${sessionId} ${reason}`));
    const first = desk.start(true);
    desk.start(true);
    pass(9);
    first.append(promptEvent('more'));
    registry.close();
    expect(heard).toEqual(['id-1 evicted', 'id-2 expired', 'id-1 ended']);
  });

  it('still allows setting the state of the session', () => {
    const { api, desk, registry, fileOf } = scene();
    api.onSessionClosed(() => void api.setSessionState('acme.closed', true));
    desk.start(true);
    registry.close();
    const types = readWhole(fileOf(1)).events.map(({ type }) => type);
    expect(types).toEqual(['sessionStarted', 'stateSet', 'sessionClosed']);
  });

  it('no longer fires for a disposed listener', () => {
    const { api, desk, registry } = scene();
    const heard: string[] = [];
    const [one, other] = ['one', 'other'].map((name) =>
      api.onSessionClosed(() => heard.push(name)),
    );
    one!.dispose();
    desk.start(true);
    registry.close();
    expect(heard).toEqual(['other']);
    other!.dispose();
  });

  it('reaches the other listeners if one throws, and the session still closes', () => {
    const { api, desk, registry, reported, fileOf } = scene();
    const heard: string[] = [];
    api.onSessionClosed(() => {
      throw new Error('oops');
    });
    api.onSessionClosed(({ reason }) => heard.push(reason));
    desk.start(true);
    registry.close();
    expect([heard, reported]).toEqual([['ended'], [new Error('oops')]]);
    expect(readWhole(fileOf(1)).events.at(-1)).toMatchObject({ type: 'sessionClosed' });
  });
});

describe('the state that other extensions keep in the session', () => {
  it('is logged, read, and removed by null', () => {
    const { api, desk, fileOf } = scene();
    desk.start(true);
    expect(api.sessionState('acme.ticket')).toBeUndefined();
    expect(api.setSessionState('acme.ticket', { id: 7 })).toEqual({ ok: true });
    expect(api.sessionState('acme.ticket')).toEqual({ id: 7 });
    expect(api.setSessionState('acme.ticket', null)).toEqual({ ok: true });
    expect(api.sessionState('acme.ticket')).toBeUndefined();
    expect(readWhole(fileOf(1)).events.slice(1)).toMatchObject([
      { type: 'stateSet', key: 'acme.ticket', value: { id: 7 } },
      { type: 'stateSet', key: 'acme.ticket', value: null },
    ]);
  });

  it('belongs to its session, and is still there when the session opens again', () => {
    const { api, desk, fileOf } = scene();
    desk.start(true);
    api.setSessionState('acme.ticket', 1);
    desk.start(true);
    expect(api.sessionState('acme.ticket')).toBeUndefined();
    void desk.open(fileOf(1), { seen: () => undefined, signal: new AbortController().signal });
    expect(api.sessionState('acme.ticket')).toBe(1);
  });

  it('changes in no other way', () => {
    const { api, desk } = scene();
    const session = desk.start(true);
    const mine = { ids: [1] };
    api.setSessionState('acme.ids', mine);
    mine.ids.push(2);
    (api.sessionState('acme.ids') as typeof mine).ids.push(3);
    expect(session.state).toEqual({ 'acme.ids': { ids: [1] } });
    expect(api.sessionState('constructor')).toBeUndefined();
  });

  it('is refused if no session is shown', () => {
    const { api, desk } = scene();
    const refusal = {
      ok: false,
      reason: 'No session is shown. Nothing was set. A session starts with the first prompt.',
    };
    expect(api.setSessionState('acme.ticket', 1)).toEqual(refusal);
    expect(api.sessionState('acme.ticket')).toBeUndefined();
    desk.start(true);
    desk.leave();
    expect(api.setSessionState('acme.ticket', 1)).toEqual(refusal);
  });

  const cycle: unknown[] = [];
  cycle.push(cycle);

  it.each([
    ['nothing', undefined],
    ['a function', () => 1],
    ['a date', new Date(0)],
    ['no number', Number.NaN],
    ['a large whole number', 1n],
    ['what contains itself', cycle],
    ['a field that is undefined', { a: undefined }],
  ])('is refused if JSON cannot hold it: %s', (_, value) => {
    const { api, desk } = scene();
    const session = desk.start(true);
    expect(api.setSessionState('acme.x', value as never)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('The value for "acme.x" cannot be stored as JSON'),
    });
    expect(session.events).toHaveLength(1);
  });

  it.each(['', 'title', 'plimsoll.damagedLines', 7])('is refused under the key %j', (key) => {
    const { api, desk } = scene();
    const session = desk.start(true);
    expect(api.setSessionState(key as string, 1)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('Nothing was set.'),
    });
    expect(session.events).toHaveLength(1);
  });

  it('is refused if the log cannot be written', () => {
    const { api, desk } = scene();
    desk.start(true);
    appendFileSync(desk.file!, 'by hand\n');
    expect(api.setSessionState('acme.x', 1)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/was changed by something else.* Nothing was set\.$/s),
    });
    expect(api.sessionState('acme.x')).toBeUndefined();
  });
});
