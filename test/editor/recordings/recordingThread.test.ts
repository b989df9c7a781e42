import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SessionEvent } from '../../../src/contextWindow/event';
import { readHere } from '../../../src/editor/recordings/recordingFile';
import { replayRecording } from '../../../src/editor/recordings/recordingReplay';
import {
  recordingSettings,
  replaySettings,
} from '../../../src/editor/recordings/recordingSettings';
import {
  recordingThread,
  type ReplayTask,
  type ReplayWatch,
} from '../../../src/editor/recordings/recordingThread';
import { reportOfRecording } from '../../../src/replay/inspectRecording';
import { LocalEstimator } from '../../support/localEstimator';
import { validWith } from '../contextPanel/support/inspecting';
import { type BuiltWorkers, builtWorkers, panelOnThread } from './support/panelOnThread';
import { GOING, MODEL, recorded } from './support/recordingScene';

let built: BuiltWorkers;

beforeAll(async () => {
  built = await builtWorkers();
});
afterAll(() => built.remove());

function fileOf(text: string, name = 'session.jsonl'): string {
  const file = join(built.folder, name);
  writeFileSync(file, text);
  return file;
}

function panel(model?: string) {
  const shown = panelOnThread(built, model);
  onTestFinished(() => shown.dispose());
  return shown;
}

const UNWATCHED: ReplayWatch = { progressed: () => undefined, replayed: () => undefined };

/** A replay in this thread, with all its events. */
async function replayedHere(task: ReplayTask, estimator: LocalEstimator) {
  const events: SessionEvent[] = [];
  const replayed = await replayRecording(task, () => estimator, {
    ...UNWATCHED,
    replayed: (next) => events.push(...next),
  });
  return { replayed, events };
}

/** The replay of a recording, as the panel orders it. */
async function taskOf(text: string): Promise<ReplayTask> {
  const read = await readHere({ file: fileOf(text) });
  if (!read.ok) throw new Error(read.message);
  const { transcript } = read;
  return { transcript, settings: replaySettings(validWith(), 'ladder') };
}

