import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { drawnEvents, foldNew, scratchpadEvent } from '../../../support/drawing';
import { done, passed, planned, reason, rules, settled, type Planned } from '../../support/planned';

/** Nothing can be cleared, only thinking removed. */
const THINKING = `
  1 anchor task 10
  1 read a.ts 1 thinks200
  1 read b.ts 1 thinks200
  1 read c.ts 1 thinks200
  1 read d.ts 1 thinks200
`;

const OPTIONS: Planned = { policy: 'ladder', inputBudget: 1_000 };

const sendsThinking = (events: readonly NewEvent[]) =>
  foldNew(events).blocks.flatMap((block) =>
    block.kind === 'step' && !block.thinkingDropped ? [block.id] : [],
  );

describe('thinking', () => {
  it('is removed oldest first until the target is reached; the rest stays in the request', () => {
    const plan = planned(THINKING, OPTIONS);
    expect(done(plan)).toEqual(['trim step-1', 'trim step-2']);
    expect(plan.estimatedAfter).toBe(414);
    expect(plan.decisions[1]).toMatchObject({
      reason: { rule: 'trimThinking', because: 'oldest' },
      before: { tokens: 201 },
      after: { tokens: 1 },
      wayBack: { handle: 'step-1' },
    });
    expect(reason(plan, 'step-1')).toContain('Oldest thinking removed');
    const events = passed(drawnEvents(THINKING), OPTIONS);
    expect(sendsThinking(events)).toEqual(['step-3', 'step-4']);
    const { blocks, ledger } = foldNew(events);
    expect(blocks.map(({ state }) => state)).toEqual([
      'whole',
      'trimmed',
      'trimmed',
      'whole',
      'whole',
    ]);
    expect(ledger.at(0)!.pass.after.tokens).toBe(414);
  });

  it('of the newest step stays as long as nothing before it changes', () => {
    const plan = planned(THINKING, { ...OPTIONS, inputBudget: 300 });
    expect(rules(plan)['step-3']).not.toBe('keep:enough');
    const only = planned('1 anchor task 500\n1 read a.ts 1 thinks400', OPTIONS);
    expect(done(only)).toEqual([]);
  });

  it('after a change is removed whole, each step with a decision and its numbers', () => {
    const plan = planned(THINKING.replace('a.ts 1', 'a.ts 300'), {
      ...OPTIONS,
      policy: 'tokenBudget',
      inputBudget: 1_100,
    });
    expect(done(plan)).toEqual(['clear step-1', 'trim step-2', 'trim step-3', 'trim step-4']);
    expect(reason(plan, 'step-4')).toContain('because something before it changed');
    expect(plan.estimatedAfter).toBe(13);
    for (const { action, before, after } of plan.decisions) {
      if (action === 'trim') expect([before.tokens, after.tokens]).toEqual([201, 1]);
    }
  });

  it('without tokens still has its decision when it is removed', () => {
    const weightless = drawnEvents('1 anchor task 10\n1 read a.ts 900\n1 read b.ts 1 thinks1').map(
      (event): NewEvent =>
        event.type === 'replyReceived'
          ? {
              ...event,
              parts: event.parts.map((part) =>
                part.type === 'thinking' ? { ...part, thinking: '' } : part,
              ),
            }
          : event,
    );
    const plan = planned(foldNew(weightless), { ...OPTIONS, policy: 'tokenBudget' });
    expect(done(plan)).toEqual(['evict step-1', 'trim step-2']);
  });

  it('is removed everywhere if the pass shows other notes: they come before all of it', () => {
    const events = [...drawnEvents(THINKING), scratchpadEvent('find it')];
    const plan = planned(foldNew(events), OPTIONS);
    expect(done(plan)).toEqual(['trim step-1', 'trim step-2', 'trim step-3', 'trim step-4']);
    expect(sendsThinking(passed(events, OPTIONS))).toEqual([]);
  });

  it('of a spared step stays, and so does all later thinking', () => {
    const kept = planned(THINKING, { ...OPTIONS, spared: ['step-1', 'step-2', 'step-3'] });
    expect(done(kept)).toEqual([]);
    expect(rules(kept)['step-1']).toBe('keep:spared');
  });

  it('of a cleared block is removed without changing the reason of the clearing', () => {
    const cleared = passed(
      drawnEvents(
        `1 anchor task 10
         1 read b.ts 1 thinks100
         1 read log.txt 800
         1 read c.ts 1
         1 read d.ts 1
         1 read e.ts 1`,
      ),
      { policy: 'tokenBudget', inputBudget: 1_000 },
    );
    const window = foldNew(cleared);
    expect(window.blocks.at(2)!.state).toBe('cleared');
    const more = drawnEvents('1 read f.ts 700 thinks100\n1 read g.ts 1').slice(1);
    const renamed = [...cleared, ...more];
    const later = foldNew(renamed);
    const pass = settled(planned(later, OPTIONS), later);
    const after = foldNew([...renamed, { type: 'passApplied', pass }]);
    expect(after.blocks.at(2)!.state).toBe('cleared');
    expect(after.decisions.get(after.blocks.at(2)!.id)?.action).toBe('clear');
  });
});
