import { describe, expect, it } from 'vitest';
import type { TierTokens } from '../../src/contextWindow/account/spending';
import { fold } from '../../src/contextWindow/fold';
import { timelineOf } from '../support/timelineOf';
import { filler } from './support/recording';
import { fromTheStart, asked, read, cleared, summed, said, played } from './support/recordedLines';

describe('the events of a replay', () => {
  const lines = () => {
    fromTheStart();
    return [
      asked('Go'),
      ...read('t1', filler('one', 900)),
      ...read('t2', filler('two', 900)),
      cleared('t1'),
      ...read('t3', filler('three', 900)),
      ...summed('So far.'),
      asked('And now?'),
      said('Nothing.', 'm9'),
    ];
  };

  it.each(['recorded', 'ladder', 'none'] as const)('give the window under %s', async (policy) => {
    const { events, window } = await played(lines(), policy, 2_000);
    expect(fold(events)).toEqual(window);
  });

  it('carry the times of the recording and the tiers of each request', async () => {
    const { events, window } = await played(lines());
    const { points } = timelineOf(events, window);
    expect(points.map(({ at }) => at)).toEqual([2_000, 4_000, 6_000, 10_000]);
    for (const { tiers, input } of points) {
      expect(tiers?.exact).toBe(false);
      expect(input?.tokens).toBe(tiers!.system + tiers!.working + tiers!.archive);
    }
    expect(points.map(({ passes }) => passes.length)).toEqual([0, 0, 1, 1]);
  });

  it('have the size of the window at a reply whose prompt is missing, which no request asked for', async () => {
    const { events, window, simulatedUsage } = await played([
      ...lines(),
      said('And this is how.', 'm10'),
    ]);
    const [before, unasked] = timelineOf(events, window).points.slice(-2);
    const sizeOf = ({ tiers }: { readonly tiers?: TierTokens } = {}) =>
      tiers!.system + tiers!.working + tiers!.archive;
    expect(simulatedUsage.has(5)).toBe(false);
    expect(sizeOf(unasked)).toBeGreaterThan(sizeOf(before));
    expect(sizeOf(unasked)).toBeLessThan(sizeOf(before) + 100);
  });

  it('hold no usage of the recorded requests, which is reported separately', async () => {
    const { events, recordedUsage, window } = await played(lines());
    const used = events.flatMap((event) => (event.type === 'replyReceived' ? [event.usage] : []));
    expect(new Set(used.flatMap((usage) => Object.values(usage)))).toEqual(new Set([0]));
    expect([...recordedUsage.keys()]).toEqual([1, 2, 3]);
    expect(recordedUsage.get(1)).toMatchObject({ inputTokens: 100, outputTokens: 5 });
    expect(window.baseline).toBeUndefined();
  });

  it.each(['recorded', 'ladder'] as const)(
    "include marks of the other agent's compactions, under %s",
    async (policy) => {
      const { marks } = await played(lines(), policy);
      expect(marks).toEqual([
        { step: 3, cleared: 1 },
        { step: 4, summary: 'So far.' },
      ]);
    },
  );
});
