import { describe, expect, it } from 'vitest';
import type { EventOf, NewEvent } from '../../src/contextWindow/event';
import { decisionViews, passViews } from '../../src/host/passViews';
import { drawnEvents, evicting, foldNew, usage } from '../support/drawing';

const PASS = evicting('step-1') as EventOf<'passApplied'>;

/** A pass before step 3 that had so much written anew. */
const pass = (rewrittenTokens: number): NewEvent => ({
  type: 'passApplied',
  pass: {
    ...PASS.pass,
    beforeStep: 3,
    cache: { ...PASS.pass.cache, rewrittenTokens },
  },
});

const DRAWN = drawnEvents('1 anchor task 30\n1 step a.ts 40\n1 step b.ts 40');

function windowWith(model: string | undefined, rewritten = 1_000_000) {
  const named: readonly NewEvent[] = model === undefined ? [] : [{ type: 'modelSet', model }];
  return foldNew([...DRAWN, ...named, pass(rewritten)]);
}

describe('what a pass cost', () => {
  it.each([
    ['claude-sonnet-5-5', 2.5 - 0.1],
    ['claude-haiku-4-5-20251001', 1.25 - 0.1],
    ['llama-at-home', null],
    ['', null],
    [undefined, null],
  ])('with %s is what writing the prefix costs beyond reading it: %s', (model, cost) => {
    const [view] = passViews(windowWith(model), () => undefined);
    if (cost === null) expect(view!.rewriteCost).toBeNull();
    else expect(view!.rewriteCost).toBeCloseTo(cost, 10);
  });

  it('is nothing where nothing was written anew', () => {
    expect(passViews(windowWith('claude-sonnet-5-5', 0), () => undefined)[0]!.rewriteCost).toBe(0);
  });

  it('is measured once the step behind it has reported, and no sooner', () => {
    const window = windowWith('claude-sonnet-5-5');
    const measured = (used: ReturnType<typeof usage> | undefined) =>
      passViews(window, (step) => (step === 3 ? used : usage(77)))[0]!.measured;
    expect(measured(undefined)).toBeUndefined();
    expect(measured(usage(0))).toBeUndefined();
    expect(measured(usage(5, { cacheReadTokens: 30, cacheCreationTokens: 900 }))).toEqual({
      cacheRead: 30,
      cacheWrite: 900,
    });
  });

  it('has its decisions by number, and none for a pass there is not', () => {
    const window = windowWith(undefined);
    expect(decisionViews(window, 1)!.map(({ blockId, action }) => [blockId, action])).toEqual([
      ['step-1', 'evict'],
    ]);
    expect(decisionViews(window, 2)).toBeUndefined();
  });
});
