import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/contextWindow/event';
import type { Plan, Trigger } from '../../../../src/contextWindow/plan';
import { measure } from '../../../../src/contextWindow/account/measure';
import { ladder } from '../../../../src/contextWindow/passes/policies/policies';
import { isWorthwhile, pricePass } from '../../../../src/contextWindow/passes/pipeline';
import { reasonText } from '../../../../src/contextWindow/reasons';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, dots, draw, drawnEvents, foldNew } from '../../../support/drawing';

interface Options {
  readonly inputBudget: number;
  readonly compaction?: boolean;
  readonly trigger?: Trigger;
}

function planFor(drawing: string, options: Options): Plan {
  const window = draw(drawing);
  return ladder({
    window,
    measured: measure(window, countDots),
    budget: budgetOf(options.inputBudget),
    trigger: options.trigger ?? 'highWatermark',
    estimate: countDots,
    settings: { ...POLICY_SETTINGS, summaries: options.compaction ?? false },
  });
}

/** The labels of the changed blocks, each with its action. */
function done(plan: Plan): readonly string[] {
  return plan.decisions
    .filter(({ action }) => action !== 'keep')
    .map(({ action, label }) => `${action} ${label.replace('read_file ', '')}`);
}

describe('ladder', () => {
  it('clears old tool results, oldest first, until the low watermark is reached', () => {
    const plan = planFor(
      `1 anchor task 30
       1 step a.ts 400
       1 step b.ts 300
       1 step c.ts 300
       1 step d.ts 100
       1 step e.ts 100
       1 step f.ts 100`,
      { inputBudget: 1_300 },
    );
    expect(done(plan)).toEqual(['clear a.ts', 'clear b.ts']);
    expect(plan.estimatedAfter).toBe(630);
  });

  it('keeps the three newest results whatever they weigh', () => {
    const plan = planFor(
      `1 anchor task 30
       1 step a.ts 100
       1 step b.ts 500
       1 step c.ts 500
       1 step d.ts 500`,
      { inputBudget: 3_100 },
    );
    expect(done(plan)[0]).toBe('clear a.ts');
    expect(plan.decisions.find(({ label }) => label.endsWith('d.ts'))!.reason.rule).toBe(
      'keep:openStep',
    );
  });

  it('does not touch a pinned block', () => {
    const plan = planFor(
      `1 anchor task 30
       1 step a.ts 400 !
       1 step b.ts 300
       1 step c.ts 300
       1 step d.ts 100
       1 step e.ts 100
       1 step f.ts 100`,
      { inputBudget: 1_500 },
    );
    expect(done(plan)).toEqual(['clear b.ts', 'clear c.ts']);
    expect(plan.decisions[1]).toMatchObject({ action: 'keep', reason: { rule: 'keep:pinned' } });
  });

  it('replaces the oldest replies by one summary when there is nothing left to clear', () => {
    const plan = planFor(
      `1 anchor task 30
       1 reply one 600
       2 prompt next 10
       2 reply two 600
       3 prompt again 10
       3 reply three 600
       4 prompt now 10`,
      { inputBudget: 3_000, compaction: true },
    );
    expect(plan.summaries.map(({ covers }) => covers)).toEqual([['step-1']]);
    expect(plan.decisions.filter(({ action }) => action === 'summarise')).toHaveLength(1);
    expect(plan.estimatedAfter).toBe(1_860 - 600 + 200);
  });

  it('evicts the least salient blocks if summaries are off', () => {
    const plan = planFor(
      `1 anchor task 30
       1 reply one 600
       2 prompt next 10
       2 reply two 600
       3 prompt again 10
       3 reply three 600
       4 prompt now 10`,
      { inputBudget: 2_000 },
    );
    expect(done(plan)).toEqual([
      'evict Reply: one' + '·'.repeat(69) + '…',
      'evict Prompt: next··········',
      'evict Reply: two' + '·'.repeat(69) + '…',
    ]);
  });

  it('gives one decision for every block, kept ones included, with a reason', () => {
    const plan = planFor('1 anchor task 10\n1 step a.ts 900\n1 step b.ts 900', {
      inputBudget: 2_000,
    });
    expect(plan.decisions).toHaveLength(3);
    for (const decision of plan.decisions) expect(reasonText(decision)).toMatch(/^[A-Z].{9}/);
  });

  it('frees nothing and is not worthwhile when anchor and newest step fill the window', () => {
    const plan = planFor('1 anchor task 900\n1 step a.ts 900', { inputBudget: 2_000 });
    expect(done(plan)).toEqual([]);
    expect(isWorthwhile(plan)).toBe(false);
  });

  it('is not worthwhile for a few tokens above the watermark, and is when over the budget', () => {
    const small = `1 anchor task 100
       1 reply pinned 1600 !
       1 step a.ts 90
       1 step b.ts 10
       1 step c.ts 10
       1 step d.ts 10`;
    expect(isWorthwhile(planFor(small, { inputBudget: 2_000 }))).toBe(false);
    expect(isWorthwhile(planFor(small, { inputBudget: 1_800 }))).toBe(true);
  });

  it('shrinks after an overflow even when the estimate is below the low watermark', () => {
    const plan = planFor(
      `1 anchor task 30
       1 step a.ts 100
       1 step b.ts 100
       1 step c.ts 100
       1 step d.ts 100`,
      { inputBudget: 10_000, trigger: 'overflow' },
    );
    expect(done(plan)).toEqual(['clear a.ts']);
    expect(isWorthwhile(plan)).toBe(true);
  });

  it('evicts the prompt of a turn whose steps were all evicted', () => {
    const plan = planFor(
      `1 anchor task 30
       1 reply one 10
       2 prompt old 10
       2 reply two 900
       3 prompt new 10
       3 step  c.ts 900
       3 step  d.ts 100`,
      { inputBudget: 2_000 },
    );
    const gone = plan.decisions.filter(({ action }) => action === 'evict').map((d) => d.blockId);
    expect(gone).toContain('prompt-2');
    expect(gone).toContain('step-2');
  });

  it('keeps the prompt of a turn with a pinned step', () => {
    const plan = planFor(
      `1 anchor task 30
       1 reply one 10
       2 prompt old 10
       2 reply two 900
       2 reply pin 50 !
       3 prompt new 10
       3 step  c.ts 900
       3 step  d.ts 100`,
      { inputBudget: 2_000 },
    );
    const gone = plan.decisions.filter(({ action }) => action === 'evict').map((d) => d.blockId);
    expect(gone).toContain('step-2');
    expect(gone).not.toContain('prompt-2');
  });

  it('counts the notes that a pass will show: a pass that adds more than it frees does not run', () => {
    const notes: NewEvent = {
      type: 'scratchpadUpdated',
      scratchpad: {
        objective: dots(350),
        keyFacts: [],
        decisions: [],
        currentStep: '',
        blockers: [],
      },
    };
    const events = drawnEvents(
      `1 anchor task 30
       1 step a.ts 300
       1 step b.ts 100
       1 step c.ts 100
       1 step d.ts 100`,
    );
    const window = foldNew([...events, notes]);
    const plan = ladder({
      window,
      measured: measure(window, countDots),
      budget: budgetOf(10_000),
      trigger: 'overflow',
      estimate: countDots,
      settings: { ...POLICY_SETTINGS, summaries: false },
    });
    const pass = pricePass(plan, [], window, countDots);
    const after = measure(foldNew([...events, notes, { type: 'passApplied', pass }]), countDots);
    expect(pass.after.tokens).toBe(after.used.tokens);
    expect(pass.after.tokens < pass.before.tokens).toBe(isWorthwhile(plan));
  });

  it('prices the old text after the first change: notes shown again, cleared results', () => {
    const framed = (text: string) => countDots(text) + (text === '' ? 0 : 1);
    const events = drawnEvents(
      `1 anchor task 30
       1 step p.ts 50 !
       1 step a.ts 400
       1 step b.ts 300
       1 step c.ts 300
       1 step d.ts 100
       1 step e.ts 100
       1 step f.ts 100`,
    );
    const notes = { objective: 'x', keyFacts: [], decisions: [], currentStep: '', blockers: [] };
    for (const noted of [false, true]) {
      const updated: NewEvent = { type: 'scratchpadUpdated', scratchpad: notes };
      const window = foldNew(noted ? [...events, updated] : events);
      const plan = ladder({
        window,
        measured: measure(window, framed),
        budget: budgetOf(1_400),
        trigger: 'highWatermark',
        estimate: framed,
        settings: { ...POLICY_SETTINGS, summaries: false },
      });
      expect(done(plan)).toEqual(['clear a.ts', 'clear b.ts']);
      const { cache } = pricePass(plan, [], window, framed);
      // Two texts a step, the cleared ones without their 700 tokens; the pinned one comes before,
      // and no request has had the newest. A scratchpad that is shown again is new text.
      expect(cache.rewrittenTokens).toBe(5 * 2 + 500 + (noted ? 52 : 0));
      expect(cache.addedTokens).toBe(noted ? 1 : 0);
    }
  });
});
