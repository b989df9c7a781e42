import { describe, expect, it } from 'vitest';
import { turnsIn } from '../../../../src/contextWindow/passes/rungs/cap';
import { reasonText } from '../../../../src/contextWindow/reasons';
import { POLICY_SETTINGS } from '../../../support/agentSettings';
import { dots, draw, drawnEvents, foldNew } from '../../../support/drawing';
import { done, passed, planned, reason, rules, settled, type Planned } from '../../support/planned';

/** Five turns of 200 tokens; the first prompt is the pinned task. */
const SESSION = [1, 2, 3, 4, 5]
  .map((turn) => `${turn} prompt p${turn} 10\n${turn} run ls${turn} 100\n${turn} reply r${turn} 90`)
  .join('\n');

const plan = (options: Partial<Planned> = {}, drawn = SESSION) =>
  planned(drawn, { policy: 'summarise', inputBudget: 1_200, keepRecentTurns: 2, ...options });

/** The turns from which a plan removes or changes anything. */
function turnsTouched(made: ReturnType<typeof plan>, drawn = SESSION): readonly number[] {
  const touched = new Set(done(made).map((what) => what.split(' ')[1]));
  const { blocks } = draw(drawn);
  return [...new Set(blocks.flatMap(({ id, turn }) => (touched.has(id) ? [turn] : [])))];
}

