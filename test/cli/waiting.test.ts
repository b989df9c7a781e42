import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { progressLine } from '../../src/cli/run';
import { startStrictServer, type StrictServer } from '../../src/offline/strictServer';
import { plimsoll } from './support/plimsoll';

describe('the line about a wait', () => {
  const NOW = new Date(2026, 10, 23, 14, 30).getTime();
  const lineOf = (ms: number) =>
    progressLine(
      {
        type: 'retrying',
        attempt: 2,
        tries: 10,
        message: 'The API is overloaded (529).',
        until: NOW + ms,
        tryNow: () => undefined,
      },
      NOW,
    );

  it('says what happened, when the next try is, and how to stop', () => {
    expect(lineOf(7_200)).toBe(
      '  The API is overloaded (529). Retrying in 8 s (try 2 of 10). Ctrl+C stops.',
    );
  });

  it('names the time of day for a long wait', () => {
    const time = new Date(NOW + 3_600_000).toLocaleTimeString([], {
      hour: '2-digit',
      minute: '2-digit',
    });
    expect(lineOf(3_600_000)).toContain(`Retrying at ${time}, in 60 min (try 2 of 10).`);
  });

  it('says that nothing arrives, and when the request will be aborted', () => {
    const silent = { type: 'silent', since: NOW - 20_000 } as const;
    expect(progressLine({ ...silent, until: NOW + 70_000 }, NOW)).toBe(
      '  Nothing has come from the server for 20 s. It is aborted after 90 s without a byte. Ctrl+C stops.',
    );
    expect(progressLine(silent, NOW)).toBe(
      '  Nothing has come from the server for 20 s. Ctrl+C stops.',
    );
  });
});

describe('plimsoll run with a failing server', () => {
  let server: StrictServer;
  let folder: string;

  beforeEach(async () => {
    server = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: 'All is well.' }] }),
    });
    folder = mkdtempSync(join(tmpdir(), 'plimsoll-waiting-'));
  });

  afterEach(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (stop?: AbortController) => {
    const args = [
      'run',
      '--task',
      'Look',
      '--cwd',
      folder,
      '--base-url',
      server.url,
      '--no-profile',
    ];
    return plimsoll(args, folder, stop);
  };

  it('reports each wait and continues automatically', async () => {
    const busy = { kind: 'status', status: 529, retryAfterMs: 5 } as const;
    server.addFault({ path: '/v1/messages', effect: busy, times: 4 });
    const ran = await run();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toBe('All is well.\n');
    for (const attempt of [2, 3, 4, 5]) expect(ran.stderr).toContain(`(try ${attempt} of 10)`);
  });

  it('stops during a wait', async () => {
    const limited = { kind: 'status', status: 429, retryAfterSeconds: 3_600 } as const;
    server.addFault({ path: '/v1/messages', effect: limited });
    const stop = new AbortController();
    const running = run(stop);
    const asked = () => server.requests.filter(({ path }) => path === '/v1/messages').length;
    await expect.poll(asked).toBe(1);
    await expect.poll(() => server.requests.at(-1)?.status).toBe(429);
    stop.abort();
    const ran = await running;
    expect(ran.code).toBe(130);
    expect(asked()).toBe(1);
  });

  it('writes a continued reply as one text', async () => {
    const words = 'The tide rises and falls, and so it goes on. '.repeat(40).trim();
    let asked = 0;
    const other = await startStrictServer({
      respond: () => ({ content: [{ type: 'text', text: asked++ === 0 ? words : ' The end.' }] }),
    });
    const ran = await plimsoll(
      [
        'run',
        '--task',
        'Tell',
        '--cwd',
        folder,
        '--base-url',
        other.url,
        '--no-profile',
        '--max-reply',
        '100',
      ],
      folder,
    );
    await other.close();
    expect(ran.code).toBe(0);
    expect(ran.stdout.endsWith(' The end.\n')).toBe(true);
    expect(words.startsWith(ran.stdout.slice(0, -' The end.\n'.length))).toBe(true);
    expect(asked).toBe(2);
  });

  it('says that a redirect was not followed', async () => {
    const location = 'http://127.0.0.1:9/v1/messages';
    for (const path of ['/v1/messages', '/v1/models'] as const) {
      server.addFault({ path, effect: { kind: 'redirect', status: 307, location } });
    }
    const ran = await run();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('note: The model list was not read: ');
    expect(ran.stderr).toContain(`points to ${location} (307).`);
    expect(ran.stderr).toContain('set its address in --base-url');
  });
});
