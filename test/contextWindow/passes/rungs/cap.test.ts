import { rungGains } from '../../../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/contextWindow/event';
import { measure } from '../../../../src/contextWindow/account/measure';
import type { POLICY_NAMES } from '../../../../src/contextWindow/plan';
import { turnsIn } from '../../../../src/contextWindow/passes/rungs/cap';
import { dueTrigger } from '../../../../src/contextWindow/passes/pipeline';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { budgetOf, countDots, drawnEvents, evicting, foldNew } from '../../../support/drawing';
import { done, passed, planned, rules, settled, type Planned } from '../../support/planned';
import { isInWindow, type BlockId } from '../../../../src/contextWindow/block';
import { planPass } from '../../../../src/contextWindow/passes/policies/policies';
import { reasonText } from '../../../../src/contextWindow/reasons';

type Named = (typeof POLICY_NAMES)[number];

/** One prompt and its answer. */
const turn = (number: number) => `${number} prompt p${number} 5\n${number} reply r${number} 5`;

/** A session of this many turns; the first prompt is the pinned anchor. */
function session(turns: number): readonly NewEvent[] {
  return drawnEvents(Array.from({ length: turns }, (_, index) => turn(index + 1)).join('\n'));
}

const settingsFor = (policy: Named, caps: Partial<Planned>): Planned & { policy: Named } => ({
  policy,
  inputBudget: 100_000,
  trigger: 'cap',
  ...caps,
});

function isDue(events: readonly NewEvent[], settings: Planned & { policy: Named }): boolean {
  const window = foldNew(events);
  const all = { ...POLICY_SETTINGS, ...settings };
  return (
    dueTrigger({
      window,
      measured: measure(window, countDots),
      budget: budgetOf(100_000),
      settings: all,
    }) === 'cap'
  );
}

/** The turns in the window after each prompt of a long session, with passes run as they are due. */
function lived(settings: Planned & { policy: Named }, turns: number) {
  let events: readonly NewEvent[] = session(0);
  let passes = 0;
  const counts: number[] = [];
  for (let number = 1; number <= turns; number++) {
    const [asked, answered] = drawnEvents(turn(number)).slice(1);
    events = [...events, asked!];
    if (isDue(events, settings)) {
      events = passed(events, settings);
      passes += 1;
    }
    counts.push(turnsIn(foldNew(events)));
    events = [...events, answered!];
  }
  return { counts, passes };
}

describe('the limit on turns', () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [5, 4],
    [6, 4],
    [10, 8],
    [50, 40],
  ])('of %i is enforced by a pass at one turn more, which leaves %i', (most, left) => {
    const settings = settingsFor('ladder', { maxHistoryTurns: most });
    expect(isDue(session(most), settings)).toBe(false);
    expect(done(planned(foldNew(session(most)), settings))).toEqual([]);
    const over = session(most + 1);
    expect(isDue(over, settings)).toBe(true);
    expect(turnsIn(foldNew(passed(over, settings)))).toBe(left);
  });

  it('is never exceeded in a request, and its passes are rare', () => {
    const { counts, passes } = lived(settingsFor('ladder', { maxHistoryTurns: 10 }), 40);
    expect(Math.max(...counts)).toBe(10);
    // Without a lower mark there would be one at each of the last 29 prompts.
    expect(passes).toBe(10);
  });

  it('counts the turns in the window, so that a fully evicted turn does not count', () => {
    const events = [...session(5), evicting('prompt-3', 'step-3')];
    const settings = settingsFor('ladder', { maxHistoryTurns: 3 });
    expect(done(planned(foldNew(events), settings))).toEqual([
      'evict step-1',
      'evict prompt-2',
      'evict step-2',
    ]);
  });
});

