import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/contextWindow/event';
import { measure, weightOf } from '../../../src/contextWindow/account/measure';
import { WORKING_STEPS } from '../../../src/contextWindow/tier';
import { tierTokens } from '../../../src/contextWindow/account/balance';
import { countDots, dots, draw, drawnEvents, foldNew } from '../../support/drawing';
import { planned, settled, type Planned } from '../support/planned';

const STEPS = Array.from({ length: WORKING_STEPS + 2 }, (_, index) => `1 read f${index}.ts 10`);

const tiers = (window: ReturnType<typeof draw>) => tierTokens(window, measure(window, countDots));

describe('tierTokens', () => {
  it('puts anchor, pins, memory and the newest prompt into the system tier', () => {
    const window = foldNew([
      { type: 'preambleSet', system: dots(7), tools: [] },
      ...drawnEvents(`
        1 anchor task 1
        ${STEPS.join('\n')}
        1 note src/AGENTS.md 20
        1 note scratchpad 30
        2 prompt old 40
        3 prompt now 50
      `),
      { type: 'blockPinned', blockId: draw('1 anchor a 1\n1 read b 1').blocks.at(1)!.id },
    ]);
    expect(tiers(window)).toEqual({
      system: 7 + 1 + 10 + 20 + 50,
      working: WORKING_STEPS * 10 + 30,
      archive: 10 + 40,
      exact: false,
    });
  });

  it('gives the part of the archive that is summaries, pinned ones excluded', () => {
    const steps = STEPS.map((step) => `${step}0`).join('\n');
    const session = drawnEvents(`1 anchor task 1\n${steps}\n2 prompt now 7\n2 read z 9`);
    const before = foldNew(session);
    const options: Planned = { inputBudget: 1_000, policy: 'summarise', summaries: true };
    const pass = settled(planned(before, options), before, dots(25));
    const events: readonly NewEvent[] = [...session, { type: 'passApplied', pass }];
    const window = foldNew(events);
    const summary = window.blocks.find(({ kind }) => kind === 'summary')!;
    const tokens = weightOf(measure(window, countDots), summary.id).tokens;
    expect(tokens).toBeGreaterThanOrEqual(25);
    expect(tiers(window)).toMatchObject({ archive: tokens, summary: tokens });
    const pinned = foldNew([...events, { type: 'blockPinned', blockId: summary.id }]);
    expect(tiers(pinned)).not.toHaveProperty('summary');
  });

  it('adds up to the tokens in use, estimated or counted', () => {
    const events = drawnEvents(`1 anchor task 33\n${STEPS.join('\n')}\n2 prompt now 7`);
    const counted = [
      ...events,
      { type: 'windowCounted', tokens: 977, source: 'countTokens' } as const,
    ];
    for (const all of [events, counted, [...counted, ...drawnEvents('2 read x 5').slice(1)]]) {
      const window = foldNew(all);
      const { system, working, archive, exact } = tiers(window);
      const { used } = measure(window, countDots);
      expect(system + working + archive).toBe(used.tokens);
      expect(exact).toBe(used.exact);
    }
  });
});
