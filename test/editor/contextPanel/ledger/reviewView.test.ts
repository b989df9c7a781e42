import { EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import { planPass } from '../../../../src/contextWindow/passes/policies/policies';
import { measure } from '../../../../src/contextWindow/account/measure';
import { pricePass } from '../../../../src/contextWindow/passes/pipeline';
import { reviewView } from '../../../../src/editor/contextPanel/ledger/derive';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, dots, draw } from '../../../support/drawing';

const WINDOW = draw(`
  1 anchor task 30
${Array.from({ length: 14 }, (_, index) => `  1 step f${index}.ts 60`).join('\n')}
`);
const PLAN = planPass({
  window: WINDOW,
  measured: measure(WINDOW, countDots),
  budget: budgetOf(1_000),
  trigger: 'highWatermark',
  estimate: countDots,
  settings: { ...POLICY_SETTINGS, policy: 'summarise', summaryTokens: 100 },
});
const SUMMARIES = PLAN.summaries.map(({ summaryId, covers }) => ({
  id: summaryId,
  covers,
  text: `What was read. ${dots(20)}`,
  writtenBy: { by: 'workNote' as const, because: 'no model was to be had' },
}));
const review = () =>
  reviewView(
    { id: 3, reviewId: 2, proposed: { plan: PLAN, summaries: SUMMARIES } },
    EMPTY_WINDOW,
    countDots,
    { offline: true },
  );

describe('a pass in review', () => {
  it('shows the changes, and leaves out blocks that stay', () => {
    const { proposedPassId, trigger, policy, decisions } = review();
    expect([proposedPassId, trigger, policy]).toEqual([3, 'highWatermark', 'summarise']);
    expect(decisions.length).toBeGreaterThan(3);
    expect(decisions.length).toBeLessThan(PLAN.decisions.length);
    expect(decisions.map(({ action }) => action)).not.toContain('keep');
    expect(decisions[0]).toMatchObject({ blockId: 'step-1' as BlockId, label: 'read_file f0.ts' });
  });

  it('has the numbers of its later ledger entry', () => {
    const pass = pricePass(PLAN, SUMMARIES, WINDOW, countDots);
    expect([review().before, review().after]).toEqual([pass.before, pass.after]);
  });

  it('shows each summary for reading and editing, and says who wrote it', () => {
    expect(review().summaries).toEqual([
      {
        id: SUMMARIES[0]!.id,
        covers: SUMMARIES[0]!.covers.length,
        text: SUMMARIES[0]!.text,
        writtenBy: 'a work note, because no model was to be had',
        checked: '',
      },
    ]);
  });

  it('says what the next request costs at a cold cache, and nothing of it otherwise', () => {
    const cold = { warmTokens: 0, requestsToCome: 1 };
    const proposed = { plan: { ...PLAN, trigger: 'coldCache' as const }, summaries: [], cold };
    const view = reviewView({ id: 3, reviewId: 2, proposed }, EMPTY_WINDOW, countDots, {
      offline: true,
    });
    const written = PLAN.before.tokens.toLocaleString('en-US');
    expect(view.cold).toContain(`The prompt cache is cold: ≈ ${written} tokens are written to it`);
    expect(review().cold).toBeUndefined();
  });
});