describe('a recording read and replayed in a thread of its own', () => {
  it('is read as in this thread, from its file and from the text of a growing one', async () => {
    const { work } = panel();
    const file = fileOf(recorded(6));
    for (const task of [{ file }, { file, grown: `${recorded(3)}{"type":` }]) {
      const here = await readHere(task);
      expect(here).toMatchObject({ ok: true });
      expect(await work.read(task, GOING)).toEqual(here);
    }
  });

  it('gives the text of its session there, or says why not', async () => {
    const { work } = panel();
    expect(await work.text(fileOf(recorded(2)))).toBe(recorded(2));
    await expect(work.text(join(built.folder, 'none.db#ses_1'))).rejects.toThrow(/^(?!Error)/);
  });

  it('is replayed as in this thread, with its progress, and its counts are known here', async () => {
    const { work, estimator, problems } = panel();
    const task = await taskOf(recorded(40, 900));
    const shares: number[] = [];
    const events: SessionEvent[] = [];
    /** How many events had come at each share of the work. */
    const come: number[] = [];
    const watch: ReplayWatch = {
      progressed: (share) => {
        shares.push(share);
        come.push(events.length);
      },
      replayed: (next) => events.push(...next),
    };
    const there = await work.replay(task, watch, GOING);
    const here = await replayedHere(task, new LocalEstimator(MODEL));
    expect({ replayed: there, events }).toEqual(here);
    // The editor folds them while the replay goes on, not after it.
    expect(come.at(-1)).toBeGreaterThan(events.length / 2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect([shares.length > 50, shares.at(-1)]).toEqual([true, 1]);
    expect(estimator.estimate.isCounted?.('x'.repeat(900))).toBe(true);
    expect(problems).toEqual([]);
  });

  it('is reported on as its agent ran it, whatever settings its replay has', async () => {
    const { recordings } = panel();
    expect(await recordings.report(undefined, GOING)).toMatchObject({ ok: false });
    await recordings.open(fileOf(recorded(6)), GOING);
    const made = await recordings.report(3, GOING);
    if (!made.ok) throw new Error(made.message);
    const { transcript } = await taskOf(recorded(6));
    const own = recordingSettings(validWith(), transcript);
    if (!own.ok) throw new Error(own.message);
    const settings = replaySettings(own.inForce, 'recorded');
    const local = new LocalEstimator(MODEL);
    expect(made.report).toEqual(await reportOfRecording({ transcript, settings, step: 3 }, local));
    expect(await recordings.report(99, GOING)).toEqual({
      ok: false,
      message: 'There is no step 99.',
    });
  });

  it('weighs as much under every model that the user works with', async () => {
    const file = fileOf(recorded(6, 4_000, { counted: 0 }));
    const sizes = [];
    for (const model of [MODEL, 'claude-sonnet-5-5']) {
      const { recordings, inspection } = panel(model);
      expect(await recordings.open(file, GOING)).toBeUndefined();
      const { balance, blocks } = inspection.view();
      const report = await recordings.report(undefined, GOING);
      if (!report.ok) throw new Error(report.message);
      sizes.push([
        balance.used,
        blocks.map(({ tokens }) => tokens.tokens),
        inspection.timeline().points.at(-1),
        report.report.balance.used,
      ]);
    }
    expect(sizes[1]).toEqual(sizes[0]);
  });

  it('is replayed with what the editor has learned', async () => {
    const { work, estimator } = panel();
    const task = await taskOf(recorded(4));
    const sizes = async () => {
      const replayed = await work.replay(task, UNWATCHED, GOING);
      return replayed === 'stopped' ? [] : [...replayed.simulatedUsage.values()];
    };
    const before = await sizes();
    estimator.learn(10_000, 20_000);
    // The file's counts decide the window, and the estimates what is not in the file.
    expect(estimator.learned.factors).not.toEqual({});
    const local = new LocalEstimator(MODEL);
    local.learn(10_000, 20_000);
    const here = await replayedHere(task, local);
    const after = await sizes();
    expect(here.replayed).toMatchObject({
      simulatedUsage: new Map(after.map((one, at) => [at + 1, one])),
    });
    expect(before).toHaveLength(4);
  });

  it('has the same error if it cannot be read, and an error of its own if the thread fails', async () => {
    const task = { file: fileOf('{"a":1}', 'other.json') };
    const { work, estimator, recordings } = panel();
    expect(await work.read(task, GOING)).toEqual(await readHere(task));
    const broken = fileOf('throw new Error("no memory")', 'broken.js');
    expect(await recordingThread(broken, estimator).read(task, GOING)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/could not be read.*no memory.*Try again\.$/),
      cause: 'other',
    });
    expect(recordings.inspected).toBeUndefined();
  });

  it.each([
    ['the replay fails in its thread', 'throw new Error("no memory")', /.*no memory.*/],
    [
      'an event of the replay cannot be folded',
      'require("node:worker_threads").parentPort.postMessage({ progress: { events: [null] } })',
      /.*null.*/,
    ],
  ])('says so if %s, and shows what it showed', async (_, instead, why) => {
    const { recordings } = panelOnThread({ ...built, worker: replayInstead(instead) });
    onTestFinished(() => recordings.dispose());
    const refusal = await recordings.open(fileOf(recorded(3)), GOING);
    expect(refusal).toMatch(
      new RegExp(`session\\.jsonl could not be replayed\\. ${why.source} Try again\\.$`),
    );
    expect(recordings.inspected).toBeUndefined();
  });

  it('ends when it is cancelled, also before it began', async () => {
    const { work, recordings } = panel();
    const task = { file: fileOf(recorded(2_000, 2_000), 'large.jsonl') };
    const stop = new AbortController();
    const reading = work.read(task, stop.signal);
    stop.abort();
    expect(await reading).toBe('stopped');
    expect(await work.read(task, stop.signal)).toBe('stopped');
    const later = new AbortController();
    const opening = recordings.open(task.file, later.signal, () => later.abort());
    expect(await opening).toMatch(/^Stopped\./);
    expect(recordings.inspected).toBeUndefined();
  });

  it(
    'leaves less than 100 MB in memory after it is closed, with all that the panel derived',
    { timeout: 120_000 },
    async () => {
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      const held = () => {
        for (let round = 0; round < 3; round += 1) collect();
        const { heapUsed, external } = process.memoryUsage();
        return (heapUsed + external) / 1_000_000;
      };
      const { recordings, inspection } = panel();
      const file = fileOf(recorded(300, 14_000), 'four.jsonl');
      const before = held();
      for (let round = 0; round < 2; round += 1) {
        expect(await recordings.open(file, GOING)).toBeUndefined();
        await inspection.travelTo(100);
        inspection.view();
        inspection.leave();
        inspection.view();
        expect(inspection.timeline()?.points).toHaveLength(300);
        recordings.close();
        inspection.leave();
        inspection.view();
      }
      expect(held() - before).toBeLessThan(100);
    },
  );
});

/** A worker that reads, and then cannot replay. */
function replayInstead(instead: string): string {
  const code = readFileSync(built.worker, 'utf8');
  const isReplay = '"replay" in require("node:worker_threads").workerData';
  return fileOf(`if (${isReplay}) ${instead};\n${code}`, 'replayInstead.js');
}
