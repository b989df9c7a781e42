import { describe, expect, it } from 'vitest';
import type { Block, BlockId } from '../../src/contextWindow/block';
import type { NewEvent } from '../../src/contextWindow/event';
import { measure } from '../../src/contextWindow/account/measure';
import {
  clearByHand,
  excludeByHand,
  restoreByHand,
  type ByHand,
} from '../../src/contextWindow/passes/byHand';
import type { PolicyFacts } from '../../src/contextWindow/passes/rungs/policyInput';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import { pricePass } from '../../src/contextWindow/passes/pipeline';
import { blockReason } from '../../src/editor/contextPanel/blocks/blockReason';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { budgetOf, countDots, dots, drawnEvents, foldNew, promptEvent } from '../support/drawing';
import { done, passed, planned, reason, rules } from './support/planned';

type Events = readonly NewEvent[];
type Change = (input: PolicyFacts) => ByHand;

const SESSION = drawnEvents(`
  1 anchor task 10
  1 read   a.ts 400
  1 read   b.ts 300
  2 prompt next 10
  2 read   c.ts 100
  3 prompt more 10
  3 read   d.ts 10
`);

/** One more step of the third turn. */
const STEP = drawnEvents('3 read e.ts 10').slice(-2);

const change = (made: Change) => made;
const exclude = (id: string) => change((input) => excludeByHand(input, id));
const restore = (id: string) => change((input) => restoreByHand(input, id));
const clear = (id: string) => change((input) => clearByHand(input, id));

function inputOf(events: Events, inputBudget: number, policy = POLICY_SETTINGS.policy) {
  const window = foldNew(events);
  return {
    window,
    measured: measure(window, countDots),
    budget: budgetOf(inputBudget),
    estimate: countDots,
    settings: { ...POLICY_SETTINGS, policy },
  };
}

function planOf(
  events: Events,
  made: Change,
  inputBudget = 2_000,
  policy = POLICY_SETTINGS.policy,
) {
  const by = made(inputOf(events, inputBudget, policy));
  if (!by.ok || by.plan === undefined) throw new Error(`No plan: ${JSON.stringify(by)}`);
  return by.plan;
}

function after(events: Events, ...changes: readonly Change[]): Events {
  return changes.reduce<Events>((so, made) => {
    const pass = pricePass(planOf(so, made), [], foldNew(so), countDots);
    return [...so, { type: 'passApplied', pass }];
  }, events);
}

const blockIn = (events: Events, id: string): Block =>
  foldNew(events).blocks.find((block) => block.id === id)!;
const ruleOf = (events: Events, id: string) =>
  rules(planned(foldNew(events), { policy: 'ladder', inputBudget: 900 }))[id];

