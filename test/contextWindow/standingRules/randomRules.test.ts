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

  it('a pass that only ends the block of the rules drops the thinking behind it, and says so', () => {
    const script: readonly Action[] = [
      { type: 'prompt', chars: 200 },
      { type: 'byHand', how: 'rewrite', which: 40 },
      { type: 'byHand', how: 'clear', which: 26 },
      { type: 'prompt', chars: 2838 },
      {
        type: 'step',
        text: true,
        thinking: false,
        results: [
          { chars: 2233, isError: false },
          { chars: 0, isError: false, on: { how: 'edit', file: 4, line: 84, count: 84 } },
          { chars: 0, isError: false, on: { how: 'read', file: 2, line: 190, count: 84 } },
          { chars: 0, isError: false, on: { how: 'readPart', file: 5, line: 240, count: 66 } },
        ],
      },
      { type: 'step', text: true, thinking: true, results: [{ chars: 6432, isError: false }] },
      { type: 'step', text: false, thinking: false, results: [{ chars: 5424, isError: false }] },
      { type: 'undo', which: 12 },
      { type: 'pin', which: 4 },
      {
        type: 'step',
        text: false,
        thinking: true,
        results: [{ chars: 0, isError: false, on: { how: 'read', file: 4, line: 121, count: 90 } }],
      },
      { type: 'byHand', how: 'exclude', which: 22 },
      {
        type: 'step',
        text: false,
        thinking: false,
        results: [
          { chars: 0, isError: false, on: { how: 'edit', file: 0, line: 201, count: 52 } },
          { chars: 0, isError: false, on: { how: 'edit', file: 1, line: 115, count: 72 } },
        ],
      },
      { type: 'prompt', chars: 2363 },
      { type: 'byHand', how: 'clear', which: 5 },
      {
        type: 'step',
        text: true,
        thinking: true,
        results: [
          { chars: 0, isError: false, on: { how: 'edit', file: 1, line: 134, count: 11 } },
          { chars: 3405, isError: false },
          { chars: 0, isError: false, on: { how: 'read', file: 2, line: 207, count: 9 } },
          { chars: 1956, isError: false },
        ],
      },
      { type: 'memory', chars: 298 },
      { type: 'memory', chars: 568 },
      { type: 'memory', chars: 363 },
    ];
    const set = { summaries: false, maxMessages: 18, keepTurns: 3, maxHistoryTurns: 50 };
    const more = { keepRecentTurns: 0, remindAfterSteps: 2, excerptShare: 0.9 };
    const played = playSmall(script, 'lastTurns', { ...set, ...more }, 'withRules');
    for (const check of Object.values(INVARIANTS)) check(played);
    const { pass } = played.window.ledger.at(-1)!;
    const changed = pass.decisions.filter(({ action }) => action !== 'keep');
    expect(changed.map(({ blockId, reason }) => [blockId, reason.rule])).toEqual([
      ['step-6', 'trimThinking'],
    ]);
    expect(pass.overhead!.rules).toBe(-141);
  });
});
