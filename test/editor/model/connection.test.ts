import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../../src/agent/model';
import {
  type Connection,
  type Endpoint,
  LiveConnection,
  NO_KEY,
  notAllowed,
  OfflineProvider,
} from '../../../src/editor/model/connection';
import { problemOf, type Conditions } from '../../../src/editor/model/modelAccess';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/settings/settings';

const REQUEST: ModelRequest = { model: 'm', maxTokens: 1, system: [], tools: [], messages: [] };
const OFFLINE: Settings = { ...DEFAULT_SETTINGS, provider: 'offline' };
const GATEWAY: Settings = { ...DEFAULT_SETTINGS, baseUrl: 'https://gate.example.com' };

function scene(first: Settings, key: string | undefined) {
  const around = {
    settings: first,
    key,
    starts: 0,
    opened: [] as Endpoint[],
    closed: [] as string[],
  };
  const offline = new OfflineProvider(async () => {
    around.starts += 1;
    return { url: `http://127.0.0.1:${around.starts}`, close: async () => undefined };
  });
  const connection = new LiveConnection(
    () => around.settings,
    async (origin) => ({ apiKey: around.key, mayGo: !around.closed.includes(origin) }),
    offline,
    async (endpoint) => {
      around.opened.push(endpoint);
      const counter = { count: async () => ({ ok: true, tokens: around.opened.length }) as const };
      return { counter } as unknown as Connection;
    },
  );
  const count = () => connection.count(REQUEST, new AbortController().signal);
  return { around, connection, count, offline };
}

describe('the connection', () => {
  it('opens once for an address and a key', async () => {
    const { around, count } = scene(DEFAULT_SETTINGS, 'sk-1');
    await count();
    expect(await count()).toEqual({ ok: true, tokens: 1 });
    expect(around.opened).toEqual([{ baseUrl: '', apiKey: 'sk-1', idleMs: 90_000 }]);
  });

  it('opens again for the next request when key, address or provider change', async () => {
    const { around, count } = scene(DEFAULT_SETTINGS, 'sk-1');
    await count();
    around.key = 'sk-2';
    await count();
    around.settings = GATEWAY;
    await count();
    around.settings = OFFLINE;
    await count();
    around.settings = { ...OFFLINE, idleLimit: 5_000 };
    await count();
    expect(around.opened.slice(1)).toEqual([
      { baseUrl: '', apiKey: 'sk-2', idleMs: 90_000 },
      { baseUrl: GATEWAY.baseUrl, apiKey: 'sk-2', idleMs: 90_000 },
      { baseUrl: 'http://127.0.0.1:1', apiKey: 'offline-demo', idleMs: 90_000, isOffline: true },
      { baseUrl: 'http://127.0.0.1:1', apiKey: 'offline-demo', idleMs: 5_000, isOffline: true },
    ]);
  });

  it('starts the offline server on demand, once, and never sends it the key', async () => {
    const { around, count, offline } = scene(DEFAULT_SETTINGS, 'sk-1');
    await count();
    expect(around.starts).toBe(0);
    around.settings = OFFLINE;
    await Promise.all([count(), count()]);
    expect(around.starts).toBe(1);
    expect(around.opened.at(-1)?.apiKey).toBe('offline-demo');
    await offline.close();
  });

  it('fails if there is no key', async () => {
    const { connection, count } = scene(DEFAULT_SETTINGS, undefined);
    expect(await count()).toEqual({ ok: false, message: NO_KEY });
    const asked = await connection.ask(REQUEST, new AbortController().signal).next();
    expect(asked).toEqual({
      done: true,
      value: { ok: false, failure: { type: 'authentication', message: NO_KEY } },
    });
  });

  it('sends the key only to allowed servers, and says so', async () => {
    const { around, connection, count } = scene(
      { ...GATEWAY, baseUrl: 'https://gate.example.com/v1' },
      'sk-1',
    );
    around.closed.push('https://gate.example.com');
    const message = notAllowed('https://gate.example.com');
    expect(await count()).toEqual({ ok: false, message });
    expect(await connection.ask(REQUEST, new AbortController().signal).next()).toEqual({
      done: true,
      value: { ok: false, failure: { type: 'authentication', message } },
    });
    expect(around.opened).toEqual([]);
    around.closed.length = 0;
    await count();
    expect(around.opened).toHaveLength(1);
  });

  it("needs no key for the user's own server", async () => {
    const { around, count } = scene(GATEWAY, undefined);
    await count();
    expect(around.opened).toEqual([
      { baseUrl: GATEWAY.baseUrl, apiKey: undefined, idleMs: 90_000 },
    ]);
  });
});

describe('the problem that prevents a turn', () => {
  const ready: Conditions = {
    hasFolder: true,
    settingsProblem: undefined,
    settings: DEFAULT_SETTINGS,
    hasApiKey: true,
  };

  it('is absent if folder, settings and key are present', () => {
    expect(problemOf(ready)).toBeUndefined();
    expect(problemOf({ ...ready, settings: OFFLINE, hasApiKey: false })).toBeUndefined();
    expect(problemOf({ ...ready, settings: GATEWAY, hasApiKey: false })).toBeUndefined();
  });

  const WRONG = { setting: 'plimsoll.model', message: 'Wrong.' };

  it('has the button that helps; the first problem comes first', () => {
    const wishOf = (change: Partial<Conditions>) =>
      problemOf({ ...ready, ...change })?.action?.wish.type;
    expect(wishOf({ hasApiKey: false })).toBe('setApiKey');
    expect(wishOf({ hasApiKey: false, settingsProblem: WRONG })).toBe('openSettings');
    expect(wishOf({ hasFolder: false, settingsProblem: WRONG })).toBe('openFolder');
  });
});