describe('a restored block', () => {
  const restored = after(SESSION, exclude('step-1'), restore('step-1'));

  it.each(POLICY_NAMES)('survives an immediately following pass under %s', (policy) => {
    for (const trigger of ['highWatermark', 'manual', 'cap', 'overflow'] as const) {
      const options = { policy, inputBudget: 900, maxMessages: 2, keepTurns: 1, trigger };
      const taken = done(planned(foldNew(SESSION), options));
      expect(taken.some((what) => what.endsWith(' step-1'))).toBe(
        // Only these policies limit a count.
        trigger !== 'cap' || ['lastTurns', 'slidingWindow', 'headTail'].includes(policy),
      );
      const plan = planned(foldNew(restored), options);
      expect(rules(plan)['step-1']).toBe('keep:restored');
      expect(reason(plan, 'step-1')).toContain('until the model has read it');
    }
  });

  it('may be evicted once the model has read it', () => {
    expect(ruleOf([...restored, promptEvent('go on')], 'step-1')).toBe('keep:restored');
    expect(ruleOf([...restored, ...STEP], 'step-1')).not.toBe('keep:restored');
    const options = { policy: 'slidingWindow', inputBudget: 900, maxMessages: 2 } as const;
    const events = passed([...restored, ...STEP], options);
    expect(blockIn(events, 'step-1').state).toBe('evicted');
  });

  it('does not count as read by a reply that was being written during the restore', () => {
    const [reply, ...results] = STEP;
    const meanwhile = { ...reply, editedMeanwhile: true } as NewEvent;
    expect(ruleOf([...restored, meanwhile, ...results], 'step-1')).toBe('keep:restored');
  });

  it('loses its protection if the restore was undone or its results cleared again', () => {
    const twice = after(restored, exclude('step-2'));
    expect(ruleOf(twice, 'step-1')).toBe('keep:restored');
    expect(blockIn([...restored, { type: 'passUndone', number: 2 }], 'step-1').state).toBe(
      'evicted',
    );
    expect(ruleOf(after(restored, clear('step-1')), 'step-1')).not.toBe('keep:restored');
  });

  it('is truncated, then evicted, if the request could not be sent otherwise', () => {
    const cut = planned(foldNew(restored), { policy: 'ladder', inputBudget: 350 });
    expect(done(cut)).toContain('truncate step-1');
    expect(cut.estimatedAfter).toBeLessThanOrEqual(350);
    const uncuttable = [
      ...drawnEvents('1 anchor task 10\n1 reply said 400\n2 prompt next 10\n2 read b.ts 10'),
    ];
    const events = after(uncuttable, exclude('step-1'), restore('step-1'));
    const plan = planned(foldNew(events), { policy: 'ladder', inputBudget: 300 });
    expect(done(plan)).toEqual(['evict step-1']);
    const spared = planned(foldNew(events), {
      policy: 'ladder',
      inputBudget: 300,
      spared: ['step-1'],
    });
    expect(done(spared)).not.toContain('evict step-1');
  });

  it('is named with the numbers if the window is too full to keep it', () => {
    const left = after(SESSION, exclude('step-1'));
    const told = (inputBudget: number, policy = POLICY_SETTINGS.policy) =>
      reason(planOf(left, restore('step-1'), inputBudget, policy), 'step-1');
    expect(told(1_050)).toBe('Restored by you');
    expect(told(1_049)).toBe(
      'Restored by you. The window is then above the high watermark (≈ 840 of 839 tokens): ' +
        'it stays until the model has read it once, and a pin keeps it longer',
    );
    expect(told(1_049, 'server')).toBe('Restored by you');
  });

  it('shows in the panel how long it stays', () => {
    const window = foldNew(restored);
    expect(blockReason(window, blockIn(restored, 'step-1'))).toBe(
      'Restored by you: it stays until the model has read it. A pin keeps it longer',
    );
  });
});

describe('the note about a return', () => {
  const note: NewEvent = {
    type: 'noteAdded',
    source: { from: 'return', idleMs: 30 * 86_400_000 },
    text: dots(40),
    admission: { form: 'whole' },
  };
  const returned = [...after(SESSION, exclude('step-1')), note];

  it('stays until the model has read it, as ledger and panel say', () => {
    const plan = planned(foldNew(returned), { inputBudget: 900, trigger: 'manual' });
    expect(rules(plan)['note-1']).toBe('keep:unread');
    expect(reason(plan, 'note-1')).toBe(
      'Says how long the session was idle: it stays until the model has read it',
    );
    expect(blockReason(foldNew(returned), blockIn(returned, 'note-1'))).toBe(
      'Says how long the session was idle: it stays until the model has read it',
    );
  });

  it('may be evicted once it was read', () => {
    const read = [...returned, ...STEP];
    expect(ruleOf(read, 'note-1')).not.toBe('keep:unread');
    expect(blockReason(foldNew(read), blockIn(read, 'note-1'))).toBe(
      'Told the model how long the session was idle, and what had changed',
    );
  });
});

describe('a block recalled by the user', () => {
  const note: NewEvent = {
    type: 'noteAdded',
    source: { from: 'recall', blockId: 'step-1' as BlockId, label: 'read_file a.ts' },
    text: dots(400),
    admission: { form: 'whole' },
  };
  const recalled = [...after(SESSION, exclude('step-1')), note];

  it.each(POLICY_NAMES)('survives an immediately following pass under %s', (policy) => {
    for (const trigger of ['highWatermark', 'manual', 'cap', 'overflow'] as const) {
      const options = { policy, inputBudget: 900, maxMessages: 2, keepTurns: 1, trigger };
      const plan = planned(foldNew(recalled), options);
      expect(rules(plan)['note-1']).toBe('keep:unread');
    }
  });

  it('may be evicted once the model has read it', () => {
    expect(ruleOf([...recalled, ...STEP], 'note-1')).not.toBe('keep:unread');
    const [reply, ...results] = STEP;
    const meanwhile = { ...reply, editedMeanwhile: true } as NewEvent;
    expect(ruleOf([...recalled, meanwhile, ...results], 'note-1')).toBe('keep:unread');
  });

  it('is truncated if the request would not fit', () => {
    const plan = planned(foldNew(recalled), { policy: 'ladder', inputBudget: 300 });
    expect(done(plan)).toContain('truncate note-1');
    expect(plan.estimatedAfter).toBeLessThanOrEqual(300);
  });
});
