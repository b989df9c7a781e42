import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { rungGains, type RungName } from '../../src/contextWindow/passes/rungGains';
import { POLICY_NAMES } from '../../src/contextWindow/plan';
import type { Played } from '../support/player';
import type { FileCall } from '../support/randomFiles';
import { actions, playSmall, settingsOf, type Action } from '../support/randomSession';
import { INVARIANTS } from '../support/windowInvariants';

/** Sessions for each policy; `npm run test:soak` plays 10,000. */
const RUNS = { numRuns: 16, seed: 20_261_121 };

type Answered = Extract<Action, { readonly type: 'step' }>['results'][number];
type Policy = (typeof POLICY_NAMES)[number];
type Given = readonly [script: readonly Action[], settings: Parameters<typeof playSmall>[2]];

/** The same scripts for every policy. */
const DRAWN: readonly Given[] = drawn();
const PLAYED = new Map<Policy, readonly Played[]>();

// The files of a worker share its memory.
afterAll(() => PLAYED.clear());

function drawn(): readonly Given[] {
  const all: Given[] = [];
  fc.assert(
    fc.property(actions, settingsOf, (script, settings) => void all.push([script, settings])),
    RUNS,
  );
  return all;
}

/** Each session is played once for all invariants. */
function sessionsOf(policy: Policy): readonly Played[] {
  const played =
    PLAYED.get(policy) ?? DRAWN.map(([script, settings]) => playSmall(script, policy, settings));
  PLAYED.set(policy, played);
  return played;
}

function holds(policy: Policy, check: (played: Played) => void): void {
  try {
    sessionsOf(policy).forEach(check);
  } catch (error) {
    // Fails again, for the smallest failing session.
    fc.assert(
      fc.property(actions, settingsOf, (script, settings) =>
        check(playSmall(script, policy, settings)),
      ),
      RUNS,
    );
    throw error;
  }
}

const RUNGS_OF: Readonly<Record<Policy, readonly RungName[]>> = {
  ladder: ['clear', 'summarise', 'evict', 'supersede', 'trim', 'excerpts'],
  slidingWindow: ['cap', 'evict'],
  lastTurns: ['cap', 'evict'],
  headTail: ['cap', 'evict'],
  tokenBudget: ['clear', 'evict'],
  salience: ['evict'],
  summarise: ['summarise', 'evict'],
  server: ['evict'],
};

describe.each(POLICY_NAMES)('%s: invariants over random sessions', (policy) => {
  it('its passes use every rung, so that there is something to check', () => {
    const rungs = new Set<string>();
    holds(policy, ({ window }) => {
      for (const { pass } of window.ledger) rungGains(pass).forEach(({ rung }) => rungs.add(rung));
    });
    expect([...rungs]).toEqual(expect.arrayContaining([...RUNGS_OF[policy]]));
  });

  it.each(Object.entries(INVARIANTS))('%s', (_, check) => holds(policy, check));
});

describe('the random sessions', () => {
  it('contain every kind of change by hand, undo some, and have reminders of the scratchpad', () => {
    const ways = new Set<string>();
    for (const policy of POLICY_NAMES) {
      holds(policy, ({ window: { ledger, blocks } }) => {
        for (const { pass, undone } of ledger) {
          if (pass.trigger !== 'byHand') continue;
          const done = pass.decisions.find(({ reason }) => reason.rule.endsWith('ByUser'))!;
          ways.add(undone === true ? `${done.reason.rule} undone` : done.reason.rule);
        }
        for (const block of blocks) {
          if (block.kind !== 'note') continue;
          const { source } = block;
          ways.add(source.from === 'reminder' ? `reminded: ${source.because}` : source.from);
        }
      });
    }
    const rules = ['excludedByUser', 'clearedByUser', 'restoredByUser', 'rewrittenByUser'];
    expect([...ways]).toEqual(
      expect.arrayContaining([
        ...rules,
        'excludedByUser undone',
        'undoneByUser',
        'undoneByUser undone',
        'recall',
        'return',
        'mode',
        'reminded: age',
        'reminded: pass',
      ]),
    );
  });
});

