import { rungGains } from '../../../src/contextWindow/passes/rungGains';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../src/contextWindow/event';
import type { Pass, Summary } from '../../../src/contextWindow/plan';
import { nextOrdinal, passTitle } from '../../../src/contextWindow/passes/passName';
import { pricePass } from '../../../src/contextWindow/passes/pipeline';
import { reasonText } from '../../../src/contextWindow/reasons';
import {
  countDots,
  dots,
  drawnEvents,
  evicting,
  foldNew,
  scratchpadEvent,
  passThat,
} from '../../support/drawing';
import { planned, type Planned } from '../support/planned';

/** 1,140 tokens; the policy evicts the oldest blocks first. */
const SESSION = `
  1 anchor task 30
  1 reply  one 400
  1 reply  two 300
  1 reply  three 200
  2 prompt now 10
  2 read   b.ts 200
`;

/** The oldest blocks are evicted: at most 0.5 x 1,400 = 700 stay. */
const EVICTING: Planned = { policy: 'tokenBudget', inputBudget: 1_400 };
const COMPACTING: Planned = { policy: 'summarise', inputBudget: 1_400, summaries: true };

function settledOver(
  events: readonly NewEvent[],
  options: Planned,
  { summary }: { summary?: Partial<Summary> } = {},
): Pass {
  const window = foldNew(events);
  const plan = planned(window, options);
  const summaries = plan.summaries.map(({ summaryId, covers }) => ({
    id: summaryId,
    covers,
    text: dots(50),
    writtenBy: { by: 'workNote' as const, because: 'no model' },
    ...summary,
  }));
  return pricePass(plan, summaries, window, countDots);
}

const drawn = drawnEvents(SESSION);

describe('pricePass', () => {
  it('has the tokens before, after and freed', () => {
    const pass = settledOver(drawn, EVICTING);
    expect(pass.before).toEqual({ tokens: 1_140, exact: false });
    expect(pass.after).toEqual({ tokens: 440, exact: false });
    expect(pass.cache.freedTokens).toBe(700);
    expect(rungGains(pass)).toEqual([{ rung: 'evict', blocks: 2, tokens: 700 }]);
    expect(pass.target).toBe(700);
    expect(pass.beforeStep).toBe(5);
  });

  it('prices the prefix: the old text after the first change is written to the cache again', () => {
    const { cache } = settledOver(drawn, EVICTING);
    // Three and now; the anchor before them stays cached, and no request has had b.ts.
    expect(cache.rewrittenTokens).toBe(200 + 10);
    expect(cache.untouchedTokens).toBe(30);
  });

  it('replaces the largest possible summary by the written one', () => {
    const pass = settledOver(drawn, COMPACTING);
    const plan = planned(foldNew(drawn), COMPACTING);
    expect(plan.summaries.map(({ maxTokens }) => maxTokens)).toEqual([200]);
    expect(plan.estimatedAfter).toBe(1_140 - 700 + 200);
    expect(pass.after.tokens).toBe(1_140 - 700 + 50);
    expect(rungGains(pass)).toEqual([{ rung: 'summarise', blocks: 2, tokens: 650 }]);
    expect(pass.cache.freedTokens).toBe(650);
    // The summary is new text.
    expect(pass.cache).toMatchObject({ rewrittenTokens: 210, addedTokens: 50 });
  });

  it('says who wrote the summary, why no model did, and that the user changed it', () => {
    const reasonOf = (summary: Partial<Summary>) =>
      reasonText(settledOver(drawn, COMPACTING, { summary }).decisions[1]!);
    expect(reasonOf({})).toBe('Older than the 2 newest steps: replaced by a work note (no model)');
    expect(reasonOf({ writtenBy: { by: 'model', model: 'some-model' }, editedByUser: true })).toBe(
      'Older than the 2 newest steps: replaced by a summary written by some-model, edited by you',
    );
  });

  it('frees nothing if the summary is larger than the blocks it replaces', () => {
    const pass = settledOver(drawn, COMPACTING, { summary: { text: dots(700) } });
    expect(pass.cache.freedTokens).toBe(0);
  });

  it('writes everything after the anchor again if the notes changed since the last pass', () => {
    const noted = [...drawn, scratchpadEvent(dots(20))];
    const { cache } = settledOver(noted, { policy: 'salience', inputBudget: 1_400 });
    const standing = settledOver(noted, { policy: 'salience', inputBudget: 1_400 })
      .decisions.slice(1, -1)
      .reduce((sum, { after }) => sum + after.tokens, 0);
    expect(cache).toMatchObject({ rewrittenTokens: standing, addedTokens: 20 });
  });

  it('counts passes and changes by hand separately', () => {
    const one = passThat('evict', []) as Extract<NewEvent, { type: 'passApplied' }>;
    const byHand: NewEvent = {
      ...one,
      pass: { ...one.pass, number: 2, ordinal: 1, trigger: 'byHand' },
    };
    const next = settledOver([...drawn, one, byHand], EVICTING);
    expect([next.number, passTitle(next)]).toEqual([3, 'Pass 2']);
    expect(
      passTitle({
        trigger: 'byHand',
        ordinal: nextOrdinal([one.pass, byHand.pass, next], { trigger: 'byHand' }),
      }),
    ).toBe('Change 2');
  });

  it('numbers a pass after the largest number, even if one was lost', () => {
    expect(settledOver(drawn, EVICTING).number).toBe(1);
    const later = passThat('evict', []) as Extract<NewEvent, { type: 'passApplied' }>;
    const third = { ...later, pass: { ...later.pass, number: 3 } };
    expect(settledOver([...drawn, third], EVICTING).number).toBe(4);
    expect(settledOver([...drawn, evicting()], EVICTING).number).toBe(2);
  });
});
