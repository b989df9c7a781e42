import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { recordingThread } from '../../../../src/editor/recordings/recordingThread';
import { Recordings } from '../../../../src/editor/recordings/recordings';
import { WorkerEstimator } from '../../../../src/model/workerEstimator';
import { inspecting, lookedAt, validWith } from '../../contextPanel/support/inspecting';
import { fold } from '../../../../src/contextWindow/fold';

/** The bundles of the workers, built for a test. */
export async function builtWorkers() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-recording-'));
  const source = resolve(__dirname, '../../../../src');
  await build({
    bundle: true,
    platform: 'node',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'silent',
    entryPoints: {
      recordingWorker: join(source, 'editor/recordings/recordingWorker.ts'),
      countWorker: join(source, 'model/countWorker.ts'),
    },
    outdir: folder,
  });
  return {
    folder,
    worker: join(folder, 'recordingWorker.js'),
    counter: join(folder, 'countWorker.js'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type BuiltWorkers = Awaited<ReturnType<typeof builtWorkers>>;

/** Recordings in threads of their own, with the real tokenizer, and the panel that shows them. */
export function panelOnThread({ worker, counter }: BuiltWorkers, model = 'claude-sonnet-4-5') {
  const problems: string[] = [];
  const estimator = new WorkerEstimator(model, {
    workerPath: counter,
    onProblem: (message) => problems.push(message),
  });
  const work = recordingThread(worker, estimator);
  const recordings: Recordings = new Recordings(
    {
      access: { settings: { valid: validWith() }, estimator },
      report: { log: (error) => problems.push(String(error)) },
    },
    () => undefined,
    work,
  );
  const { inspection } = inspecting(
    () => recordings.inspected ?? lookedAt({ events: [], window: fold([]) }),
    estimator.estimate,
    undefined,
    (texts) => estimator.warm(texts),
  );
  return {
    recordings,
    inspection,
    estimator,
    work,
    problems,
    async dispose() {
      recordings.dispose();
      await estimator.dispose();
    },
  };
}
