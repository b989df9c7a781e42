import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/contextWindow/account/measure';
import { reachOf, reachText } from '../../../src/contextWindow/passes/reach';
import { POLICY_NAMES } from '../../../src/contextWindow/plan';
import { playedSession, recordedSessions } from '../../support/claudeCodeTranscript';
import { passesOf } from '../../support/passWindows';
import { estimate, type Played } from '../../support/player';
import { actions, playSmall, settingsOf } from '../../support/randomSession';
import { runs } from '../../support/runs';

const RECORDED = [...recordedSessions('claude-code'), ...recordedSessions('claude-code-2')];

const numbersIn = (text: string) =>
  [...text.matchAll(/\d[\d,]*/g)].map(([number]) => Number(number.replaceAll(',', '')));

/** Reads the sentence about each pass, and compares it with the window that the pass left. */
function expectTrue({ events }: Pick<Played, 'events'>): { passes: number; above: number } {
  let [passes, above] = [0, 0];
  for (const { before, pass, after } of passesOf(events)) {
    const used = measure(after, estimate).used.tokens;
    const text = reachText(reachOf(pass, pass.after.tokens), 'past');
    if (!['highWatermark', 'manual', 'overflow'].includes(pass.trigger)) {
      expect(text).toBe('');
      continue;
    }
    passes += 1;
    const [aim, reached, mustStay = 0, rest = 0, others = 0] = numbersIn(text);
    expect([aim, reached]).toEqual([pass.target, used]);
    if (used <= pass.target) {
      expect(text).toMatch(/^Aimed at [\d,]+ tokens, reached ≈ [\d,]+\.$/);
      continue;
    }
    above += 1;
    expect(mustStay + rest + others).toBe(used);
    const sizes = new Map(measure(after, estimate).parts.map(({ part, tokens }) => [part, tokens]));
    const kept = pass.decisions.filter(({ action }) => action === 'keep');
    const left = kept.reduce((sum, { blockId }) => sum + (sizes.get(blockId) ?? 0), 0);
    expect(mustStay + others).toBe(left);
    if (text.includes('even without')) expect(used - others).toBeGreaterThan(pass.target);
    if (text.includes('nothing else')) expect(others).toBe(0);
    expect(before.blocks.length).toBeGreaterThan(0);
  }
  return { passes, above };
}

describe('the sentence about what a pass aims at and reaches', () => {
  it('is true of the window that the pass leaves, in random sessions', () => {
    let above = 0;
    fc.assert(
      fc.property(
        actions,
        settingsOf,
        fc.constantFrom(...POLICY_NAMES),
        (script, settings, policy) => {
          above += expectTrue(playSmall(script, policy, settings)).above;
        },
      ),
      { numRuns: runs(15, 300) },
    );
    expect(above).toBeGreaterThan(0);
  });

  it.skipIf(RECORDED.length === 0)('is true of every pass over recordings', () => {
    let passes = 0;
    for (const file of RECORDED.slice(0, runs(8, RECORDED.length))) {
      passes += expectTrue(playedSession(file)).passes;
    }
    expect(passes).toBeGreaterThan(3);
  });

  it('explains why a pass stays above its aim', () => {
    const reach = { aim: 5_582, after: 6_100, mustStay: 4_000, mayLeave: 600, rest: 1_500 };
    expect(reachText({ ...reach, mayLeave: 0, mustStay: 4_600 }, 'plan')).toBe(
      'Aims at 5,582 tokens, reaches ≈ 6,100: ≈ 4,600 must stay, ≈ 1,500 are system prompt, tools, notes and texts of passes, and nothing else is left to remove.',
    );
    expect(reachText({ ...reach, aim: 5_400 }, 'past')).toContain(
      'even without the other ≈ 600 it would not get there.',
    );
    expect(reachText(reach, 'past')).toContain('; the policy leaves the other ≈ 600.');
  });
});
