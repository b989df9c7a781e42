import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fold } from '../../src/contextWindow/fold';
import { POLICY_NAMES, REPLAY_ONLY_NAMES } from '../../src/contextWindow/plan';
import { builtBundles } from '../support/builtBundles';
import { recordingHere } from '../support/recordingHere';
import { Recordings } from '../../src/editor/recordings/recordings';
import type { PolicyComparison } from '../../src/editor/contextPanel/comparison/state';
import { compareInWorker } from '../../src/replay/compareInWorker';
import type { ReplayReport } from '../../src/replay/replayReport';
import type { Inspected } from '../../src/editor/session/inspected';
import { plannedComparison } from '../../src/editor/contextPanel/comparison/derive';
import { whatIfSettings } from '../../src/editor/contextPanel/whatIf/derive';
import { filler, prompt, read, recorded, said, type Move } from '../replay/support/recording';
import { replayed } from '../replay/support/replayed';
import { STAND_IN_ESTIMATOR } from '../support/standInEstimator';
import { lookedAt, validWith } from '../editor/contextPanel/support/inspecting';

const GOING = new AbortController().signal;

/** Files are read, and two of the first again after more reads than the window holds. */
const MOVES: readonly Move[] = [
  prompt('Mend the limit in f0.ts'),
  ...Array.from({ length: 14 }, (_, n) => read(`f${n}.ts`, filler(`const limit${n} = 1;`, 400))),
  said('One moment.'),
  prompt('And now f1.ts'),
  read('f1.ts', filler('const limit1 = 1;', 400)),
  read('f12.ts', filler('const limit12 = 1;', 400)),
  said('Done.'),
];

/** The same window for both: as options of the command line, and as settings. */
const OPTIONS = '--window 5000 --max-reply 1000 --safety 0 --tool-headroom 0'.split(' ');
const SETTINGS = validWith({
  windowTokens: 5_000,
  maxReplyTokens: 1_000,
  safetyHeadroomTokens: 0,
  toolResultHeadroomTokens: 0,
  prepareWatermark: 0,
});

const built = builtBundles();
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-compared-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the panel would show for a session. */
async function inPanel(inspected: Inspected): Promise<PolicyComparison> {
  const { inForce, policy } = inspected;
  const wished = { ...whatIfSettings(inForce.settings.context, policy), windowTokens: 5_000 };
  const result = plannedComparison(inspected, wished);
  if (!result.ok) throw new Error(result.message);
  const { task, view } = result.planned;
  const path = built('compareWorker.js');
  const results = await compareInWorker(path, task, () => undefined, GOING);
  if (results === 'stopped') throw new Error('No one stopped it.');
  return view(results);
}

/** What `plimsoll replay` reports for a file. */
function inTerminal(
  file: string,
  policies: readonly string[],
  more: readonly string[] = [],
): readonly ReplayReport[] {
  const options = [...OPTIONS, ...more, '--compare', policies.join(','), '--json'];
  const command = ['replay', file, ...options];
  const said = execFileSync(process.execPath, [built('cli.js'), ...command], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(said) as readonly ReplayReport[];
}

function expectSame(shown: PolicyComparison, reports: readonly ReplayReport[]): void {
  expect(shown.rows.map((row) => (row.ok ? { ...row, isLeast: undefined } : row.message))).toEqual(
    reports.map(({ policy, passes, groundedEdits, refaults, cost, maxTokens, overBudget }) => ({
      ok: true,
      policy,
      passes: passes.length,
      edits: groundedEdits,
      neededAgain: refaults,
      isLeast: undefined,
      cost,
      peakTokens: maxTokens,
      overBudget,
    })),
  );
}

it('a policy has the same numbers in plimsoll replay alone and among others', () => {
  const file = join(folder, 'alone.json');
  writeFileSync(file, JSON.stringify({ model: 'claude-sonnet-4-5', messages: recorded(...MOVES) }));
  // A truncated result is estimated before its text was counted; any other policy would count it.
  const ofLadder = (...policies: readonly string[]) =>
    inTerminal(file, policies, ['--result-cap', '150'])
      .filter(({ policy }) => policy === 'ladder')
      .map(({ maxTokens, passes, cost }) => ({ maxTokens, passes, cost }));
  const [alone] = ofLadder('ladder');
  expect(alone?.passes.length).toBeGreaterThan(0);
  expect(ofLadder('tokenBudget', 'ladder')).toEqual([alone]);
});

// Each replays under every policy, twice, once in a process of its own.
describe(
  'the policies compared in the panel have the numbers of plimsoll replay',
  { timeout: 180_000 },
  () => {
    it('for a log of Plimsoll', async () => {
      const { events } = await replayed(MOVES, 'ladder', 4_000);
      const file = join(folder, 'log.jsonl');
      writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      const shown = await inPanel(lookedAt({ events, window: fold(events) }, SETTINGS));
      expectSame(shown, inTerminal(file, [...POLICY_NAMES, 'ladderNoExcerpts']));
      // Otherwise equal numbers would say little.
      expect(shown.rows.some((row) => row.ok && row.passes > 1 && row.neededAgain > 0)).toBe(true);
    });

    it('for a recording of another agent, with its prices', async () => {
      const file = join(folder, 'recording.json');
      const model = 'claude-sonnet-4-5';
      writeFileSync(file, JSON.stringify({ model, messages: recorded(...MOVES) }));
      const recordings = new Recordings(
        {
          access: { settings: { valid: SETTINGS }, estimator: STAND_IN_ESTIMATOR },
          report: { log: (error) => expect.fail(String(error)) },
        },
        () => undefined,
        recordingHere(STAND_IN_ESTIMATOR),
      );
      expect(await recordings.open(file, GOING)).toBeUndefined();
      const shown = await inPanel(recordings.inspected!);
      const policies = [...POLICY_NAMES, ...REPLAY_ONLY_NAMES];
      expectSame(shown, inTerminal(file, policies));
      expect(shown.rows.every((row) => row.ok && row.cost !== null && row.cost > 0)).toBe(true);
    });
  },
);
