import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { build, type BuildOptions } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { loadLog } from '../../src/sessions/loadLog';
import { lockFile } from '../../src/sessions/logLock';
import { type LogEnd, readLogEnd } from '../../src/sessions/logSummary';
import { readSessionLog } from '../../src/sessions/readSessionLog';
import { registryScene } from './support/registryScene';
import { asLog, callsTools, dated, finished, prompt, started } from './support/sampleEvents';

const BUNDLE: BuildOptions = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  mainFields: ['module', 'main'],
  logLevel: 'silent',
};

let folder: string;
let worker: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-load-'));
  worker = join(folder, 'logWorker.js');
  await build({
    ...BUNDLE,
    entryPoints: [resolve(__dirname, '../../src/sessions/logWorker.ts')],
    outfile: worker,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A session of this many turns, each with a result of as many characters. */
function log(turns: number, chars: number): string {
  const events = Array.from({ length: turns }, (_, turn): readonly NewEvent[] => [
    prompt(`Turn ${turn}`),
    callsTools(`call_${turn}`),
    { ...finished(`call_${turn}`), text: 'x'.repeat(chars) } as NewEvent,
  ]);
  return asLog(dated(started, ...events.flat()));
}

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(folder, 'log-')), '2026-11-21-s-1.jsonl');
  writeFileSync(file, text);
  return file;
}

/** Loads a log, and says what happened in which turn of the event loop. */
async function loaded(file: string, signal = new AbortController().signal) {
  let turns = 0;
  let isLoading = true;
  const counting = (async () => {
    while (isLoading) {
      await nextTurn();
      turns += 1;
    }
  })();
  let end: { readonly end: LogEnd; readonly turn: number } | undefined;
  const seen = (shown: LogEnd): void => void (end = { end: shown, turn: turns });
  try {
    const read = await loadLog(worker, file, { seen, signal });
    return { read, end, turns };
  } finally {
    isLoading = false;
    await counting;
  }
}

const SAMPLE = log(60, 30_000);
const LINES = SAMPLE.split('\n');

describe('a log that is read in a thread of its own', () => {
  it.each([
    ['a sound one', SAMPLE],
    ['one with a torn last line', SAMPLE.slice(0, -30)],
    ['one without its last line break', SAMPLE.trimEnd()],
    ['one with a lost line', [...LINES.slice(0, 9), ...LINES.slice(10)].join('\n')],
    ['one with a damaged line', LINES.with(20, '{"at":').join('\n')],
    ['one without its first line', LINES.slice(1).join('\n')],
    ['one with a repeated line', [...LINES.slice(0, 9), LINES[8], ...LINES.slice(9)].join('\n')],
    ['an empty one', ''],
    ['one of another version', '{"type":"sessionStarted","version":99}\n'],
    ['something else', 'no log\n'],
  ])('is the same as in this thread: %s', async (_, text) => {
    const file = fileOf(text);
    const here = readSessionLog(file);
    const { read } = await loaded(file);
    expect(read).toEqual(here.ok ? { ...here, window: fold(here.events) } : here);
  });

  it('shows its end first, and takes the rest in many turns of the event loop', async () => {
    const file = fileOf(SAMPLE);
    const { read, end, turns } = await loaded(file);
    expect(end?.end).toEqual(readLogEnd(file));
    // No turn takes more than a part: 200,000 characters here.
    const parts = SAMPLE.length / 200_000;
    expect(turns - (end?.turn ?? Infinity)).toBeGreaterThan(parts);
    expect(read.ok).toBe(true);
  });

  it('is never in memory as a whole', async () => {
    // Repeated lines are left out, so the session itself is small.
    const [start = '', , , long = ''] = log(1, 1_000_000).split('\n');
    const file = fileOf(`${start}\n${`${long}\n`.repeat(200)}`);
    const entry = join(folder, 'load.js');
    const load = {
      contents: `
        import { loadLog } from './loadLog';
        const before = process.resourceUsage().maxRSS;
        const loading = { seen: () => undefined, signal: new AbortController().signal };
        void loadLog(process.argv[2], process.argv[3], loading).then(({ ok, events }) => {
          const kB = process.resourceUsage().maxRSS - before;
          process.stdout.write(JSON.stringify({ ok, events: events.length, kB }));
        });`,
      resolveDir: resolve(__dirname, '../../src/sessions'),
    };
    await build({ ...BUNDLE, stdin: load, outfile: entry });
    const { kB, ...read } = JSON.parse(
      execFileSync(process.execPath, [entry, worker, file], { encoding: 'utf8' }),
    ) as Record<string, number>;
    expect(read).toEqual({ ok: true, events: 2 });
    expect(kB).toBeLessThan(160_000);
  });

  it('can be stopped, also before it begins, and reports a thread that fails', async () => {
    const stop = new AbortController();
    const loading = loaded(fileOf(SAMPLE), stop.signal);
    stop.abort();
    await expect(loading).rejects.toThrow('was stopped');
    await expect(loaded(fileOf(SAMPLE), stop.signal)).rejects.toThrow();
    const broken = fileOf('throw new Error("no memory")');
    const signal = new AbortController().signal;
    await expect(loadLog(broken, broken, { seen: () => undefined, signal })).rejects.toThrow(
      'no memory',
    );
    await expect(loaded(join(folder, 'gone.jsonl'))).rejects.toThrow('ENOENT');
  });
});

describe('the registry with a long log', () => {
  function scene() {
    const file = fileOf(SAMPLE);
    const loader = {
      isLong: () => true,
      load: (...task: [string, Parameters<typeof loadLog>[2]]) => loadLog(worker, ...task),
    };
    const { registry } = registryScene(join(file, '..'), {}, 'id', loader);
    const stop = new AbortController();
    const loading = { seen: () => undefined, signal: stop.signal };
    return { file, registry, stop, loading };
  }

  it('loads it, locked meanwhile, with the same session as if it were short', async () => {
    const { file, registry, loading } = scene();
    const bytes = readFileSync(file);
    const opening = registry.load(file, loading);
    expect(opening).toBeInstanceOf(Promise);
    expect(existsSync(lockFile(file))).toBe(true);
    expect(registry.resume(file)).toMatchObject({
      ok: false,
      message: expect.stringContaining('is being loaded'),
    });
    const opened = await opening;
    if (!opened.ok) throw new Error(opened.message);
    expect(registry.heldFiles).toEqual([file]);
    expect(registry.load(file, loading)).not.toBeInstanceOf(Promise);
    const here = readSessionLog(file);
    expect(here.ok && here.events).toEqual(opened.session.events);
    opened.session.append(prompt('more'));
    expect(readFileSync(file).subarray(0, bytes.length).equals(bytes)).toBe(true);
    registry.close();
    expect(existsSync(lockFile(file))).toBe(false);
  });

  it('releases the lock when the loading is stopped', async () => {
    const { file, registry, stop, loading } = scene();
    const opening = registry.load(file, loading);
    stop.abort();
    expect(await opening).toMatchObject({ ok: false, cause: 'unreadable' });
    expect(existsSync(lockFile(file))).toBe(false);
    expect(registry.resume(file).ok).toBe(true);
    registry.close();
  });
});
