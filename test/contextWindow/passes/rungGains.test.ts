import { describe, expect, it } from 'vitest';
import { byRung, rungGains } from '../../../src/contextWindow/passes/rungGains';
import type { Decision, Pass } from '../../../src/contextWindow/plan';
import type { Reason, Rule } from '../../../src/contextWindow/reasons';

const exact = (tokens: number) => ({ tokens, exact: true });

function decided(
  action: Decision['action'],
  rule: Rule,
  before: number,
  after: number,
): Partial<Decision> {
  return { action, reason: { rule } as Reason, before: exact(before), after: exact(after) };
}

function passOf(decisions: readonly Partial<Decision>[], more: Partial<Pass> = {}): Pass {
  return {
    number: 1,
    trigger: 'highWatermark',
    decisions,
    summaries: [],
    before: exact(1_000),
    after: exact(1_000),
    ...more,
  } as unknown as Pass;
}

describe('what each rung freed', () => {
  it('counts every block for the rung that decided its last form, in the order of the ladder', () => {
    const pass = passOf(
      [
        decided('evict', 'evictLeastSalient', 300, 0),
        decided('keep', 'keep:recent', 90, 90),
        decided('clear', 'clearOldResults', 200, 40),
        decided('clear', 'clearSuperseded', 120, 20),
        decided('evict', 'evictOverCap', 50, 0),
        decided('trim', 'trimThinking', 80, 30),
        decided('truncate', 'shortenProtected', 700, 100),
      ],
      { overhead: { summaries: 0, scratchpad: 12, gapLines: 8 } },
    );
    expect(rungGains(pass)).toEqual([
      { rung: 'cap', blocks: 1, tokens: 50 },
      { rung: 'supersede', blocks: 1, tokens: 100 },
      { rung: 'clear', blocks: 1, tokens: 160 },
      { rung: 'trim', blocks: 1, tokens: 50 },
      { rung: 'evict', blocks: 1, tokens: 300 },
      { rung: 'shorten', blocks: 1, tokens: 600 },
      { rung: 'overhead', blocks: 0, tokens: -20 },
    ]);
    expect(byRung(pass.decisions).map(({ rung }) => rung)).not.toContain('overhead');
  });

  it('subtracts the summaries from the summarised tokens, and reports a growing overhead', () => {
    const compacted = [
      decided('summarise', 'summariseOldest', 300, 0),
      decided('summarise', 'summariseOldest', 400, 0),
    ];
    const pass = passOf(compacted, { overhead: { summaries: 90, scratchpad: 0, gapLines: 0 } });
    expect(rungGains(pass)).toEqual([{ rung: 'summarise', blocks: 2, tokens: 610 }]);
    const without = passOf([decided('evict', 'evictOldest', 300, 0)], {
      overhead: { summaries: 0, scratchpad: 20, gapLines: 0 },
    });
    expect(rungGains(without)).toEqual([
      { rung: 'evict', blocks: 1, tokens: 300 },
      { rung: 'overhead', blocks: 0, tokens: -20 },
    ]);
  });

  it('subtracts the excerpts from the tokens freed for them, and has their tokens if nothing was freed', () => {
    const overhead = { summaries: 0, scratchpad: 0, gapLines: 0, excerpts: 500 };
    const left = [
      decided('evict', 'evictFormerExcerpts', 300, 0),
      decided('clear', 'clearHeldByExcerpts', 900, 40),
      decided('evict', 'evictOldest', 100, 0),
    ];
    expect(rungGains(passOf(left, { overhead }))).toEqual([
      { rung: 'excerpts', blocks: 2, tokens: 660 },
      { rung: 'evict', blocks: 1, tokens: 100 },
    ]);
    expect(rungGains(passOf(left.slice(2), { overhead }))).toEqual([
      { rung: 'evict', blocks: 1, tokens: 100 },
      { rung: 'excerpts', blocks: 0, tokens: -500 },
    ]);
  });

  it('is empty for a change by hand', () => {
    const byHand = passOf([decided('evict', 'excludedByUser', 300, 0)], { trigger: 'byHand' });
    expect(rungGains(byHand)).toEqual([]);
  });
});
