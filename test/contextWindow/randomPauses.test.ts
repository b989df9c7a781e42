import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { savedByColdPass } from '../../src/contextWindow/account/promptCache';
import type { Played } from '../support/player';
import { actions, anyPolicy, playSmall, settingsOf } from '../support/randomSession';
import { runs } from '../support/runs';
import { INVARIANTS } from '../support/windowInvariants';

const RUNS = { numRuns: runs(60, 1_000), seed: 20_261_128 };

/** Sessions with pauses that outlast the prompt cache, each played once for all invariants. */
const PLAYED: readonly Played[] = drawn();

function drawn(): readonly Played[] {
  const all: Played[] = [];
  fc.assert(
    fc.property(actions, anyPolicy, settingsOf, (script, policy, settings) => {
      all.push(playSmall(script, policy, settings, 'withPauses'));
    }),
    RUNS,
  );
  return all;
}

const passes = PLAYED.flatMap(({ coldPasses = [] }) => coldPasses);

describe('random sessions with pauses', () => {
  it('have passes at a cold cache, with and without a prefix kept for an hour', () => {
    const warm = passes.map(({ input }) => (input.cold?.warmTokens ?? 0) > 0);
    expect(new Set(warm)).toEqual(new Set([true, false]));
    const lives = PLAYED.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'cacheLifeSet' ? [event.life] : [])),
    );
    expect(new Set(lives)).toEqual(new Set(['mixed', '5m']));
  });

  it('have none but above the low watermark, and only those that lower the expected cost', () => {
    for (const { input, plan } of passes) {
      expect(plan.before.tokens).toBeGreaterThan(plan.budget.lowTokens);
      expect(plan.before.tokens).toBeLessThanOrEqual(plan.budget.highTokens);
      expect(savedByColdPass(plan, input.cold!)).toBeGreaterThan(0);
      expect(input.settings.policy).not.toBe('server');
    }
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => PLAYED.forEach(check));
});
