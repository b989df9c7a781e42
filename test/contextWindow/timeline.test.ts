import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../src/contextWindow/block';
import type { NewEvent, SessionEvent } from '../../src/contextWindow/event';
import { fold } from '../../src/contextWindow/fold';
import { EMPTY_TIMELINE, extendTimeline, type Timeline } from '../../src/contextWindow/timeline';
import { timelineOf } from '../support/timelineOf';
import { troublesOf } from '../../src/editor/contextPanel/timeline/derive';
import { POLICY_SETTINGS } from '../support/agentSettings';
import { dated, evicting, promptEvent, resultEvent, stepEvents } from '../support/drawing';
import { actions, playSmall } from '../support/randomSession';
import { smallBudget } from '../support/smallBudget';
import { runs } from '../support/runs';

const USAGE = { inputTokens: 100, cacheCreationTokens: 20, cacheReadTokens: 3, outputTokens: 9 };
const NO_USAGE = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

type Reply = Extract<NewEvent, { readonly type: 'replyReceived' }>;
type ToolResultEvent = Extract<NewEvent, { readonly type: 'toolFinished' }>;

/** A reply that calls no tool. */
const said = (more: Partial<Reply> = {}): NewEvent => ({
  type: 'replyReceived',
  model: 'test',
  parts: [{ type: 'text', text: 'Done.' }],
  stopReason: 'end_turn',
  usage: NO_USAGE,
  durationMs: 1,
  ...more,
});

const read = (id: string, name = 'a.ts') => stepEvents([{ id, name, tokens: 1 }]);

function drawn(...told: readonly (NewEvent | readonly NewEvent[])[]): Timeline {
  const events = dated(told.flat());
  return timelineOf(events, fold(events));
}