describe('the newest turns and messages of a policy', () => {
  it('are kept to their exact number, even with a limit of the same number', () => {
    for (const maxHistoryTurns of [5, 50, 0]) {
      const settings = settingsFor('lastTurns', { keepTurns: 5, maxHistoryTurns });
      expect(turnsIn(foldNew(passed(session(6), settings)))).toBe(5);
      expect(done(planned(foldNew(session(5)), settings))).toEqual([]);
    }
    const sliding = settingsFor('slidingWindow', { maxMessages: 8, maxHistoryTurns: 50 });
    expect(
      foldNew(passed(session(8), sliding)).blocks.filter(({ state }) => state === 'whole'),
    ).toHaveLength(8);
  });

  it('yield to a lower limit on turns', () => {
    const settings = settingsFor('lastTurns', { keepTurns: 20, maxHistoryTurns: 5 });
    expect(turnsIn(foldNew(passed(session(6), settings)))).toBe(4);
  });
});

describe('the limit on turns with summaries on', () => {
  /** Seven turns of 505 tokens each. */
  const long = drawnEvents(
    [1, 2, 3, 4, 5, 6, 7].map((n) => `${n} prompt p${n} 5\n${n} reply r${n} 500`).join('\n'),
  );
  const settings = settingsFor('ladder', { maxHistoryTurns: 6, summaries: true });

  it('replaces the removed turns by one summary, and says so', () => {
    const window = foldNew(long);
    const plan = planned(window, settings);
    expect(plan.summaries).toMatchObject([
      { covers: ['step-1', 'prompt-2', 'step-2', 'prompt-3', 'step-3'], maxTokens: 755 },
    ]);
    expect(done(plan)).toEqual(plan.summaries[0]!.covers.map((id) => `summarise ${id}`));
    expect(rules(plan)['prompt-3']).toBe('summariseOverCap');
    expect(rungGains(plan).map(({ rung }) => rung)).toEqual(['summarise']);
    expect(
      reasonText(settled(plan, window).decisions.find(({ blockId }) => blockId === 'step-2')!),
    ).toBe(
      'Over the limit: more than 6 turns, so only the newest 4 turns stay; replaced by a work note (this is a test)',
    );
  });

  it('includes the former summary in the next, so that there is never more than one', () => {
    let events: readonly NewEvent[] = passed(long, settings);
    for (const number of [8, 9, 10, 11]) {
      events = [
        ...events,
        ...drawnEvents(`${number} prompt p${number} 5\n${number} reply r 500`).slice(1),
      ];
      if (isDue(events, settings)) events = passed(events, settings);
    }
    const { blocks, ledger } = foldNew(events);
    expect(ledger).toHaveLength(2);
    expect(blocks.filter((block) => block.kind === 'summary' && isInWindow(block))).toHaveLength(1);
  });

  it('evicts turns that are too small for a summary, and skips pinned blocks', () => {
    expect(done(planned(foldNew(session(7)), settings))).toEqual([
      'evict step-1',
      'evict prompt-2',
      'evict step-2',
      'evict prompt-3',
      'evict step-3',
    ]);
    const pinned = [...long, { type: 'blockPinned', blockId: 'step-2' as BlockId } as const];
    expect(planned(foldNew(pinned), settings).summaries.map(({ covers }) => covers)).toEqual([
      ['step-1', 'prompt-2'],
      ['prompt-3', 'step-3'],
    ]);
  });

  it('is planned one turn ahead as it will be when that turn begins', () => {
    const six = long.slice(0, -2);
    const input = { ...settings, window: foldNew(six) };
    const coversNow = (turnsToCome?: number) =>
      planPass({
        window: input.window,
        measured: measure(input.window, countDots),
        budget: budgetOf(100_000),
        trigger: 'cap',
        estimate: countDots,
        settings: { ...POLICY_SETTINGS, maxHistoryTurns: 6, summaries: true },
        ...(turnsToCome === undefined ? {} : { turnsToCome }),
      }).summaries.map(({ covers }) => covers);
    expect(coversNow()).toEqual([]);
    expect(coversNow(1)).toEqual(
      planned(foldNew(long), settings).summaries.map(({ covers }) => covers),
    );
  });
});
