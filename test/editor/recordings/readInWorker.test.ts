import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { readInWorker } from '../../../src/editor/recordings/readInWorker';
import { Recordings } from '../../../src/editor/recordings/recordings';
import { STAND_IN_ESTIMATOR } from '../../support/standInEstimator';
import { validWith } from '../contextPanel/support/inspecting';
import { GOING, recorded } from './support/recordingScene';

let folder: string;
let worker: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-read-'));
  worker = join(folder, 'recordingWorker.js');
  const source = resolve(__dirname, '../../../src/editor/recordings/recordingWorker.ts');
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    entryPoints: [source],
    outfile: worker,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string, name = 'session.jsonl'): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

describe('a recording read in a thread of its own', () => {
  it('is the same as in this thread, from its file and from the text of a growing one', async () => {
    const file = fileOf(recorded(6));
    for (const task of [{ file }, { file, grown: `${recorded(3)}{"type":` }]) {
      const here = await readHere(task, GOING);
      expect(here).toMatchObject({ ok: true });
      expect(await readInWorker(worker, task, GOING)).toEqual(here);
    }
  });

  it('has the same error if it cannot be read, and an error of its own if the thread fails', async () => {
    const task = { file: fileOf('{"a":1}', 'other.json') };
    expect(await readInWorker(worker, task, GOING)).toEqual(await readHere(task, GOING));
    const broken = fileOf('throw new Error("no memory")', 'broken.js');
    expect(await readInWorker(broken, task, GOING)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/could not be read.*no memory.*Try again\.$/),
      cause: 'other',
    });
  });

  it('ends when it is cancelled, also before it began', async () => {
    const task = { file: fileOf(recorded(2_000, 2_000), 'large.jsonl') };
    const stop = new AbortController();
    const reading = readInWorker(worker, task, stop.signal);
    stop.abort();
    expect(await reading).toBe('stopped');
    expect(await readInWorker(worker, task, stop.signal)).toBe('stopped');
  });

  it('leaves less than 100 MB in memory after it is closed', { timeout: 120_000 }, async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap = () => {
      collect();
      return process.memoryUsage().heapUsed / 1_000_000;
    };
    const recordings = new Recordings(
      {
        access: { settings: { valid: validWith() }, estimator: STAND_IN_ESTIMATOR },
        report: { log: (error) => expect.fail(String(error)) },
      },
      () => undefined,
      (...task) => readInWorker(worker, ...task),
    );
    onTestFinished(() => recordings.dispose());
    const file = fileOf(recorded(300, 14_000), 'four.jsonl');
    const before = heap();
    for (let round = 0; round < 3; round += 1) {
      expect(await recordings.open(file, GOING)).toBeUndefined();
      recordings.close();
    }
    expect(heap() - before).toBeLessThan(100);
  });
});
