import { rungGains } from '../../../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import { POLICY_NAMES } from '../../../../src/contextWindow/plan';
import { toRequest } from '../../../../src/contextWindow/request/request';
import { isWorthwhile } from '../../../../src/contextWindow/passes/pipeline';
import { reasonText } from '../../../../src/contextWindow/reasons';
import { draw, drawnEvents, foldNew, promptEvent } from '../../../support/drawing';
import { done, passed, planned, reason, rules } from '../../support/planned';

/**
 * Four turns; everything may be removed but the anchor, the newest prompt, the open step and a
 * pinned block.
 */
const SESSION = `
  1 anchor task 30
  1 read   a.ts 200
  1 read   b.ts 200 !
  2 prompt next 10
  2 read   c.ts 200
  2 reply  done 100
  3 prompt more 10
  3 read   d.ts 200
  4 prompt now 10
  4 read   e.ts 200
`;

describe.each(POLICY_NAMES)('%s', (policy) => {
  it('keeps the anchor, pinned blocks, the newest prompt and the open step, and says so', () => {
    const plan = planned(SESSION, { policy, inputBudget: 700, maxMessages: 2, keepTurns: 1 });
    expect(rules(plan)).toMatchObject({
      'prompt-1': 'keep:anchor',
      'step-2': 'keep:pinned',
      'prompt-4': 'keep:latestPrompt',
      'step-6': 'keep:openStep',
    });
    expect(done(plan).length).toBeGreaterThan(0);
  });

  it('gives every block one decision, in window order, with a sentence', () => {
    const plan = planned(SESSION, { policy, inputBudget: 1_000 });
    expect(plan.decisions.map(({ blockId }) => blockId)).toEqual(
      draw(SESSION).blocks.map(({ id }) => id),
    );
    for (const decision of plan.decisions) expect(reasonText(decision)).toMatch(/^[A-Z].{10,}/);
  });

  it('leaves pairs whole: every call in the request is answered', () => {
    const window = foldNew(passed(drawnEvents(SESSION), { policy, inputBudget: 1_000 }));
    const parts = toRequest(window).messages.flatMap(({ content }) => content);
    const asked = parts.flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
    const answered = parts.flatMap((part) =>
      part.type === 'tool_result' ? [part.tool_use_id] : [],
    );
    expect(answered).toEqual(asked);
  });

  it('keeps spared blocks', () => {
    const spared = ['step-1', 'step-3', 'step-4'];
    const plan = planned(SESSION, { policy, inputBudget: 1_000, maxMessages: 2, spared });
    const ruleOf = rules(plan);
    for (const id of spared) expect(ruleOf[id]).toBe('keep:spared');
    expect(reason(plan, 'step-1')).toBe('Spared by you in this pass');
  });

  it('keeps at most the set number of turns; 0 is no limit', () => {
    const capped = planned(SESSION, {
      policy,
      inputBudget: 100_000,
      trigger: 'cap',
      maxHistoryTurns: 3,
    });
    expect(done(capped)).toEqual([
      'evict step-1',
      'evict prompt-2',
      'evict step-3',
      'evict step-4',
    ]);
    expect(reason(capped, 'step-1')).toBe(
      'Over the limit: more than 3 turns, so only the newest 2 turns stay',
    );
    expect(reason(capped, 'prompt-3')).toContain('limit on turns or messages');
    for (const maxHistoryTurns of [0, 4]) {
      const free = { policy, inputBudget: 100_000, trigger: 'cap', maxHistoryTurns } as const;
      expect(done(planned(SESSION, free))).toEqual([]);
    }
  });

  it('only enforces the limit if only the limit is exceeded', () => {
    const plan = planned(SESSION, { policy, inputBudget: 800, trigger: 'cap', maxHistoryTurns: 3 });
    expect(done(plan)).toHaveLength(4);
    expect(rungGains(plan)).toEqual([{ rung: 'cap', blocks: 4, tokens: 510 }]);
  });

  it('frees tokens even below the low watermark if the user asks', () => {
    const plan = planned(SESSION, { policy, inputBudget: 100_000, trigger: 'manual' });
    expect(plan.target).toBe(Math.floor(1_160 * 0.6));
    expect(plan.estimatedAfter).toBeLessThanOrEqual(plan.target);
    expect(isWorthwhile(plan)).toBe(true);
  });

  it('keeps the anchor in the request if another prompt was made the task', () => {
    const events = [
      ...drawnEvents(SESSION),
      { type: 'anchorMoved', blockId: draw(SESSION).blocks.at(3)!.id } as const,
      promptEvent('last'),
    ];
    const ruleOf = rules(planned(foldNew(events), { policy, inputBudget: 700 }));
    expect(ruleOf).toMatchObject({ 'prompt-2': 'keep:anchor', 'prompt-5': 'keep:latestPrompt' });
    expect(ruleOf['prompt-1']).not.toBe('keep:anchor');
  });
});
