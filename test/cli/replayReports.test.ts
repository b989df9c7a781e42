import { beforeEach, describe, expect, it } from 'vitest';
import { codex, write } from '../recordings/lens/support/agentHomes';
import { jsonl } from '../recordings/support/drawnTranscript';
import { recorded } from '../replay/support/recording';
import { asLog } from '../sessions/support/sampleEvents';
import { scriptedAgent, steps } from '../support/scriptedAgent';
import { LONG, replayScene, SMALL } from './support/replayScene';

let scene: ReturnType<typeof replayScene>;

beforeEach(() => {
  scene = replayScene();
});

const MEASURED = [
  'requests',
  'passes',
  'maxTokens',
  'overBudget',
  'invalid',
  'anchorMissing',
  'taskCut',
  'latestAskMissing',
  'groundedEdits',
  'editsLost',
  'groundedPaths',
  'rulesKept',
  'identifiers',
  'repeatedCalls',
  'unansweredQuestions',
  'refaults',
  'summaryUses',
  'prefixReuse',
  'cacheRewrites',
  'inputTokensTotal',
  'tiers',
  'tiersOfSteps',
  'cost',
  'planMs',
];

describe('plimsoll replay --json', () => {
  it('reports one object for each file and policy, with these keys', async () => {
    const path = scene.recording();
    const reports = await scene.reportsOf(path, ...SMALL, '--compare', 'ladder,slidingWindow,none');
    expect(reports.map(({ policy }) => policy)).toEqual(['ladder', 'slidingWindow', 'none']);
    const [report] = reports;
    const about = ['file', 'format', 'messages', 'turns', 'steps', 'toolPairs', 'policy'];
    expect(Object.keys(report!).toSorted()).toEqual(
      [
        ...about,
        'inputBudget',
        'fileOnly',
        'recordedBill',
        'notes',
        'baseline',
        'delta',
        ...MEASURED,
      ].toSorted(),
    );
    expect(Object.keys(report!.baseline).toSorted()).toEqual(
      [...MEASURED, 'passes'].filter((key, at, all) => all.indexOf(key) === at).toSorted(),
    );
    expect(report).toMatchObject({
      file: path,
      format: 'messages',
      turns: 2,
      steps: 23,
      toolPairs: 22,
      inputBudget: 4_000,
      requests: 23,
      overBudget: 0,
      invalid: 0,
      anchorMissing: 0,
      latestAskMissing: 0,
      groundedEdits: { total: 2 },
      notes: [],
    });
  });

  it('reports the numbers of each pass and its actions', async () => {
    const [report] = await scene.reportsOf(scene.recording(), ...SMALL);
    const [pass] = report!.passes;
    expect(pass?.trigger).toBe('highWatermark');
    expect(pass?.target).toBe(2_000);
    expect(pass!.before).toBeGreaterThan(3_200);
    expect(pass!.after).toBeLessThanOrEqual(2_000);
    const { actions } = pass!;
    expect(Object.keys(actions)).toEqual(['truncate', 'trim', 'clear', 'summarise', 'evict']);
    expect(actions.clear + actions.summarise + actions.evict).toBeGreaterThan(0);
  });

  it('compares every policy with the same recording and nothing evicted', async () => {
    const [ladder, none] = await scene.reportsOf(
      scene.recording(),
      ...SMALL,
      '--compare',
      'ladder,none',
    );
    expect(ladder!.baseline).toEqual(none!.baseline);
    expect(none).toMatchObject({ ...none!.baseline, passes: [], refaults: 0 });
    expect(none!.groundedEdits).toEqual({ visible: 2, total: 2 });
    expect(none!.overBudget).toBeGreaterThan(0);
    expect(none!.messages).toBe(46);
  });

  it('reports the tokens of each tier for each step, which add up to the input', async () => {
    const [report] = await scene.reportsOf(scene.recording(), ...SMALL);
    for (const { tiers, tiersOfSteps, inputTokensTotal } of [report!, report!.baseline]) {
      expect(tiersOfSteps.map(({ step }) => step)).toEqual(
        Array.from({ length: 23 }, (_, index) => index + 1),
      );
      const sum = (of: (one: (typeof tiersOfSteps)[number]) => number) =>
        tiersOfSteps.reduce((total, one) => total + of(one), 0);
      expect(tiers).toEqual({
        system: sum(({ system }) => system),
        working: sum(({ working }) => working),
        archive: sum(({ archive }) => archive),
      });
      expect(tiers.system + tiers.working + tiers.archive).toBe(inputTokensTotal);
    }
    expect(report!.tiers.working).toBeLessThan(report!.baseline.tiers.working);
  });

  it('reports every number minus that of the baseline', async () => {
    const [ladder, none] = await scene.reportsOf(
      scene.recording(),
      ...SMALL,
      '--compare',
      'ladder,none',
    );
    expect(ladder!.delta).toMatchObject({
      requests: 0,
      passes: ladder!.passes.length,
      refaults: ladder!.refaults,
      editsVisible: ladder!.groundedEdits.visible / 2 - 1,
      inputTokensTotal: ladder!.inputTokensTotal - none!.inputTokensTotal,
      errorTextsVisible: null,
    });
    expect(Object.values(none!.delta).every((value) => value === 0 || value === null)).toBe(true);
  });

  it('keeps content that only the clairvoyant policy can know', async () => {
    const [best, newest] = await scene.reportsOf(
      scene.recording(),
      ...SMALL,
      '--compare',
      'clairvoyant,tokenBudget',
    );
    expect(best!.groundedEdits).toEqual({ visible: 2, total: 2 });
    expect(best!.editsLost).toEqual([]);
    expect(newest!.groundedEdits.visible).toBe(0);
    expect(newest!.editsLost).toEqual([
      expect.stringMatching(/^\S+#0$/),
      expect.stringMatching(/^\S+#0$/),
    ]);
    expect(new Set(newest!.editsLost).size).toBe(2);
  });

  it("compares a policy with the recorded agent's own compactions", async () => {
    const line = (type: string, content: unknown, more = {}) => ({
      type,
      message: { role: type, content, model: 'claude-opus-4-5' },
      ...more,
    });
    const lines = [
      line('user', 'Go'),
      line('assistant', 'Gone.'),
      line('user', 'We went.', { isCompactSummary: true }),
      line('user', 'And back'),
      line('assistant', 'Here.'),
    ];
    const text = lines.map((one) => `${JSON.stringify(one)}\n`).join('');
    const reports = await scene.reportsOf(
      scene.file('c.jsonl', text),
      '--compare',
      'recorded,ladder',
    );
    expect(reports.map(({ policy }) => policy)).toEqual(['recorded', 'ladder']);
    expect(reports[0]).toMatchObject({ invalid: 0, passes: [{ trigger: 'recorded' }] });
    expect(reports[1]?.passes).toEqual([]);
  });

  it('has no cost if a model has no list price', async () => {
    const [report] = await scene.reportsOf(scene.file('x.json', recorded(...LONG)), ...SMALL);
    expect(report!.cost).toBeNull();
    expect(report!.baseline.cost).toBeNull();
  });

  it('names what the importer omitted', async () => {
    const path = scene.file('system.json', [
      ...recorded(...LONG),
      { role: 'system', content: 'Be kind.' },
    ]);
    const [report] = await scene.reportsOf(path);
    expect(report!.notes).toEqual(['1 system message after the first prompt skipped.']);
  });

  it("replays the conversation of Plimsoll's own log, without its passes, and says so", async () => {
    const agent = scriptedAgent({ script: steps(30, 1_400) });
    await agent.run('Look at every file.');
    expect(agent.session.window.ledger.length).toBeGreaterThan(1);
    const file = scene.file('own.jsonl', asLog(agent.session.events));
    const [report] = await scene.reportsOf(file, '--policy', 'none');
    expect(report).toMatchObject({ requests: 31, passes: [], invalid: 0 });
    const { ledger } = agent.session.window;
    expect(report!.notes).toContain(
      `${ledger.length} passes of Plimsoll skipped (a change by hand counts as one): ` +
        'the replay has what was said and done.',
    );
    expect((await scene.run(file, '--format', 'plimsoll')).code).toBe(0);
  });
});

describe('plimsoll replay of a session in several files', () => {
  const says = (role: string, content: string) => ({
    type: 'response_item',
    payload: { type: 'message', role, content },
  });
  const meta = (id: string, history_base?: object) => ({
    type: 'session_meta',
    payload: { id, history_base },
  });

  it('has what a fork of Codex continues', async () => {
    const one = jsonl(meta('o'), says('user', 'One'), says('assistant', 'First.'));
    write(codex.file(scene.folder, 'o'), one);
    const base = { thread_id: 'o', end_byte_offset: one.length };
    const own = jsonl(meta('f', base), says('user', 'Two'), says('assistant', 'Second.'));
    const [report] = await scene.reportsOf(write(codex.file(scene.folder, 'f'), own));
    expect(report).toMatchObject({ turns: 2, steps: 2 });
    expect(report!.notes).toEqual([expect.stringContaining('is included')]);
  });
});