describe('timeline', () => {
  it('has one point for each step, with its turn, time and model', () => {
    const { points } = drawn(
      promptEvent('a'),
      read('t1'),
      read('t2'),
      promptEvent('b'),
      read('t3'),
    );
    expect(points.map(({ step, turn, at, model }) => [step, turn, at, model])).toEqual([
      [1, 1, 1, 'test'],
      [2, 1, 3, 'test'],
      [3, 2, 6, 'test'],
    ]);
  });

  it('has the reported tokens of a request, else the marked sum of its tiers, else none', () => {
    const tiers = { system: 5, working: 6, archive: 7, exact: false };
    const { points } = drawn(
      promptEvent('a'),
      said({ usage: USAGE, tiers, estimatedTokens: 118 }),
      promptEvent('b'),
      said({ tiers }),
      promptEvent('c'),
      said(),
    );
    expect(points.map(({ input }) => input)).toEqual([
      { tokens: 123, exact: true },
      { tokens: 18, exact: false },
      undefined,
    ]);
    expect(points.at(0)).toMatchObject({ usage: USAGE, tiers, estimatedTokens: 118 });
  });

  it('counts the calls that an earlier step had made with the same result', () => {
    const call = (id: string, text: string, more: Partial<ToolResultEvent> = {}) => {
      const [reply, result] = stepEvents([{ id, name: 'a.ts', tokens: 1 }]);
      return [reply!, { ...(result as ToolResultEvent), text, ...more }];
    };
    const [both] = stepEvents(['t6', 't7'].map((id) => ({ id, name: 'b.ts', tokens: 1 })));
    const { points } = drawn(
      promptEvent('a'),
      call('t1', 'one'),
      call('t2', 'one'),
      call('t3', 'two'),
      call('t4', 'two', { isError: true }),
      call('t5', ' '),
      [both!, resultEvent('t6', 'same'), resultEvent('t7', 'same')],
      call('t8', 'two', { origin: 'denied' }),
    );
    expect(points.map(({ repeatedCalls }) => repeatedCalls)).toEqual([0, 1, 0, 1, 0, 0, 0]);
    expect(points.at(3)?.toolErrors).toBe(1);
  });

  it('lists passes, overflows and other requests at the following step', () => {
    const asked = { model: 'small', usage: USAGE };
    const told: readonly NewEvent[] = [
      promptEvent('a'),
      ...read('t1'),
      { type: 'modelAsked', purpose: 'summary', ...asked },
      evicting('step-1'),
      {
        type: 'budgetSteppedDown',
        attempt: 1,
        contextWindowTokens: 9,
        inputBudget: 5,
        message: 'too long',
      },
    ];
    const before = drawn(told);
    expect(before.points.at(0)).toMatchObject({ passes: [], overflows: 0 });
    expect(before.next).toMatchObject({ passes: [{ number: 1 }], overflows: 1, charges: [asked] });
    const { points, next } = drawn(told, read('t2'));
    expect(points.at(1)).toMatchObject({
      passes: [{ number: 1, trigger: 'manual', before: { tokens: 2 }, after: { tokens: 1 } }],
      overflows: 1,
      charges: [asked, { model: 'test', usage: NO_USAGE }],
    });
    expect(next).toMatchObject({ passes: [], overflows: 0, charges: [] });
  });

  it('replaces the estimate after a pass by its count, as the ledger does', () => {
    const counted = (tokens: number): NewEvent => ({
      type: 'windowCounted',
      tokens,
      source: 'countTokens',
    });
    const told = [promptEvent('a'), ...read('t1'), evicting('step-1'), counted(7), counted(8)];
    const { points, next } = drawn(told, read('t2'), counted(9));
    expect(points.at(1)?.passes).toMatchObject([{ number: 1, after: { tokens: 7, exact: true } }]);
    expect(next.passes).toEqual([]);
  });

  it('marks an undone pass where it ran, and lists the undo where it happened', () => {
    const { points } = drawn(
      promptEvent('a'),
      read('t1'),
      evicting('step-1'),
      read('t2', 'b.ts'),
      { type: 'passUndone', number: 1 },
      read('t3', 'c.ts'),
    );
    expect(points.map(({ passes }) => passes[0]?.undone)).toEqual([undefined, true, undefined]);
    expect(points.map(({ undone }) => undone.map(({ number }) => number))).toEqual([[], [], [1]]);
  });

  it('lists the steps that read evicted content again', () => {
    const { points } = drawn(promptEvent('a'), read('t1'), evicting('step-1'), read('t2'));
    expect(points.map(({ refaults }) => refaults.map(({ blockId }) => blockId))).toEqual([
      [],
      ['step-1'],
    ]);
  });

  it('no longer lists them once the pass was undone', () => {
    const undo: NewEvent = { type: 'passUndone', number: 1 };
    const told = [promptEvent('a'), read('t1'), evicting('step-1'), read('t2'), undo];
    const { points, refaults } = drawn(...told);
    expect(points.flatMap((point) => point.refaults)).toEqual([]);
    expect(refaults.length).toBe(0);
  });

  it('shows what went wrong', () => {
    const failing = stepEvents([
      { id: 't1', name: 'a.ts', tokens: 1 },
      { id: 't2', name: 'b.ts', tokens: 1 },
    ]).slice(0, 1);
    const { points } = drawn(
      promptEvent('a'),
      failing,
      { ...resultEvent('t1', 'no'), isError: true } as NewEvent,
      // The first result of a call counts.
      { ...resultEvent('t1', 'no'), isError: true } as NewEvent,
      resultEvent('t2', 'yes'),
      said({ model: 'other', stopReason: 'max_tokens' }),
      { type: 'turnEnded', outcome: { type: 'failed', failure: 'network', message: 'gone' } },
    );
    expect(points.map(troublesOf)).toEqual([['toolError'], ['stopReason', 'turnFailed']]);
    expect(points.map(({ toolErrors, calls }) => [toolErrors, calls])).toEqual([
      [1, 2],
      [0, 0],
    ]);
    expect(points.map(({ modelChanged }) => modelChanged)).toEqual([false, true]);
    expect(points.map(({ outcome }) => outcome?.type)).toEqual([undefined, 'failed']);
  });

  it('sees no change of model in a stopped reply', () => {
    const { points } = drawn(
      promptEvent('a'),
      said({ model: 'small-20260101' }),
      said({ model: 'small', stopReason: 'stopped' }),
      said({ model: 'small-20260101' }),
      said({ model: 'large' }),
    );
    expect(points.map(({ modelChanged }) => modelChanged)).toEqual([false, false, false, true]);
  });

  it('charges every answer exactly once, including summaries that only a pass records', () => {
    const { pass } = evicting('step-1') as Extract<NewEvent, { readonly type: 'passApplied' }>;
    const writtenBy = { by: 'model', model: 'small', usage: USAGE } as const;
    const summary = { id: 'summary-1' as BlockId, covers: [], text: 'So far.', writtenBy };
    const { points, next } = drawn(
      promptEvent('a'),
      said({ usage: USAGE, compactionUsage: USAGE }),
      { type: 'passApplied', pass: { ...pass, summaries: [summary] } },
      { type: 'modelAsked', purpose: 'salience', model: 'rater', usage: USAGE },
    );
    expect(points.map(({ charges }) => charges.map(({ model }) => model))).toEqual([
      ['test', 'test'],
    ]);
    expect(next.charges.map(({ model }) => model)).toEqual(['small', 'rater']);
  });

  it('charges a commit message to the session, and to no pass', () => {
    const { pass } = evicting('step-1') as Extract<NewEvent, { readonly type: 'passApplied' }>;
    const { next } = drawn(
      promptEvent('a'),
      said(),
      { type: 'modelAsked', purpose: 'commitMessage', model: 'writer', usage: USAGE },
      { type: 'passApplied', pass },
    );
    expect(next.charges.map(({ model }) => model)).toEqual(['writer']);
    expect(next.passes.map(({ asked }) => asked)).toEqual([[]]);
  });

  it('lists a turn that failed before its first step at the next step', () => {
    const { points } = drawn(
      promptEvent('a'),
      said(),
      promptEvent('b'),
      { type: 'turnEnded', outcome: { type: 'failed', failure: 'network', message: 'gone' } },
      promptEvent('c'),
      said(),
    );
    expect(points.map(troublesOf)).toEqual([[], ['turnFailed']]);
  });

  it('has the budget of every request', () => {
    const small = smallBudget({ contextWindowTokens: 8_000 });
    const { points } = drawn(
      promptEvent('a'),
      said({ budget: smallBudget() }),
      said({ budget: small }),
      said(),
    );
    expect(points.map(({ budget }) => budget)).toEqual([smallBudget(), small, small]);
  });

  it('uses the newest budget of a pass or step-down for replies without one', () => {
    const { points } = drawn(
      promptEvent('a'),
      said(),
      evicting('step-1'),
      said(),
      {
        type: 'budgetSteppedDown',
        attempt: 1,
        contextWindowTokens: 10_000,
        inputBudget: 700,
        message: 'too long',
      },
      said(),
    );
    expect(points.map(({ budget }) => [budget?.inputBudget, budget?.highTokens])).toEqual([
      [undefined, undefined],
      [10_000, 8_000],
      [700, 560],
    ]);
  });

  it('is the same however its events arrive', () => {
    fc.assert(
      fc.property(actions, fc.array(fc.nat(200), { maxLength: 5 }), (script, cuts) => {
        const { events } = playSmall(script, 'ladder', POLICY_SETTINGS);
        let timeline = EMPTY_TIMELINE;
        let taken = 0;
        for (const cut of [...cuts.toSorted((a, b) => a - b), events.length]) {
          const fresh: readonly SessionEvent[] = events.slice(taken, Math.max(taken, cut));
          taken += fresh.length;
          timeline = extendTimeline(timeline, fresh, fold(events.slice(0, taken)));
        }
        expect(timeline).toEqual(timelineOf(events, fold(events)));
      }),
      { numRuns: runs(25, 500), seed: 20_261_122 },
    );
  });
});
