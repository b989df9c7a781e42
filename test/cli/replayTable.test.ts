import { beforeEach, describe, expect, it } from 'vitest';
import { replayTable } from '../../src/cli/replayTable';
import type { Measured, ReplayReport } from '../../src/replay/replayReport';
import { deltaOf } from '../../src/replay/reportNumbers';
import { filler, prompt, read, recorded, said } from '../replay/support/recording';
import { smallBudget } from '../support/smallBudget';
import { replayScene, SMALL } from './support/replayScene';

/** A report with the numbers of twelve long recordings, as wide as any. */
function report(): ReplayReport {
  const baseline: Measured = {
    requests: 1_116,
    passes: [],
    maxTokens: 171_891,
    overBudget: 1_110,
    invalid: 0,
    anchorMissing: 0,
    taskCut: 0,
    latestAskMissing: 0,
    editsLost: [],
    groundedEdits: { visible: 248, total: 259 },
    groundedPaths: { visible: 489, total: 646 },
    rulesKept: { visible: 400, total: 400 },
    identifiers: {
      names: { visible: 80, total: 80 },
      numbers: { visible: 10, total: 10 },
      errorTexts: { visible: 0, total: 0 },
      constraints: { visible: 10, total: 10 },
    },
    repeatedCalls: { lost: 0, total: 11 },
    unansweredQuestions: { lost: 0, total: 102 },
    tiers: { system: 1_000_000, working: 11_000_000, archive: 100_000_000 },
    tiersOfSteps: [],
    refaults: 0,
    summaryUses: { kept: 0, dropped: 0 },
    prefixReuse: 0.989,
    cacheRewrites: { first: { requests: 12, tokens: 342_001 } },
    inputTokensTotal: 112_000_000,
    cost: 150.43,
    planMs: { median: 0, p95: 0 },
  };
  const actions = { truncate: 0, trim: 0, clear: 1, summarise: 0, evict: 0 };
  const price = { cost: 0.021, saved: 0.4, cacheTokens: 3_000, repaidSince: 37 };
  const measured: Measured = {
    requests: 1_116,
    passes: [
      { trigger: 'highWatermark', before: 40_000, target: 24_832, after: 24_000, actions, price },
    ],
    maxTokens: 101_376,
    overBudget: 3,
    invalid: 4,
    anchorMissing: 5,
    taskCut: 34_128,
    latestAskMissing: 6,
    editsLost: [],
    groundedEdits: { visible: 241, total: 259 },
    groundedPaths: { visible: 482, total: 646 },
    rulesKept: { visible: 396, total: 400 },
    identifiers: {
      names: { visible: 79, total: 80 },
      numbers: { visible: 10, total: 10 },
      errorTexts: { visible: 0, total: 0 },
      constraints: { visible: 6, total: 10 },
    },
    repeatedCalls: { lost: 6, total: 11 },
    unansweredQuestions: { lost: 7, total: 102 },
    tiers: { system: 1_000_000, working: 10_000_000, archive: 44_000_000 },
    tiersOfSteps: [],
    refaults: 15,
    summaryUses: { kept: 9, dropped: 2 },
    prefixReuse: 0.944,
    cacheRewrites: {
      first: { requests: 12, tokens: 342_001 },
      expired: { requests: 33, tokens: 964_759 },
      changed: { requests: 2, tokens: 42_343 },
      pass: { requests: 38, tokens: 2_000_000 },
    },
    inputTokensTotal: 55_000_000,
    cost: 29.02,
    planMs: { median: 12.34, p95: 104.56 },
  };
  return {
    file: 'session.jsonl',
    format: 'claude-code',
    messages: 2_200,
    turns: 9,
    steps: 1_116,
    toolPairs: 1_116,
    policy: 'ladder',
    inputBudget: 49_664,
    fileOnly: true,
    recordedBill: {
      replies: 1_000,
      withoutUsage: 0,
      inputTokens: 120_000_000,
      cacheReadShare: 0.961,
      cost: 41.5,
    },
    ...measured,
    baseline,
    delta: deltaOf(measured, baseline),
    notes: [],
  };
}

