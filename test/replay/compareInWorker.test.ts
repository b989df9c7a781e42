import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareInWorker } from '../../src/replay/compareInWorker';
import { comparePolicies, type ComparisonTask } from '../../src/replay/comparePolicies';
import { transcriptOf } from '../recordings/support/drawnTranscript';
import { LocalEstimator } from '../support/localEstimator';
import { filler, prompt, read, recorded } from './support/recording';
import { settingsOf } from './support/replayed';

const MODEL = 'claude-sonnet-4-5';

const TASK: ComparisonTask = {
  transcript: transcriptOf(
    recorded(
      prompt('Look at every file.'),
      ...Array.from({ length: 12 }, (_, n) => read(`f${n}.ts`, filler(`const a${n} = 1;`, 300))),
      read('f1.ts', filler('const a1 = 1;', 300)),
    ),
  ),
  model: MODEL,
  settings: [settingsOf('ladder', 2_000), settingsOf('tokenBudget', 2_000)],
  needs: [{ step: 13, blockId: 'step-2' as ComparisonTask['needs'][0]['blockId'] }],
};

let folder: string;
let worker: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-compare-'));
  worker = join(folder, 'compareWorker.js');
  const options = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' } as const;
  const source = resolve(__dirname, '../../src');
  const compareWorker = join(source, 'replay/compareWorker.ts');
  const countWorker = join(source, 'model/countWorker.ts');
  await build({ ...options, entryPoints: { compareWorker, countWorker }, outdir: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a comparison in a separate thread', () => {
  it('has the same result as in this thread, and reports its progress', async () => {
    const estimator = new LocalEstimator(MODEL);
    const ports = {
      estimate: estimator.estimate,
      warm: (texts: readonly string[]) => estimator.warm(texts),
      now: () => 0,
    };
    const told: number[] = [];
    const take = ({ done }: { readonly done: number }) => void told.push(done);
    const there = await compareInWorker(worker, TASK, take, new AbortController().signal);
    expect(there).toEqual(
      await comparePolicies(
        TASK,
        () => ports,
        () => undefined,
      ),
    );
    expect(told).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
  });

  it('gives a policy the same numbers alone and among others', async () => {
    // A truncated result is estimated before its text was counted; any other policy would count it.
    const [ladder, tokenBudget] = [settingsOf('ladder', 2_000), settingsOf('tokenBudget', 2_000)];
    const numbersAmong = async (...settings: readonly (typeof ladder)[]) => {
      const cut = settings.map((one) => ({ ...one, toolResultCapTokens: 150 }));
      const task = { ...TASK, settings: cut };
      const { signal } = new AbortController();
      const done = await compareInWorker(worker, task, () => undefined, signal);
      return done === 'stopped' ? [] : done.filter(({ policy }) => policy === 'ladder');
    };
    const [alone] = await numbersAmong(ladder);
    expect(await numbersAmong(ladder, tokenBudget, ladder)).toEqual([alone, alone]);
  });

  it('continues with guesses without its tokenizer, and says so', async () => {
    const alone = join(folder, 'alone', 'compareWorker.js');
    mkdirSync(dirname(alone));
    copyFileSync(worker, alone);
    const done = await compareInWorker(alone, TASK, () => undefined, new AbortController().signal);
    const notes = done === 'stopped' ? [] : done.map(({ notes: [first] }) => first);
    expect(notes).toHaveLength(2);
    expect(new Set(notes).size).toBe(1);
    expect(notes[0]).toMatch(/^The token counter stopped, so estimates get rougher\./);
  });

  it('ends immediately when it is stopped, before the start or during the run', async () => {
    const stop = new AbortController();
    const stopped = compareInWorker(worker, TASK, () => stop.abort(), stop.signal);
    expect(await stopped).toBe('stopped');
    expect(await compareInWorker(worker, TASK, () => undefined, stop.signal)).toBe('stopped');
  });

  it.each([
    ['is missing', undefined],
    ['cannot start', 'throw new Error("no start");'],
    ['dies', 'process.exit(3);'],
    ['says that it failed', 'require("worker_threads").parentPort.postMessage({ problem: "no" });'],
  ])('rejects when the thread %s', async (name, code) => {
    const path = join(folder, `${name.replaceAll(' ', '-')}.js`);
    if (code !== undefined) writeFileSync(path, code);
    const compared = compareInWorker(path, TASK, () => undefined, new AbortController().signal);
    await expect(compared).rejects.toThrow(/^The comparison stopped and can be tried again\. /);
  });
});
