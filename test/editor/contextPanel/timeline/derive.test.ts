import { describe, expect, it } from 'vitest';
import type { EventOf } from '../../../../src/contextWindow/event';
import { timelineOf } from '../../../support/timelineOf';
import { TimelineDrawing } from '../../../../src/editor/contextPanel/timeline/derive';
import { promptEvent, usage } from '../../../support/drawing';
import { scriptedAgent, steps } from '../../../support/scriptedAgent';
import { smallBudget } from '../../../support/smallBudget';
import { view, by, FACTS, SONNET, MILLION } from '../support/timelineScene';

describe('the tiers of a step', () => {
  const tiers = { system: 100, working: 150, archive: 50, exact: false };

  it('add up to the API’s count of the request', () => {
    for (const total of [1, 7, 299, 300, 301, 12_345]) {
      const [point] = view([promptEvent('a'), by('test', usage(total), { tiers })]).points;
      expect(point!.system + point!.archive + point!.working).toBe(total);
      expect(point!.exact).toBe(true);
      expect(Math.min(point!.system, point!.archive, point!.working)).toBeGreaterThanOrEqual(0);
    }
  });

  it('do not scale the system prompt and tools, whatever the API counted', () => {
    const systemOf = (total: number) =>
      view([promptEvent('a'), by('test', usage(total), { tiers })]).points[0]!.system;
    expect([150, 300, 600, 6_000].map(systemOf)).toEqual([100, 100, 100, 100]);
    expect(systemOf(80)).toBe(80);
  });

  it('are divided including the summaries, to the token', () => {
    const told = { ...tiers, summary: 20 };
    const [point] = view([promptEvent('a'), by('test', usage(301), { tiers: told })]).points;
    expect(point).toMatchObject({ system: 100, working: 151, archive: 50, summary: 20 });
  });

  it('are estimates if the API reported nothing, and one sum in an older log', () => {
    const { points } = view([
      promptEvent('a'),
      by('test', usage(0, { outputTokens: 0 }), { tiers }),
      by('test', usage(80)),
    ]);
    const drawn = points.map(({ system, working, archive, exact, billed }) => [
      system,
      working,
      archive,
      exact,
      billed?.fresh ?? null,
    ]);
    expect(drawn).toEqual([
      [100, 150, 50, false, null],
      [0, 80, 0, true, 80],
    ]);
  });

  it('add up to the usage at every step of a session', async () => {
    const agent = scriptedAgent({ script: steps(30, 1_400) });
    await agent.run('look');
    const { events, window } = agent.session;
    const timeline = timelineOf(events, window);
    const { points } = new TimelineDrawing(FACTS).draw(timeline);
    for (const [index, { system, archive, working, exact }] of points.entries()) {
      const { usage } = timeline.points.at(index)!;
      expect([system + archive + working, exact]).toEqual([usage.inputTokens, true]);
    }
  });
});

describe('the drift of an estimate', () => {
  const counted = usage(1_000, { outputTokens: 10 });
  const driftOf = (more: Partial<EventOf<'replyReceived'>>) =>
    view([promptEvent('go'), by(SONNET, counted, { estimatedTokens: 900, ...more })]).points[0]!
      .drift;

  it("is the estimate minus the API's count", () => {
    expect(driftOf({})).toBe(-100);
  });

  it('is absent for a request that the API edited before the model read it', () => {
    expect(driftOf({ editedMeanwhile: true })).toBeUndefined();
    expect(driftOf({ appliedEdits: [{ type: 'clear_tool_uses_20250919' }] })).toBeUndefined();
  });
});

describe('the budget in the timeline', () => {
  const told = [
    promptEvent('a'),
    by(SONNET, MILLION),
    by(SONNET, MILLION, { budget: smallBudget() }),
  ];

  it('is that of each request; if the log does not have it, it is marked as current', () => {
    const today = smallBudget({ contextWindowTokens: 22_000 });
    expect(view(told, { budget: today }).points.map(({ budget }) => budget)).toEqual([
      { inputBudget: 20_000, highTokens: 16_000, lowTokens: 10_000, ofToday: true },
      { inputBudget: 10_000, highTokens: 8_000, lowTokens: 5_000 },
    ]);
  });

  it('is drawn again once the current budget changes', () => {
    const drawing = new TimelineDrawing(FACTS);
    expect(drawing.isWith({ ...FACTS, budget: smallBudget() })).toBe(true);
    expect(drawing.isWith({ ...FACTS, budget: smallBudget({ lowWatermark: 0.4 }) })).toBe(false);
  });
});