/** The headings and the rows of one table of these reports, without the names of the files. */
function drawn(which: 'kept' | 'took', ...reports: readonly ReplayReport[]) {
  const names = new Set(reports.map(({ file }) => file));
  const groups = names.size === 1 ? 1 : names.size + 1;
  const parts = replayTable(reports, smallBudget()).split('\n\n');
  const from = which === 'kept' ? 1 : 2 + groups;
  const [heading = '', ...tables] = parts.slice(from, from + 1 + groups);
  const lines = tables.flatMap((table) => table.split('\n').slice(1));
  const cells = (line: string) => line.trim().split(/ {2,}/);
  return { headings: cells(heading), rows: lines.map(cells) };
}

let scene: ReturnType<typeof replayScene>;

beforeEach(() => {
  scene = replayScene();
});

describe('the table of plimsoll replay', () => {
  it('has the rows of each file under its name, and adds several files up', async () => {
    const [a, b] = [scene.recording('a.json'), scene.recording('b.json')];
    const ran = await scene.run(a, b, ...SMALL, '--compare', 'ladder,tokenBudget');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Window 5,000 tokens, input budget 4,000;');
    expect(ran.stdout).toContain('≈ marks estimates.');
    expect(ran.stderr).toContain('a.json: ladder');
    const parts = ran.stdout.split('\n\n');
    for (const table of [parts.slice(1, 5), parts.slice(5, 9)]) {
      const [heading, ...groups] = table;
      expect(heading).toBe(heading!.trim());
      const rows = groups.flatMap((group) => group.split('\n').slice(1));
      expect(groups.map((group) => group.split('\n')[0])).toEqual([a, b, 'all 2 files']);
      expect(rows.map((row) => row.trim().split(' ')[0])).toEqual(
        [1, 2, 3].flatMap(() => ['ladder', 'delta', 'tokenBudget', 'delta', 'none']),
      );
    }
    const [kept, took] = [parts[4]!.split('\n'), parts.slice(6, 9).map((one) => one.split('\n'))];
    expect(kept.at(-1)).toMatch(/^none +100\.0 % 4\/4 /);
    expect(took[0]![1]).toMatch(/^ladder +23 +\d+ +≈ [\d,]+ +≈ [\d,]+ /);
    expect(took[2]![1]).toMatch(/^ladder +46 /);
    expect(took[2]![5]).toMatch(/^none +46 /);
  });

  it('shows what the requests kept, and the difference to nothing evicted', () => {
    const { headings, rows } = drawn('kept', report());
    expect(headings).toEqual([
      'policy',
      'edits visible',
      'paths visible',
      'rules kept',
      'identifiers visible',
      'refaults',
      'summary',
      'repeated',
      'unanswered',
      'no task',
      'no ask',
      'over',
      'invalid',
    ]);
    const [edits, paths, rules] = ['93.1 % 241/259', '74.6 % 482/646', '99.0 % 396/400'];
    const identifiers = '95.0 % 95/100';
    const none = ['95.8 % 248/259', '75.7 % 489/646', '100.0 % 400/400', '100.0 % 100/100'];
    expect(rows).toEqual([
      [
        'ladder',
        edits,
        paths,
        rules,
        identifiers,
        '15',
        '9/2',
        '6/11',
        '7/102',
        '5',
        '6',
        '3',
        '4',
      ],
      [
        'delta',
        '-2.7',
        '-1.1',
        '-1.0',
        '-5.0',
        '+15',
        '+2',
        '+6',
        '+7',
        '+5',
        '+6',
        '-1,107',
        '+4',
      ],
      ['none', ...none, '0', '0/0', '0/11', '0/102', '0', '0', '1,110', '0'],
    ]);
  });

  it('shows the usage of the requests by tier, and the difference', () => {
    const { headings, rows } = drawn('took', report());
    expect(headings).toEqual([
      'policy',
      'requests',
      'passes',
      'max',
      'input',
      'system',
      'working',
      'archive',
      'reuse',
      'rewrites',
      'cost',
      'plan ms',
    ]);
    const ladder = ['55,000,000', '1,000,000', '10,000,000', '44,000,000'].map((one) => `≈ ${one}`);
    const none = ['112,000,000', '1,000,000', '11,000,000', '100,000,000'].map((one) => `≈ ${one}`);
    const less = ['-57,000,000', '0', '-1,000,000', '-56,000,000'];
    expect(rows).toEqual([
      [
        'ladder',
        '1,116',
        '1',
        '≈ 101,376',
        ...ladder,
        '94.4 %',
        '33/38/2',
        '≈ 29.02',
        '12.3/104.6',
      ],
      ['delta', '0', '+1', '-70,515', ...less, '-4.5', '-121.41'],
      ['none', '1,116', '0', '≈ 171,891', ...none, '98.9 %', '0/0/0', '≈ 150.43', '-'],
    ]);
  });

  it('says below the tables what the passes cost and saved, and how many are repaid', () => {
    const [pass] = report().passes;
    const open = { ...pass!, price: { ...pass!.price, cost: 0.3, saved: 0.1, repaidSince: null } };
    const two = { ...report(), passes: [pass!, open] };
    const unpriced = { ...pass!, price: { ...pass!.price, cost: null, saved: null } };
    const ladder = { ...report(), refaults: 0 };
    const knowing = {
      ...report(),
      policy: 'clairvoyant',
      refaults: 1,
      passes: [unpriced],
    } as const;
    const lines = replayTable([{ ...two, refaults: 0 }, knowing], smallBudget()).split('\n');
    const at = lines.findIndex((line) => line.startsWith('Passes: what they cost'));
    expect(lines.slice(at + 1, at + 3)).toEqual([
      'session.jsonl, ladder: 2 passes, cost ≈ $0.321, saved ≈ $0.50; 1 repaid',
      'session.jsonl, laterNeeds: 1 pass, at an unknown price; 1 repaid',
    ]);
    const none = { ...ladder, passes: [] };
    expect(replayTable([none], smallBudget())).not.toContain('Passes: what');
  });

  it('fits in 160 columns', () => {
    const one = report();
    const two = { ...report(), file: 'other.jsonl' };
    const table = replayTable([one, two], smallBudget());
    expect(Math.max(...table.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(160);
  });

  it('shows nothing evicted once, requested or not', () => {
    const { delta: _, ...rest } = report();
    const none: ReplayReport = {
      ...rest,
      policy: 'none',
      ...rest.baseline,
      delta: deltaOf(rest.baseline, rest.baseline),
    };
    const policies = (...reports: readonly ReplayReport[]) =>
      drawn('kept', ...reports).rows.map(([policy]) => policy);
    expect(policies(report())).toEqual(['ladder', 'delta', 'none']);
    expect(policies(none, report())).toEqual(['none', 'ladder', 'delta']);
  });

  it('has no cost if one of the files has none, and no time for a sum', () => {
    const unpriced = { ...report(), file: 'other.jsonl', cost: null };
    const sums = drawn('took', report(), unpriced).rows.slice(-3);
    expect(sums[0]?.slice(-2)).toEqual(['≥ 29.02', '-']);
    expect(drawn('took', unpriced).rows[0]?.slice(-2)).toEqual(['unknown', '12.3/104.6']);
  });

  it('reports a task that was cut so that the newest turns stay', async () => {
    const path = scene.file('task.json', {
      messages: recorded(
        prompt(filler('task', 4_000)),
        read('a.ts', filler('a', 1_500)),
        prompt('Next'),
        read('b.ts', filler('b', 1_500)),
        prompt('Now'),
        read('c.ts', filler('c', 1_500)),
        said('Done.'),
      ),
    });
    const ran = await scene.run(path, ...SMALL);
    expect(ran.stdout).toMatch(
      /WARNING .*task\.json, ladder: the task was shortened: a request left out up to ≈ [\d,]+ of its tokens/,
    );
    const [report] = await scene.reportsOf(path, ...SMALL);
    expect(report).toMatchObject({ anchorMissing: 0, taskCut: expect.any(Number) });
    expect(report!.taskCut).toBeGreaterThan(1_000);
    expect(report!.baseline.taskCut).toBe(0);
  });

  it('reports protected blocks that do not fit', async () => {
    const path = scene.file('big.json', {
      system: filler('system', 12_000),
      messages: recorded(prompt('Go'), read('a.ts', 'A'), said('Done.')),
    });
    const ran = await scene.run(path, ...SMALL);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toMatch(/WARNING .*big\.json, ladder: 2 requests are over the input budget/);
    expect(ran.stdout).toMatch(/first at step 1\. .*Heaviest: system prompt: ≈ /);
    expect(ran.stdout).not.toContain('plimsoll.context');
    const [report] = await scene.reportsOf(path, ...SMALL);
    expect(report).toMatchObject({ overBudget: 2, firstOverBudget: { step: 1 } });
  });
});
