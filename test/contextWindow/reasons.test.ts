import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reasonText, shortReason } from '../../src/contextWindow/reasons';
import { anyReason } from '../sessions/support/anyPass';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { playSession, recordedSessions } from '../support/claudeCodeTranscript';
import { passesOf } from '../support/passWindows';
import { falseReasons } from '../support/reasonsHold';
import { runs } from '../support/runs';

describe('a short reason', () => {
  it('has at most six words, and is no sentence', () => {
    fc.assert(
      fc.property(anyReason, (reason) => {
        const short = shortReason(reason);
        expect(short.split(' ').length).toBeLessThanOrEqual(6);
        expect(short).toMatch(/^[a-z]/);
        expect(short).not.toMatch(/[.;]$/);
      }),
      { numRuns: runs(500, 5_000) },
    );
  });

  it('has the causes of the sentence', () => {
    const reason = {
      rule: 'evictLeastSalient',
      of: 'olderSteps',
      relevance: 0.31,
      lacks: [
        { factor: 'size', tokens: 3_120 },
        { factor: 'recency' },
        { factor: 'reuse', steps: 24 },
      ],
    } as const;
    expect(reasonText({ reason })).toBe(
      'Least relevant of the older steps that may be removed (0.31): large (3,120 tokens), old, not used for 24 steps',
    );
    expect(shortReason(reason)).toBe('large, old, unused 24 steps');
    const lacks = [...reason.lacks.slice(1), { factor: 'kind' }] as const;
    expect(shortReason({ ...reason, lacks })).toBe('old, unused 24 steps, no file');
    expect(shortReason({ ...reason, lacks: lacks.slice(2) })).toBe('touches no file');
  });
});

it('The short reason of a summary names what decided', () => {
  const summary = { by: 'workNote', because: 'this is a test' } as const;
  const spent = { rule: 'summariseSpent', summary } as const;
  const oldest = { rule: 'summariseOldest', summary } as const;
  expect(shortReason({ ...spent, isStep: true })).toBe('no file text in it: summarised');
  expect(shortReason({ ...spent, isStep: true, files: 'clearedReads' })).toBe(
    'reads cleared, then summarised',
  );
  expect(shortReason({ ...spent, isStep: true, files: 'oldEdits' })).toBe('old edits: summarised');
  expect(shortReason({ ...spent, isStep: false })).toBe('summarised to make room');
  expect(shortReason({ ...oldest, olderThan: 2 })).toBe('before 2 newest steps: summarised');
  expect(shortReason(oldest)).toBe('summarised to make room');
});

it('The reason of cleared results names those that were not compared', () => {
  const compared = { rule: 'clearOldResults', of: 'largeFirst', beforeTurns: 2 } as const;
  expect(reasonText({ reason: { ...compared, tokens: 1_989, others: ['outOfDate'] } })).toBe(
    'Results cleared (1,989 tokens): of those that may be cleared before the newest 2 turns, large ones first, least likely to be needed for their size; others are out of date',
  );
});

it('The reason of a change in a newest turn says if the room includes that for excerpts', () => {
  const reason = { rule: 'evictFinishedPrompt' } as const;
  const recentTurn = { turn: 4, kept: 2, isNothingOlder: false, withExcerpts: true } as const;
  expect(reasonText({ reason, recentTurn })).toMatch(
    /\. Turn 4 is among the newest 2: older blocks were not enough with room for excerpts$/,
  );
});

const RECORDED = recordedSessions('claude-code-2');

describe.skipIf(RECORDED.length === 0)('the reasons of passes over recordings', () => {
  it.each(['ladder', 'salience', 'tokenBudget', 'summarise'] as const)('are true: %s', (policy) => {
    const settings = { ...POLICY_SETTINGS, policy };
    let passes = 0;
    for (const name of RECORDED.slice(0, runs(7, RECORDED.length))) {
      for (const { before, pass } of passesOf(playSession(name, settings).events)) {
        passes += 1;
        expect(falseReasons(before, pass, settings)).toEqual([]);
      }
    }
    expect(passes).toBeGreaterThan(20);
  });
});
