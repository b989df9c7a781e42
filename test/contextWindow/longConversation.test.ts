import { describe, expect, it } from 'vitest';
import { isInWindow } from '../../src/contextWindow/block';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import { gapLines } from '../../src/contextWindow/request/gapLines';
import { playSmall, type Action } from '../support/randomSession';
import { INVARIANTS } from '../support/windowInvariants';

const TURNS = 24;

/** Each turn has a prompt, a read, thinking and an answer. */
const CONVERSATION: readonly Action[] = Array.from({ length: TURNS }, (_, turn): Action[] => [
  { type: 'prompt', chars: 60 + (turn % 5) * 40 },
  {
    type: 'step',
    text: turn % 2 === 0,
    thinking: true,
    results: [{ chars: 900 + (turn % 4) * 500, isError: turn % 9 === 0 }],
  },
  { type: 'step', text: true, thinking: turn % 3 === 0, results: [] },
]).flat();

const SETTINGS = {
  maxMessages: 20,
  keepTurns: 4,
  keepRecentTurns: 2,
  summaries: false,
  maxHistoryTurns: 0,
} as const;

describe.each(POLICY_NAMES)('a conversation of 24 turns under %s', (policy) => {
  it.each([
    ['without summaries', {}],
    ['without summaries, with a limit on turns', { maxHistoryTurns: 3 }],
    ['with summaries', { summaries: true }],
    ['with summaries and a limit on turns', { summaries: true, maxHistoryTurns: 3 }],
  ])('%s: every request is valid and accounts for every turn', (_, changes) => {
    const settings = { ...SETTINGS, ...changes };
    const played = playSmall(CONVERSATION, policy, settings);
    expect(played.sent.length).toBeGreaterThanOrEqual(TURNS);
    for (const check of Object.values(INVARIANTS)) check(played);
    const tellings = played.sent.filter(
      ({ window }) =>
        gapLines(window).size > 0 ||
        window.blocks.some((block) => block.kind === 'summary' && isInWindow(block)),
    );
    expect(tellings.length).toBeGreaterThan(TURNS / 2);
    const isSummed = played.window.blocks.some(({ kind }) => kind === 'summary');
    const hasSummaries =
      policy === 'ladder' || policy === 'summarise' || settings.maxHistoryTurns > 0;
    expect(isSummed).toBe(settings.summaries && hasSummaries);
  });
});
