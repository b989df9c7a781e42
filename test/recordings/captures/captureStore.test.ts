import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaptureStore } from '../../../src/recordings/captures/captureStore';
import { tempFolder } from '../../tools/support/tempFolder';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-09-01T10:00:00.000Z');

async function storeOfTest() {
  const store = new CaptureStore(join(tempFolder(), 'requests'));
  const claude = await store.prepare('claude-code');
  const codex = await store.prepare('codex');
  const write = (path: string, bytes: number, hoursAgo: number) => {
    writeFileSync(path, 'x'.repeat(bytes));
    const at = (NOW - hoursAgo * HOUR) / 1_000;
    utimesSync(path, at, at);
  };
  const bundle = (name: string, bytes: number, hoursAgo: number) => {
    const path = join(codex, name);
    mkdirSync(join(path, 'payloads'), { recursive: true });
    write(join(path, 'payloads', '1.json'), bytes, hoursAgo);
    for (const folder of [join(path, 'payloads'), path]) {
      const at = (NOW - hoursAgo * HOUR) / 1_000;
      utimesSync(folder, at, at);
    }
  };
  const names = () => [...readdirSync(claude), ...readdirSync(codex)];
  return {
    store,
    claude,
    codex,
    write: (name: string, ...of: [number, number]) => write(join(claude, name), ...of),
    bundle,
    names,
  };
}

describe('the folder with recorded requests', () => {
  it('deletes the oldest files and sessions until the rest is below its limit', async () => {
    const { store, write, bundle, names } = await storeOfTest();
    write('a.request.json', 100, 9);
    bundle('trace-1', 100, 8);
    write('b.request.json', 100, 7);
    bundle('trace-2', 100, 6);
    expect(await store.size()).toBe(400);
    expect(await store.tidy(400, NOW)).toBe(0);
    expect(await store.tidy(250, NOW)).toBe(2);
    expect(names()).toEqual(['b.request.json', 'trace-2']);
    expect(await store.tidy(0, NOW)).toBe(2);
    expect(names()).toEqual([]);
  });

  it('keeps the index, and a session that an agent is writing', async () => {
    const { store, write, bundle, names } = await storeOfTest();
    write('index.jsonl', 100, 9);
    bundle('trace-1', 100, 0.1);
    write('a.request.json', 100, 0);
    await store.tidy(10, NOW);
    expect(names()).toEqual(['index.jsonl', 'trace-1']);
  });

  it.skipIf(process.platform === 'win32')('can be read by its user alone', async () => {
    const { store, claude, codex, write, bundle } = await storeOfTest();
    write('a.request.json', 100, 1);
    bundle('trace-1', 100, 1);
    const file = join(codex, 'trace-1', 'payloads', '1.json');
    chmodSync(join(claude, 'a.request.json'), 0o644);
    chmodSync(file, 0o644);
    await store.tidy(1_000, NOW);
    const modes = [store.root, claude, codex, join(codex, 'trace-1')].map(modeOf);
    expect(modes).toEqual(['700', '700', '700', '700']);
    expect([join(claude, 'a.request.json'), file].map(modeOf)).toEqual(['600', '600']);
  });

  it('is emptied at once, and stays for agents that write into it', async () => {
    const { store, write, bundle, names, claude } = await storeOfTest();
    write('index.jsonl', 100, 9);
    bundle('trace-1', 100, 0);
    await store.deleteAll();
    expect([names(), await store.size()]).toEqual([[], 0]);
    expect(statSync(claude).isDirectory()).toBe(true);
    expect(await new CaptureStore(join(claude, 'missing')).size()).toBe(0);
  });
});

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}