describe('regressions from long random runs', () => {
  const prompt = (chars: number): Action => ({ type: 'prompt', chars });
  const step = (...results: readonly Answered[]): Action => ({
    type: 'step',
    text: false,
    thinking: false,
    counted: false,
    results,
  });
  const answers = (...chars: readonly number[]): readonly Answered[] =>
    chars.map((n) => ({ chars: n, isError: false }));
  const asks = (how: FileCall['how'], file: number, line = 0, count = 0): Answered => ({
    chars: 0,
    isError: false,
    on: { how, file, line, count },
  });
  const settings = {
    summaries: false,
    maxMessages: 2,
    keepTurns: 1,
    keepRecentTurns: 0,
    maxHistoryTurns: 0,
  };

  it('a window one token over budget, with only its scratchpad to shorten, is made to fit', () => {
    const script: readonly Action[] = [
      prompt(200),
      step(...answers(3_160, 3_520, 3_980)),
      step(),
      { type: 'pin', which: 34 },
      prompt(2_260),
      { type: 'scratchpad', chars: 0, byUser: true },
      { type: 'scratchpad', chars: 524, byUser: false },
      { type: 'anchor', which: 0 },
      { type: 'byHand', how: 'exclude', which: 0 },
      step(...answers(0)),
      { type: 'pass', trigger: 'overflow' },
      { type: 'byHand', how: 'exclude', which: 0 },
      { type: 'pin', which: 0 },
      { type: 'pass', trigger: 'overflow' },
      step(...answers(100, 140, 740)),
      { type: 'byHand', how: 'recall', which: 0 },
      prompt(2_955),
      step(...answers(580, 780, 4_580)),
      { type: 'scratchpad', chars: 0, byUser: false },
      { type: 'pin', which: 0 },
    ];
    const played = playSmall(script, 'server', settings);
    for (const check of Object.values(INVARIANTS)) check(played);
    const { pass } = played.window.ledger.at(-1)!;
    expect(pass.decisions.every(({ action }) => action === 'keep')).toBe(true);
    expect(pass.before.tokens).toBeGreaterThan(pass.budget.inputBudget);
    expect(pass.after.tokens).toBeLessThanOrEqual(pass.budget.inputBudget);
  });

  it('new excerpts in place of counted ones enter at their estimate', () => {
    const exclude: Action = { type: 'byHand', how: 'exclude', which: 0 };
    const asked = { type: 'step', text: false, thinking: false } as const;
    const script: readonly Action[] = [
      prompt(200),
      { ...asked, results: [] },
      prompt(1),
      { type: 'choose', file: 0, choice: 'always' },
      exclude,
      exclude,
      { type: 'stepDown' },
      exclude,
      { ...asked, results: [asks('readPart', 2, 0, 49), ...answers(5_200)] },
      {
        ...asked,
        text: true,
        results: [asks('read', 5), ...answers(3_940), asks('readPart', 1, 0, 39)],
      },
      { type: 'return', chars: 265, files: 16 },
      exclude,
      exclude,
      { ...asked, thinking: true, results: [asks('edit', 0)] },
      { ...asked, results: [] },
      { type: 'undoPrompt', which: 0 },
      { type: 'pass', trigger: 'overflow' },
    ];
    const played = playSmall(script, 'ladder', {
      ...settings,
      remindAfterSteps: 6,
      excerptShare: 0.9,
    });
    for (const check of Object.values(INVARIANTS)) check(played);
    const [{ pass: first }, { pass: last }] = [
      played.window.ledger.at(0)!,
      played.window.ledger.at(-1)!,
    ];
    const former = last.decisions.find(({ reason }) => reason.rule === 'evictFormerExcerpts')!;
    // The excerpts grew although the pass reports a smaller request, since the former ones were
    // counted.
    expect(last.overhead!.excerpts).toBeGreaterThan(first.overhead!.excerpts!);
    expect(former.before.tokens).toBeGreaterThan(first.overhead!.excerpts! * 1.3);
    expect(last.after.tokens).toBeLessThan(last.before.tokens);
  });

  it('a line forgotten because something else cut its file is known again after a pass read the file', () => {
    const script: readonly Action[] = [
      prompt(200),
      step(asks('read', 5)),
      { type: 'outside', change: { how: 'cut', file: 5, line: 1 } },
      step(asks('edit', 5, 101)),
      step(...answers(20, 20, 20)),
      { type: 'choose', file: 5, lines: { first: 1, last: 1 }, choice: 'always' },
      { type: 'pass', trigger: 'manual' },
    ];
    const set = { ...settings, excerptShare: 0.9 };
    const { files } = playSmall(script.slice(0, -1), 'ladder', set).window;
    // Lines two to ten were deleted. The edit shows only that nine went, so the first nine are
    // forgotten.
    expect(files.get('src/file5.ts')!.runs).toMatchObject([
      { first: 1, lines: { length: 191, 0: { text: " const line10of5 = 'xxxxxxxxxx';" } } },
    ]);
    const played = playSmall(script, 'ladder', set);
    for (const check of Object.values(INVARIANTS)) check(played);
    const { pass } = played.window.ledger.at(0)!;
    expect(pass.decisions.flatMap((one) => one.heldByExcerpts ?? [])).toContain('toolu_1');
    // The pass has read the file, and the first line is there.
    expect(pass.excerpts!.shown).toMatchObject([
      { first: 1, text: " const line1of5 = 'x';", why: { chosen: true } },
      { first: 61 },
    ]);
  });
});
