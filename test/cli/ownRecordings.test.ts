import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayReport } from '../../src/replay/replayReport';
import { builtBundles } from '../support/builtBundles';

const ROOT = resolve(__dirname, '../..');
const STORED = 'test/replay/recordings/report.json';

/** The command of the stored report; `test/README.md` has it in full. */
const ARGUMENTS =
  'replay test/replay/recordings/demo.json test/replay/recordings/harbour.json ' +
  '--window 9000 --max-reply 1000 --safety 0 --tool-headroom 1000 --high 0.8 --low 0.5 ' +
  '--keep-turns 2 --compare ladder,lastTurns --file-only';

const built = builtBundles();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-own-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the bundled command line in a separate process, in the folder of the project. */
function plimsoll(...args: readonly string[]) {
  return new Promise<{ readonly code: number; readonly stderr: string }>((done) => {
    const argv = [built('cli.js'), ...args];
    execFile(process.execPath, argv, { cwd: ROOT, maxBuffer: 1e8 }, (error, _, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), stderr }),
    );
  });
}

describe("the project's own recordings", () => {
  it('replay no worse than when the report was stored', async () => {
    const ran = await plimsoll(...ARGUMENTS.split(' '), '--check', STORED);
    expect(ran.stderr).toContain(`plimsoll: no number is worse than in ${STORED}.\n`);
    expect(ran.code).toBe(0);
  });

  it('are reported as worse than a better report, and the process ends with 3', async () => {
    const stored = JSON.parse(readFileSync(join(ROOT, STORED), 'utf8')) as readonly ReplayReport[];
    const better = join(folder, 'better.json');
    const [first, ...others] = stored;
    writeFileSync(better, JSON.stringify([{ ...first!, refaults: -1 }, ...others]));
    const ran = await plimsoll(...ARGUMENTS.split(' '), '--check', better);
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(
      `plimsoll: 1 number is worse than in ${better}.\n` +
        `  test/replay/recordings/demo.json, ladder: refaults ${first!.refaults}, was -1\n`,
    );
  });

  it('lose something under either policy, so that a change can show', () => {
    const stored = JSON.parse(readFileSync(join(ROOT, STORED), 'utf8')) as readonly ReplayReport[];
    expect(stored.map(({ policy }) => policy)).toEqual([
      'ladder',
      'lastTurns',
      'ladder',
      'lastTurns',
    ]);
    for (const { passes, invalid, overBudget } of stored) {
      expect(passes.length).toBeGreaterThan(0);
      expect(invalid + overBudget).toBe(0);
    }
    const { editsVisible, repeatedCalls, unansweredQuestions } = stored.at(-1)!.delta;
    expect(editsVisible).toBeLessThan(0);
    expect(repeatedCalls).toBeGreaterThan(0);
    expect(unansweredQuestions).toBeGreaterThan(0);
  });
});
