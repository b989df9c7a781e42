import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LocalEstimator } from '../support/localEstimator';
import { WorkerEstimator } from '../../src/model/workerEstimator';

const ROOT = resolve(__dirname, '..', '..');
const MODEL = 'claude-sonnet-4-5';
const TEXT = 'The worker counts the tokens of this sentence.';

let folder: string;
let workerPath: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-worker-'));
  workerPath = await bundled('countWorker');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Bundles a file of src/model the way esbuild.mjs does. */
async function bundled(name: string): Promise<string> {
  const outfile = join(folder, `${name}.js`);
  const options = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' } as const;
  await build({ ...options, entryPoints: [join(ROOT, 'src/model', `${name}.ts`)], outfile });
  return outfile;
}

/** An estimator with a worker, and the problems it reported. */
function estimatorOver(path: string, timeoutMs = 60_000) {
  const problems: string[] = [];
  const onProblem = (message: string) => void problems.push(message);
  const estimator = new WorkerEstimator(MODEL, { workerPath: path, onProblem, timeoutMs });
  onTestFinished(() => estimator.dispose());
  return { estimator, problems };
}

/** A worker of a few lines, written next to the real one. */
function worker(name: string, code: string): string {
  const path = join(folder, `${name}.js`);
  writeFileSync(path, `const { parentPort } = require('node:worker_threads');\n${code}`);
  return path;
}

const guess = () => new LocalEstimator(MODEL).estimate(TEXT);

describe('an estimator over a worker', () => {
  it('counts the same as one in this thread', async () => {
    const { estimator, problems } = estimatorOver(workerPath);
    const local = new LocalEstimator(MODEL);
    const texts = [TEXT, 'x'.repeat(20_000), '='.repeat(5_000), '漢字 <|endoftext|>'];
    await Promise.all([estimator.warm(texts.slice(0, 2)), estimator.warm(texts.slice(1))]);
    await local.warm(texts);
    expect(texts.map(estimator.estimate)).toEqual(texts.map((text) => local.estimate(text)));
    expect(problems).toEqual([]);
  });

  it('has forks that know only their own texts, and count the same', async () => {
    const { estimator } = estimatorOver(workerPath);
    estimator.learn(10_000, 12_000);
    await estimator.warm([TEXT]);
    const fork = estimator.fork();
    expect(fork.estimate.isCounted?.(TEXT)).toBe(false);
    await estimator.dispose();
    // No worker is left to ask: the estimator knows the count.
    await fork.warm([TEXT]);
    expect(fork.estimate.isCounted?.(TEXT)).toBe(true);
    expect(fork.estimate(TEXT)).toBe(estimator.estimate(TEXT));
  });

  it('counts the same after its worker started before the first text, and says once that it cannot', async () => {
    const { estimator } = estimatorOver(workerPath);
    estimator.startCounter();
    await estimator.warm([TEXT]);
    expect(estimator.estimate.isCounted?.(TEXT)).toBe(true);
    const { estimator: broken, problems } = estimatorOver(
      worker('unable', 'throw new Error("no start");'),
    );
    broken.startCounter();
    await broken.warm([TEXT]);
    broken.startCounter();
    expect(problems).toEqual([expect.stringContaining('no start')]);
  });

  it.each([
    ['is missing', () => join(folder, 'nowhere.js')],
    ['cannot start', () => worker('broken', 'throw new Error("no start");')],
    ['dies', () => worker('dying', 'parentPort.on("message", () => process.exit(3));')],
    [
      'answers with a problem',
      () =>
        worker(
          'failing',
          'parentPort.on("message", ({ id }) => parentPort.postMessage({ id, problem: "no table" }));',
        ),
    ],
  ])('continues with guesses if the worker %s, and says so once', async (_, path) => {
    const { estimator, problems } = estimatorOver(path());
    await estimator.warm([TEXT]);
    await estimator.warm([TEXT, 'more']);
    expect(estimator.estimate(TEXT)).toBe(guess());
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('estimates get rougher');
  });

  it('gives up on a worker that never answers', async () => {
    const { estimator, problems } = estimatorOver(worker('silent', 'parentPort.ref();'), 50);
    await estimator.warm([TEXT]);
    expect(problems[0]).toContain('longer than 0.05 s');
  });

  it('reports nothing if it is closed in the middle of a count', async () => {
    const { estimator, problems } = estimatorOver(worker('quiet', 'parentPort.ref();'));
    const warming = estimator.warm([TEXT]);
    await estimator.dispose();
    await warming;
    expect(estimator.estimate(TEXT)).toBe(guess());
    expect(problems).toEqual([]);
  });

  it('lets the process end while the worker is idle, but not while an answer is due', async () => {
    const script = join(folder, 'script.cjs');
    const path = await bundled('workerEstimator');
    writeFileSync(
      script,
      `const { WorkerEstimator } = require(${JSON.stringify(path)});
const estimator = new WorkerEstimator('m', { workerPath: ${JSON.stringify(workerPath)} });
estimator.warm(['a b c']).then(() => console.log('warm'));`,
    );
    const said = execFileSync(process.execPath, [script], { encoding: 'utf8', timeout: 60_000 });
    expect(said).toBe('warm\n');
  });
});
