import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standingRulesOf } from '../../../src/contextWindow/standingRules/standingRules';
import type { Played } from '../../support/player';
import {
  actions,
  anyPolicy,
  playSmall,
  settingsOf,
  type Action,
} from '../../support/randomSession';
import { runs } from '../../support/runs';
import { INVARIANTS } from '../../support/windowInvariants';

const RUNS = { numRuns: runs(60, 1_000), seed: 20_261_127 };

/** Sessions whose prompts have rules, each played once for all invariants. */
const PLAYED: readonly Played[] = drawn();

function drawn(): readonly Played[] {
  const all: Played[] = [];
  fc.assert(
    fc.property(actions, anyPolicy, settingsOf, (script, policy, settings) => {
      all.push(playSmall(script, policy, settings, 'withRules'));
    }),
    RUNS,
  );
  return all;
}

describe('random sessions with standing rules', () => {
  it('have rules in every place', () => {
    const places = new Set<string>();
    for (const { sent } of PLAYED) {
      for (const { window } of sent) {
        for (const { place } of standingRulesOf(window)) places.add(place);
      }
    }
    expect([...places].toSorted()).toEqual(
      ['block', 'memory', 'note', 'off', 'omitted', 'prompt', 'struck'].toSorted(),
    );
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => PLAYED.forEach(check));

  it('a pass counts the rules of the notes that leave as room that it has to make', () => {
    const results = [192, 239, 3].map((chars) => ({ chars, isError: chars === 3 }));
    const edit = { how: 'edit', file: 4, line: 195, count: 25 } as const;
    const script: readonly Action[] = [
      { type: 'prompt', chars: 200 },
      { type: 'choose', file: 3, choice: 'auto' },
      {
        type: 'step',
        text: false,
        thinking: true,
        results: [...results, { chars: 0, isError: false, on: edit }],
      },
      { type: 'byHand', how: 'recall', which: 21 },
      { type: 'step', text: false, thinking: true, results: [{ chars: 36, isError: false }] },
      { type: 'pass', trigger: 'overflow' },
    ];
    const set = { summaries: true, maxMessages: 2, keepTurns: 4, maxHistoryTurns: 0 };
    const played = playSmall(script, 'ladder', { ...set, keepRecentTurns: 3 }, 'withRules');
    for (const check of Object.values(INVARIANTS)) check(played);
    const { pass } = played.window.ledger.at(-1)!;
    const decided = pass.decisions.map(({ blockId, action }) => `${action} ${blockId}`);
    expect(decided).toEqual(expect.arrayContaining(['evict note-1', 'evict note-2']));
    // Without the notes the window would be at 1,033 of 1,042 tokens, but their rules take 104.
    expect([pass.before.tokens, pass.target, pass.overhead!.rules]).toEqual([1_158, 1_042, 104]);
    expect(decided).toContain('evict step-1');
  });
});
