import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { EventOf, NewEvent } from '../../../../src/contextWindow/event';
import type { Usage } from '../../../../src/contextWindow/account/spending';
import { timelineOf } from '../../../support/timelineOf';
import {
  TimelineDrawing,
  type TimelineFacts,
} from '../../../../src/editor/contextPanel/timeline/derive';
import { TurnUsage } from '../../../../src/editor/conversation/turns';
import { evicting, promptEvent, usage } from '../../../support/drawing';
import { scriptedAgent, steps } from '../../../support/scriptedAgent';
import { DEMO } from '../support/inspecting';
import { view, by, SONNET, MILLION, FACTS, read } from '../support/timelineScene';

describe('the cost of a session', () => {
  const cost = (told: readonly NewEvent[], facts: Partial<TimelineFacts> = {}) =>
    view([promptEvent('a'), ...told], facts).totals.cost;

  it('is the list price of every answer', () => {
    const { points, totals } = view([promptEvent('a'), by(SONNET, MILLION), by(SONNET, MILLION)]);
    expect([points.map((point) => point.cost), totals.cost]).toEqual([[2, 2], '$4.00']);
  });

  it('is never shown as none if there is one', () => {
    expect(cost([by(SONNET, usage(0, { outputTokens: 100 }))])).toMatch(/^\$0\.00[1-9]$/);
    expect(cost([by(SONNET, usage(1_000_000, { outputTokens: 0 }))])).toMatch(/^\$\d\.\d\d$/);
  });

  it('is unknown if the price of one of the models is unknown', () => {
    const { points, totals } = view([promptEvent('a'), by(SONNET, MILLION), by('mine', MILLION)]);
    expect([points.map((point) => point.cost), totals.cost]).toEqual([[2, null], 'price unknown']);
  });

  it('is nothing for the scripted model, also before the first step and for a stopped reply', () => {
    const nothing = usage(0, { outputTokens: 0 });
    const stopped = by(SONNET, nothing, { stopReason: 'stopped' });
    expect(cost([], { offline: true })).toBe('no charge (offline)');
    expect(cost([by(DEMO, MILLION), stopped])).toBe('no charge (offline)');
    expect(cost([by(DEMO, MILLION), by(SONNET, MILLION)])).toBe('$2.00');
  });

  it('is not recorded if no usage was reported', () => {
    const unpaid = by(SONNET, usage(0, { outputTokens: 0 }));
    expect(cost([unpaid])).toBe('cost not recorded');
    expect(view([promptEvent('a'), unpaid]).points[0]!.cost).toBeNull();
    expect(view([promptEvent('a'), by(DEMO, MILLION)]).points[0]!.cost).toBe(0);
  });

  it('includes requests other than steps, also after the newest step', () => {
    const asked: NewEvent = {
      type: 'modelAsked',
      purpose: 'summary',
      model: SONNET,
      usage: MILLION,
    };
    const { points, totals } = view([
      promptEvent('a'),
      by(SONNET, MILLION, { compactionUsage: MILLION }),
      asked,
      by(SONNET, MILLION),
      asked,
    ]);
    expect([points.map((point) => point.cost), totals.cost]).toEqual([[4, 4], '$10.00']);
  });

  it('includes the summaries of an older log, which only its passes mention', () => {
    const { pass } = evicting('step-1') as EventOf<'passApplied'>;
    const summary = {
      id: 'summary-1' as BlockId,
      covers: [],
      text: 'So far.',
      writtenBy: { by: 'model' as const, model: SONNET, usage: MILLION },
    };
    const told: readonly NewEvent[] = [
      by(SONNET, MILLION),
      { type: 'passApplied', pass: { ...pass, summaries: [summary] } },
      by(SONNET, MILLION),
    ];
    expect(cost(told)).toBe('$6.00');
    expect(cost(told.slice(0, 2))).toBe('$4.00');
  });

  const silent = by(SONNET, usage(0, { outputTokens: 0 }));
  const halfCached = usage(500_000, { cacheReadTokens: 500_000, outputTokens: 0 });
  const allCached = usage(0, { cacheReadTokens: 1_000_000, outputTokens: 0 });

  /** What the recorded agent paid for its replies, by step. */
  const paidFor = (...steps: readonly (readonly [number, Usage])[]) => ({
    recordedUsage: new Map(steps),
    recordedCharges: new Map(steps.map(([step, used]) => [step, [{ model: SONNET, usage: used }]])),
  });

  it('includes side requests in each step, in the total and in the share from the cache', () => {
    const rating: NewEvent = {
      type: 'modelAsked',
      purpose: 'summary',
      model: SONNET,
      usage: MILLION,
    } as NewEvent;
    const { points, totals } = view([promptEvent('a'), rating, by(SONNET, allCached), rating]);
    expect(points[0]!.billed).toMatchObject({ fresh: 1_000_000, cacheRead: 1_000_000 });
    expect([totals.cacheReadShare, totals.cost]).toEqual([1 / 3, '$4.10']);
  });

  it('of a fork says what it inherited and what it spent', () => {
    const told = [promptEvent('a'), by(SONNET, MILLION), by(SONNET, MILLION), by(SONNET, MILLION)];
    expect(view(told, { forkedAfter: 2 }).totals).toMatchObject({
      cost: '$6.00',
      fork: { inherited: '$4.00', spent: '$2.00' },
    });
    expect(view(told).totals).not.toHaveProperty('fork');
  });

  it('counts no undone pass', () => {
    const { pass } = evicting('step-1') as EventOf<'passApplied'>;
    const told: readonly NewEvent[] = [
      promptEvent('a'),
      by(SONNET, MILLION),
      { type: 'passApplied', pass },
      by(SONNET, MILLION),
    ];
    expect(view(told).totals.passes).toBe(1);
    const undone: NewEvent = { type: 'passUndone', number: pass.number } as NewEvent;
    expect(view([...told, undone]).totals.passes).toBe(0);
  });

  it("includes every answer of a recorded agent, at the file's own price", () => {
    const { recordedUsage } = paidFor([1, halfCached]);
    const thought = { model: SONNET, usage: allCached, usd: 7 };
    const reply = { model: SONNET, usage: halfCached };
    const { points, totals } = view([promptEvent('a'), silent], {
      recordedUsage,
      recordedCharges: new Map([[1, [thought, reply]]]),
      simulatedUsage: new Map([[1, halfCached]]),
    });
    expect(points[0]!.recordedBill).toMatchObject({ cost: 8.05 });
    expect(points[0]!.recordedBill!.billed).toMatchObject({ fresh: 500_000, cacheRead: 1_500_000 });
    expect(totals.recordedBill).toEqual({ cacheReadShare: 0.75, cost: '$8.05' });
    // The replay sends no request for the other answer.
    expect(totals.cost).toBe('at least ≈ $1.05');
  });

  it('has two sums in a recording: what Plimsoll would have paid, and what its agent paid', () => {
    const { points, totals } = view([promptEvent('a'), silent, silent], {
      ...paidFor([1, halfCached], [2, halfCached]),
      simulatedUsage: new Map([
        [1, halfCached],
        [2, allCached],
      ]),
    });
    expect(points.map((point) => [point.billed?.fresh, point.cost, point.simulated])).toEqual([
      [500_000, 1.05, true],
      [0, 0.1, true],
    ]);
    expect(points.map((point) => point.recordedBill?.cost)).toEqual([1.05, 1.05]);
    expect(totals).toEqual({
      passes: 0,
      changes: 0,
      refaults: 0,
      cacheReadShare: 0.75,
      cost: '≈ $1.15',
      recordedBill: { cacheReadShare: 0.5, cost: '$2.10' },
    });
  });

  it('is marked as partial if the recording does not have all usage', () => {
    const facts = { simulatedUsage: new Map([1, 2].map((step) => [step, halfCached] as const)) };
    const told = [promptEvent('a'), silent, silent];
    const { points, totals } = view(told, { ...facts, ...paidFor([2, halfCached]) });
    expect(points[0]).not.toHaveProperty('recordedBill');
    expect([totals.cost, totals.recordedBill!.cost]).toEqual([
      'at least ≈ $2.10',
      'at least $1.05',
    ]);
    const untold = view(told, { ...facts, ...paidFor() }).totals;
    expect([untold.cost, untold.recordedBill!.cost]).toEqual([
      'at least ≈ $2.10',
      'cost not recorded',
    ]);
  });

  it('agrees with the conversation about the same turn', async () => {
    const agent = scriptedAgent({ script: steps(40, 1_400) });
    await agent.run('look');
    const { events, window } = agent.session;
    expect(agent.summaryRequests.length).toBeGreaterThan(0);
    const { totals } = new TimelineDrawing(FACTS).draw(timelineOf(events, window));
    const usage = new TurnUsage(FACTS.demoAuthor);
    for (const event of events) usage.take(event);
    const told = usage.view(0, FACTS.offline).cost;
    expect(totals.cost).toBe(told);
    expect(Number(totals.cost.slice(1))).toBeGreaterThan(0);
  });

  it('includes passes after the newest step', () => {
    const { totals } = view([promptEvent('a'), read('t1', 'a.ts'), evicting('step-1')]);
    expect(totals.passes).toBe(1);
  });
});
