import { rungGains } from '../../../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import { type Block, type BlockId, withoutThinking } from '../../../../src/contextWindow/block';
import { measure } from '../../../../src/contextWindow/account/measure';
import type { Summary } from '../../../../src/contextWindow/plan';
import { planPass, summariseEarlier } from '../../../../src/contextWindow/passes/policies/policies';
import { sourcesOf } from '../../../../src/contextWindow/passes/rungs/summary';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, draw, drawnEvents, dots, foldNew } from '../../../support/drawing';
import { done, passed, planned, rules, settled, type Planned } from '../../support/planned';

const SESSION = `
  1 anchor task 10
  1 reply  one 600
  2 prompt next 10
  2 reply  two 600
  3 prompt more 10
  3 reply  three 600
  3 reply  four 600
  4 prompt now 10
`;

const run = (options: Partial<Planned> = {}, drawn = SESSION) =>
  planned(drawn, { policy: 'summarise', inputBudget: 2_900, summaries: true, ...options });

const prepared = (...covers: string[]): Summary => ({
  id: 'summary-9' as BlockId,
  covers: covers as BlockId[],
  text: dots(40),
  writtenBy: { by: 'workNote', because: 'this is a test' },
});

describe('summarise', () => {
  it('replaces the oldest run by a summary; anchor, newest steps and prompt stay verbatim', () => {
    const plan = run();
    expect(plan.summaries).toMatchObject([
      { summaryId: 'summary-1', covers: ['step-1', 'prompt-2', 'step-2'], tokensBefore: 1_210 },
    ]);
    expect(rules(plan)).toMatchObject({
      'prompt-1': 'keep:anchor',
      'step-3': 'keep:enough',
      'step-4': 'keep:enough',
      'prompt-4': 'keep:latestPrompt',
    });
  });

  it('counts the summary at its largest in the plan, and at its real size once it is written', () => {
    const plan = run();
    expect(plan.estimatedAfter).toBe(2_440 - 1_210 + 200);
    const pass = settled(plan, foldNew(drawnEvents(SESSION)), dots(50));
    expect(pass.after.tokens).toBe(2_440 - 1_210 + 50);
    expect(rungGains(pass)).toEqual([{ rung: 'summarise', blocks: 3, tokens: 1_210 - 50 }]);
    expect(pass.cache).toMatchObject({ rewrittenTokens: 610, addedTokens: 50 });
  });

  it('does not summarise a prompt whose steps stay', () => {
    const plan = run({ low: 0.701 });
    expect(plan.summaries.map(({ covers }) => covers)).toEqual([['step-1']]);
  });

  it('evicts the oldest blocks if summaries are off', () => {
    const plan = run({ summaries: false });
    expect(plan.summaries).toEqual([]);
    expect(done(plan)).toEqual(['evict step-1', 'evict prompt-2', 'evict step-2']);
  });

  it('writes no summary of a run that is less than twice its size', () => {
    const small = (tokens: number) => `
      1 anchor task 2300
      1 reply  one ${tokens}
      1 reply  two 10
      1 reply  three 10
      2 prompt now 10`;
    expect(run({}, small(399)).summaries).toEqual([]);
    expect(run({}, small(400)).summaries).toHaveLength(1);
  });

  it('uses a summary written ahead while everything it covers is still there', () => {
    const plan = run({ prepared: prepared('step-1', 'prompt-2', 'step-2') });
    expect(plan.summaries).toMatchObject([{ summaryId: 'summary-1', ready: { text: dots(40) } }]);
    expect(plan.estimatedAfter).toBe(2_440 - 1_210 + 40);
  });

  it('drops a summary written ahead if a covered block was spared, pinned or removed', () => {
    const ready = prepared('step-1', 'prompt-2', 'step-2');
    const isUsed = (options: Partial<Planned>, drawn = SESSION) =>
      run({ prepared: ready, ...options }, drawn).summaries.some((job) => job.ready !== undefined);
    expect(isUsed({})).toBe(true);
    expect(isUsed({ maxHistoryTurns: 2 })).toBe(true);
    // A limit on turns has no use for a summary of a turn that stays.
    const late = prepared('step-2', 'prompt-3', 'step-3');
    expect(isUsed({ prepared: late })).toBe(true);
    expect(isUsed({ prepared: late, maxHistoryTurns: 3, trigger: 'cap' })).toBe(false);
    expect(isUsed({ spared: ['prompt-2'] })).toBe(false);
    expect(isUsed({}, SESSION.replace('two 600', 'two 600 !'))).toBe(false);
    expect(isUsed({ prepared: prepared('step-1', 'step-99') })).toBe(false);
  });

  it('drops a summary written ahead if a covered block has a new text', () => {
    const window = draw(SESSION);
    const summary = prepared('step-1', 'prompt-2', 'step-2');
    const from = sourcesOf(window, summary);
    const isUsed = (change: (block: Block) => Block) => {
      const blocks = window.blocks.mapped((block) =>
        block.id === 'step-1' ? change(block) : block,
      );
      const plan = planPass({
        window: { ...window, blocks },
        measured: measure(window, countDots),
        budget: budgetOf(2_900),
        trigger: 'highWatermark',
        estimate: countDots,
        settings: { ...POLICY_SETTINGS, policy: 'summarise', summaries: true },
        prepared: { summary, from },
      });
      return plan.summaries.some(({ ready }) => ready !== undefined);
    };
    expect(isUsed((block) => block)).toBe(true);
    expect(isUsed((block) => ({ ...block, exactTokens: 600 }))).toBe(true);
    expect(isUsed(withoutThinking)).toBe(true);
    const parts = [{ type: 'text' as const, text: `Other words ${dots(600)}` }];
    expect(isUsed((block) => ({ ...block, parts }) as Block)).toBe(false);
  });

  it('gives the next summary a new number, even if an earlier one is lost from the log', () => {
    const options: Planned = { policy: 'summarise', inputBudget: 2_900, summaries: true };
    const first = passed(drawnEvents(SESSION), options);
    const more = drawnEvents('5 reply five 600\n5 reply six 600\n5 reply seven 600').slice(1);
    const second = passed([...first, ...more], options);
    const third = drawnEvents('5 reply eight 600\n5 reply nine 600\n5 reply ten 600').slice(1);
    const lost = second.filter((event) => event.type !== 'passApplied' || event.pass.number === 2);
    const { blocks, ledger } = foldNew(passed([...lost, ...third], options));
    expect(ledger.map(({ pass }) => pass.number)).toEqual([2, 3]);
    const ids = blocks.map(({ id }) => id);
    expect(ids).not.toContain('summary-1');
    expect(ids).toContain('summary-4');
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('everything older than the newest turns', () => {
  const LONG = `
    1 anchor task 10
    1 reply  one 900
    2 prompt next 10
    2 reply  two 900
    3 prompt more 10
    3 reply  three 900
    4 prompt now 10
    4 reply  four 300
    4 reply  five 300
  `;

  const earlier = (drawn: string, settings: Partial<Planned> = {}) => {
    const window = draw(drawn);
    return summariseEarlier({
      window,
      measured: measure(window, countDots),
      budget: budgetOf(100_000),
      trigger: 'manual',
      estimate: countDots,
      settings: { ...POLICY_SETTINGS, summaries: false, keepRecentTurns: 1, ...settings },
    });
  };

  it('is replaced by one summary, however full the window is, also if summaries are off', () => {
    const plan = earlier(LONG);
    expect(plan.summaries.map(({ covers }) => covers)).toEqual([
      ['step-1', 'prompt-2', 'step-2', 'prompt-3', 'step-3'],
    ]);
    expect(rules(plan)).toMatchObject({
      'prompt-1': 'keep:anchor',
      'prompt-4': 'keep:latestPrompt',
      'step-4': 'keep:recentTurns',
      'step-5': 'keep:openStep',
    });
  });

  it('is as many turns as the setting says', () => {
    const [job] = earlier(LONG, { keepRecentTurns: 2 }).summaries;
    expect(job?.covers).toEqual(['step-1', 'prompt-2', 'step-2']);
  });

  it('is the older steps if one turn is nearly everything', () => {
    const steps = Array.from({ length: 8 }, (_, index) => `1 step f${index}.ts 400`);
    const plan = earlier(['1 anchor task 10', ...steps].join('\n'), { keepRecentTurns: 2 });
    expect(plan.summaries.map(({ covers }) => covers)).toEqual([
      ['step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6'],
    ]);
  });

  it('excludes pinned blocks, and runs that a summary would not shorten', () => {
    const plan = earlier(`
      1 anchor task 10
      1 reply  one 900
      2 prompt next 10
      2 reply  two 900 !
      3 prompt more 10
      3 reply  three 60
      4 prompt now 10
      4 reply  four 100
      4 reply  five 100
    `);
    expect(plan.summaries.map(({ covers }) => covers)).toEqual([['step-1', 'prompt-2']]);
  });
});
