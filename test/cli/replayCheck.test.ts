import { beforeEach, describe, expect, it } from 'vitest';
import type { ReplayReport } from '../../src/replay/replayReport';
import { replayScene, SMALL } from './support/replayScene';

let scene: ReturnType<typeof replayScene>;
let recording: string;
let stored: readonly ReplayReport[];

beforeEach(async () => {
  scene = replayScene();
  recording = scene.recording();
  stored = await scene.reportsOf(recording, ...SMALL);
});

/** Compares with a stored report in which some numbers differ. */
function checked(change: Partial<ReplayReport> = {}) {
  const file = scene.file('stored.json', [{ ...stored[0]!, ...change }]);
  return scene.run(recording, ...SMALL, '--check', file);
}

const share = (visible: number, total: number) => ({ visible, total });

describe('plimsoll replay --check', () => {
  it('ends with 0 if every number is unchanged, and prints the usual report', async () => {
    const ran = await checked();
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain('stored.json.');
    expect(ran.stderr).toContain('plimsoll: no number is worse than in ');
    expect(ran.stdout).toContain('edits visible');
  });

  it('ends with 3 and names each number that got worse, with its former value', async () => {
    const { refaults } = stored[0]!;
    const ran = await checked({ groundedEdits: share(3, 3), refaults: refaults - 1 });
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain('plimsoll: 2 numbers are worse than in ');
    expect(ran.stderr).toContain(`  ${recording}, ladder: edits visible `);
    expect(ran.stderr).toContain(', was 3/3\n');
    expect(ran.stderr).toContain(`refaults ${refaults}, was ${refaults - 1}\n`);
  });

  it.each<[string, (report: ReplayReport) => Partial<ReplayReport>]>([
    ['fewer refaults', ({ refaults }) => ({ refaults: refaults + 1 })],
    ['a larger share', () => ({ groundedPaths: share(0, 9) })],
    ['a little more input', (one) => ({ inputTokensTotal: one.inputTokensTotal * 0.995 })],
    ['a little less reuse', ({ prefixReuse }) => ({ prefixReuse: prefixReuse * 1.005 })],
    ['a share of nothing before', () => ({ groundedEdits: share(0, 0) })],
    ['another largest request', () => ({ maxTokens: 1 })],
  ])('does not call it worse: %s', async (_, change) => {
    expect((await checked(change(stored[0]!))).code).toBe(0);
  });

  it.each<[string, (report: ReplayReport) => Partial<ReplayReport>]>([
    ['input', (one) => ({ inputTokensTotal: one.inputTokensTotal * 0.98 })],
    ['reuse', ({ prefixReuse }) => ({ prefixReuse: prefixReuse * 1.02 })],
    ['cost', ({ cost }) => ({ cost: cost! * 0.98 })],
    ['requests', ({ requests }) => ({ requests: requests + 1 })],
    ['invalid', () => ({ invalid: -1 })],
    ['task cut', () => ({ taskCut: -1 })],
    ['rules kept', () => ({ rulesKept: share(1, 1) })],
    ['summary dropped', () => ({ summaryUses: { kept: 0, dropped: -1 } })],
    ['repeated', () => ({ repeatedCalls: { lost: -1, total: 0 } })],
    ['unanswered', () => ({ unansweredQuestions: { lost: -1, total: 0 } })],
    // A number that was measured before is now missing.
    [
      'constraints visible',
      ({ identifiers }) => ({ identifiers: { ...identifiers, constraints: share(1, 1) } }),
    ],
  ])('calls it worse: %s', async (name, change) => {
    const ran = await checked(change(stored[0]!));
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain(`ladder: ${name} `);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'is not a report that this version of plimsoll replay --json wrote.'],
    ['an older report', [{ file: 'x', policy: 'ladder' }], 'wrote (0.inputBudget).'],
    ['other files', [], 'has no report of '],
  ])('ends with 2 and does nothing for %s', async (_, content, said) => {
    const ran = await scene.run(recording, ...SMALL, '--check', scene.file('s.json', content));
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(said);
    expect(ran.stderr).toContain('Nothing was done.');
  });

  it('ends with 2 for a missing file and for another window', async () => {
    expect((await scene.run(recording, '--check', 'gone.json')).stderr).toContain(
      '--check gone.json cannot be read: there is no such file.',
    );
    const file = scene.file('stored.json', stored);
    const ran = await scene.run(recording, '--check', file);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('was made with an input budget of 4,000 tokens, not 185,664.');
  });

  it('ends with 2 for a report made with the other setting of --file-only', async () => {
    const file = scene.file('stored.json', stored);
    const fileOnly = await scene.run(recording, ...SMALL, '--check', file, '--file-only');
    expect(fileOnly.code).toBe(2);
    expect(fileOnly.stderr).toContain(
      'was made without --file-only, so its tokens differ. Leave out --file-only.',
    );
    // Reports from before that option existed.
    const older = stored.map((report) => ({ ...report, fileOnly: undefined }));
    const ran = await scene.run(recording, ...SMALL, '--check', scene.file('older.json', older));
    expect(ran.stderr).toContain(
      'was made with --file-only, so its tokens differ. Add --file-only.',
    );
  });
});

describe('plimsoll replay --turns', () => {
  it('reports the lengths of turns, and proposes limits for the window', async () => {
    const ran = await scene.run(recording, ...SMALL, '--turns');
    expect(ran.code).toBe(0);
    const [budget, table, proposals] = ran.stdout.split('\n\n');
    expect(budget).toContain('input budget 4,000; a pass starts above 3,200');
    const rows = table!.split('\n').map((line) => line.trim().split(/ {2,}/));
    expect(rows[0]).toEqual(['count', 'least', 'median', '90 of 100', 'most']);
    expect(rows[1]).toEqual(['turns of a file', '1', '2', '2', '2', '2']);
    expect(rows[2]).toEqual(['steps of a turn', '2', '2', '2', '21', '21']);
    expect(rows[3]?.slice(0, 2)).toEqual(['tokens of a turn', '2']);
    // The first turn, of 12,000 tokens, never fits; the second one does.
    expect(proposals).toContain('plimsoll.context.keepRecentTurns: 1\n');
    expect(proposals).toContain('not even the newest one does in 90 of 100 cases.');
    expect(proposals).toContain('plimsoll.advanced.maxHistoryTurns: 1\n');
  });

  it('proposes no limit if everything fits', async () => {
    const ran = await scene.run(recording, '--turns');
    expect(ran.stdout).toContain('keepRecentTurns: any number\n');
    expect(ran.stdout).toContain('maxHistoryTurns: 0, no limit\n');
  });

  it('reports the same as JSON', async () => {
    const ran = await scene.run(recording, ...SMALL, '--turns', '--json');
    expect(JSON.parse(ran.stdout)).toMatchObject({
      turnsPerFile: { count: 1, most: 2 },
      stepsPerTurn: { count: 2, least: 2, most: 21 },
      keepRecentTurns: 0,
      maxHistoryTurns: 1,
    });
  });

  it('ends with 2 together with an option that runs a policy', async () => {
    const ran = await scene.run(recording, '--turns', '--compare', 'ladder,none');
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('Give --turns or --compare, not both');
  });
});