describe('the newest turns', () => {
  it('stay verbatim while older blocks can make enough room', () => {
    for (const policy of ['ladder', 'summarise'] as const) {
      const made = plan({ policy });
      expect(made.estimatedAfter).toBeLessThanOrEqual(made.target);
      expect(turnsTouched(made)).not.toContain(4);
      expect(turnsTouched(made)).not.toContain(5);
      expect(rules(made)).toMatchObject({
        'prompt-4': 'keep:recentTurns',
        'step-7': 'keep:recentTurns',
        'step-9': 'keep:recentTurns',
        'prompt-5': 'keep:latestPrompt',
      });
    }
  });

  it('are as many as set, and none at 0', () => {
    expect(reason(plan(), 'prompt-4')).toBe('Part of the newest 2 turns, which stay verbatim');
    expect(rules(plan({ keepRecentTurns: 1 }))['prompt-4']).not.toBe('keep:recentTurns');
    expect(reason(plan({ keepRecentTurns: 1 }), 'step-9')).toBe(
      'Part of the newest turn, which stays verbatim',
    );
    expect(Object.values(rules(plan({ keepRecentTurns: 0 })))).not.toContain('keep:recentTurns');
    expect(POLICY_SETTINGS.keepRecentTurns).toBe(2);
  });

  it('are removed last, the oldest of them first, and the ledger says why', () => {
    // Without turns 1 to 3 there are 410 tokens left, and the pass is to come down to 300.
    const made = plan({ low: 0.25 });
    expect(made.estimatedAfter).toBeLessThanOrEqual(made.target);
    expect(turnsTouched(made)).toEqual([1, 2, 3, 4]);
    expect(reason(made, 'prompt-4')).toBe(
      'One of the oldest blocks that may be removed. Turn 4 is among the newest 2: older blocks were not enough',
    );
    expect(rules(made)['step-9']).toBe('keep:recentTurns');
    expect(reason(plan({ low: 0.1, keepRecentTurns: 1 }), 'step-9')).toBe(
      'One of the oldest blocks that may be removed. Turn 5 is the newest: older blocks were not enough',
    );
    expect(reason(made, 'step-3')).toBe('One of the oldest blocks that may be removed');
  });

  it('are named by the reason of an older prompt that left before their steps', () => {
    const drawn = `
      1 anchor task 10
      2 prompt older 150
      2 run a 20
      3 prompt now 10
      3 run b 200
      3 run c 200
      3 run d 200
      3 reply e 90
    `;
    const made = plan(
      { policy: 'ladder', inputBudget: 1_000, low: 0.35, keepRecentTurns: 1 },
      drawn,
    );
    expect(done(made)).toEqual(['evict prompt-2', 'evict step-1', 'evict step-2', 'evict step-3']);
    expect(reason(made, 'prompt-2')).toMatch(
      /^After everything else, the oldest prompt that may be removed before the newest turn \(/,
    );
    expect(reason(made, 'step-1')).toMatch(
      /^Least relevant of the recent blocks that may be removed \(/,
    );
  });

  it('have the reason in the sentence of a summary, too', () => {
    const window = draw(SESSION);
    const made = plan({ low: 0.25, summaries: true, summaryTokens: 50 });
    const reasons = settled(made, window).decisions.map(reasonText);
    expect(reasons).toContain(
      'Older than the 2 newest steps: replaced by a work note (this is a test). Turn 4 is among the newest 2: older blocks were not enough',
    );
  });

  it('can be summarised even if they are one long turn', () => {
    const steps = Array.from({ length: 200 }, (_, index) => `1 run c${index} 50`).join('\n');
    for (const policy of ['ladder', 'summarise'] as const) {
      const drawn = `1 anchor task 10\n${steps}`;
      const made = plan({ policy, inputBudget: 12_000 }, drawn);
      expect(made.estimatedAfter).toBeLessThanOrEqual(made.target);
      expect(reason(made, 'step-1')).not.toContain('Turn 1');
    }
  });

  it('are not kept at the price of everything older if they alone exceed the high watermark', () => {
    const drawn = SESSION.replace(
      '5 run ls5 100',
      '5 run big 1700\n5 run x 5\n5 run y 5\n5 run z 5',
    );
    const made = (inputBudget: number) =>
      done(plan({ policy: 'ladder', inputBudget, keepRecentTurns: 1 }, drawn));
    // 1,815 tokens of the newest turn with the prompt that always stays, 10 of the task.
    expect(made(2_050)).toEqual(['clear step-9']);
    // Below the high watermark they are kept, and older blocks are removed first.
    expect(made(2_600).length).toBeGreaterThan(1);
  });

  it('keep their text: only their thinking is removed before older blocks, since it would be after a change', () => {
    const drawn = `
      1 anchor task 10
      1 run a 100 thinks300
      2 prompt more 10
      2 run b 100 thinks300
      3 prompt now 10
      3 run c 100
      3 run d 100
    `;
    const made = plan({ policy: 'ladder', inputBudget: 1_100, low: 0.4 }, drawn);
    expect(done(made)).toEqual(['trim step-1', 'trim step-2']);
    expect(reason(made, 'step-2')).not.toContain('Turn 2');
  });

  it('are kept by a limit on turns, which never goes below them', () => {
    const left = (maxHistoryTurns: number, keepRecentTurns: number) =>
      turnsIn(
        foldNew(
          passed(drawnEvents(SESSION), {
            policy: 'ladder',
            inputBudget: 100_000,
            trigger: 'cap',
            maxHistoryTurns,
            keepRecentTurns,
          }),
        ),
      );
    expect([left(4, 2), left(4, 4), left(2, 2), left(2, 1)]).toEqual([3, 4, 2, 1]);
    // The limit itself holds.
    expect([left(2, 5), left(1, 2)]).toEqual([2, 1]);
  });
});

describe('a session of one turn', () => {
  it('loses no more than without newest turns to keep: its summary stays as long', () => {
    const steps = Array.from({ length: 12 }, (_, index) => `1 run r${index} 300`).join('\n');
    const events = drawnEvents(`1 anchor task 10\n${steps}`);
    const before = foldNew(events);
    const options = { policy: 'summarise', inputBudget: 4_000, low: 0.4, summaries: true } as const;
    const pass = settled(planned(before, options), before, dots(60));
    const window = foldNew([...events, { type: 'passApplied', pass }]);
    const { tokens } = planned(window, { inputBudget: 4_000 }).before;
    // A little above the high watermark: the summary alone would bring it below.
    const inputBudget = Math.ceil((tokens - 10) / 0.8);
    const kept = [0, 2].map((keepRecentTurns) =>
      done(planned(window, { policy: 'ladder', inputBudget, low: 0.7, keepRecentTurns })),
    );
    expect(kept[1]).toEqual(kept[0]);
    expect(kept[0]!.length).toBeGreaterThan(0);
    expect(window.blocks.some(({ kind }) => kind === 'summary')).toBe(true);
  });
});
