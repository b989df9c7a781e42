import { describe, expect, it } from 'vitest';
import { done, planned, reason, rules, type Planned } from '../../support/planned';

/** The head is the anchor and the four blocks after it. */
const SESSION = `
  1 anchor task 10
  1 read   a.ts 100
  1 read   b.ts 100
  1 read   c.ts 100
  1 read   d.ts 100
  1 read   e.ts 100
  1 read   f.ts 100
  1 read   g.ts 100
  2 prompt now 10
  2 read   h.ts 100
`;

const run = (options: Partial<Planned>) =>
  planned(SESSION, { policy: 'headTail', inputBudget: 1_000, ...options });

describe('headTail', () => {
  it('evicts the middle, oldest first, and names the head', () => {
    const plan = run({ low: 0.65 });
    expect(done(plan)).toEqual(['evict step-5', 'evict step-6']);
    expect(reason(plan, 'step-5')).toContain('Between the head and the newest blocks');
    for (const id of ['step-1', 'step-2', 'step-3', 'step-4']) {
      expect(rules(plan)[id]).toBe('keep:head');
    }
    expect(rules(plan)['prompt-1']).toBe('keep:anchor');
  });

  it('keeps the head if evicting everything else stops short of the low watermark but frees enough', () => {
    const plan = run({ low: 0.4 });
    expect(done(plan)).toEqual(['evict step-5', 'evict step-6', 'evict step-7']);
    expect(plan.estimatedAfter).toBe(520);
  });

  it('evicts the head too, oldest first, if nothing else frees enough', () => {
    const plan = run({ inputBudget: 600 });
    expect(done(plan)).toEqual([
      'evict step-1',
      'evict step-2',
      'evict step-3',
      'evict step-5',
      'evict step-6',
      'evict step-7',
    ]);
    expect(rules(plan)['step-4']).toBe('keep:head');
  });

  it('keeps the number of messages by evicting the middle', () => {
    // Eighteen messages, each read being two.
    const long = SESSION.replace('2 prompt', '1 read   i.ts 100\n  2 prompt');
    const plan = planned(long, {
      policy: 'headTail',
      inputBudget: 2_000,
      trigger: 'cap',
      maxMessages: 18,
    });
    expect(done(plan)).toEqual(['evict step-5']);
    expect(rules(plan)['step-5']).toBe('evictOverCap');
    expect(reason(plan, 'step-5')).toContain('only 18 messages stay, the head and the newest');
    expect(rules(plan)['step-4']).toBe('keep:head');
  });

  it.each([
    [16, ['step-1', 'step-2', 'step-3'], ['step-4']],
    [8, ['step-1'], ['step-2', 'step-3', 'step-4', 'step-5', 'step-6']],
    [6, ['step-1'], ['step-2', 'step-3', 'step-4', 'step-5', 'step-6', 'step-7']],
    [5, [], ['step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6', 'step-7']],
    [2, [], ['step-1', 'step-2', 'step-3', 'step-4', 'step-5', 'step-6', 'step-7']],
  ])(
    'has a head of at most half of %i messages, and always the anchor',
    (maxMessages, head, gone) => {
      const plan = run({ trigger: 'cap', maxMessages });
      const kept = Object.entries(rules(plan)).flatMap(([id, rule]) =>
        rule === 'keep:head' ? [id] : [],
      );
      expect(kept).toEqual(head);
      expect(done(plan)).toEqual(gone.map((id) => `evict ${id}`));
      expect(rules(plan)['prompt-1']).toBe('keep:anchor');
      expect(rules(plan)['prompt-2']).toBe('keep:latestPrompt');
    },
  );

  it('evicts from the head if the user asks and nothing else is left', () => {
    const plan = planned('1 anchor task 10\n1 read a.ts 100\n1 read b.ts 100\n2 prompt now 10', {
      policy: 'headTail',
      inputBudget: 10_000,
      trigger: 'manual',
    });
    expect(done(plan)).toEqual(['evict step-1']);
  });
});
