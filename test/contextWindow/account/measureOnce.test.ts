import { describe, expect, it } from 'vitest';
import { measure } from '../../../src/contextWindow/account/measure';
import type { Estimate } from '../../../src/contextWindow/truncate';
import { countDots, drawnEvents, foldNew, promptEvent } from '../../support/drawing';

const SESSION = drawnEvents(`
  1 anchor task 30
  1 read   a.ts 40
`);

/** An estimate that counts its calls; `renew` starts another generation. */
function counting() {
  let asked = 0;
  let generation: object | undefined = {};
  const estimate: Estimate = Object.defineProperty(
    (text: string) => {
      asked += 1;
      return countDots(text);
    },
    'generation',
    { get: () => generation },
  );
  return {
    estimate,
    asked: () => asked,
    renew: (next: object | undefined) => void (generation = next),
  };
}

describe('measure', () => {
  it('estimates a window once, however often it is called', () => {
    const { estimate, asked } = counting();
    const window = foldNew(SESSION);
    const first = measure(window, estimate);
    const once = asked();
    expect(once).toBeGreaterThan(0);
    expect(measure(window, estimate)).toBe(first);
    expect(asked()).toBe(once);
  });

  it('estimates again after the window or the estimates changed', () => {
    const { estimate, asked, renew } = counting();
    const window = foldNew(SESSION);
    measure(window, estimate);
    const once = asked();
    measure(foldNew([...SESSION, promptEvent('next')]), estimate);
    expect(asked()).toBeGreaterThan(once);
    const before = asked();
    renew({});
    measure(window, estimate);
    expect(asked()).toBe(before + once);
  });

  it('remembers nothing for an estimate without a generation', () => {
    const { estimate, asked, renew } = counting();
    renew(undefined);
    const window = foldNew(SESSION);
    measure(window, estimate);
    const once = asked();
    measure(window, estimate);
    expect(asked()).toBe(2 * once);
  });
});
