import { describe, expect, it } from 'vitest';
import {
  afterPass,
  afterReply,
  type CacheHistory,
  cacheLifeSet,
  coldCache,
  coldFrom,
  nextInput,
  savedByColdPass,
} from '../../../src/contextWindow/account/promptCache';
import { measure } from '../../../src/contextWindow/account/measure';
import { EMPTY_WINDOW } from '../../../src/contextWindow/fold';
import type { Pass, Trigger } from '../../../src/contextWindow/plan';
import type { SessionEvent } from '../../../src/contextWindow/event';
import type { BlockId } from '../../../src/contextWindow/block';
import { toRequest } from '../../../src/contextWindow/request/request';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { countDots, drawnEvents, foldNew } from '../../support/drawing';
import { planned } from '../support/planned';

const MINUTE = 60_000;

/** The history of requests at these minutes. */
function at(...minutes: readonly number[]): CacheHistory | undefined {
  return minutes.reduce<CacheHistory | undefined>(
    (before, minute) => afterReply(before, (minute + 1) * MINUTE),
    undefined,
  );
}

const choice = (history: CacheHistory | undefined, minute: number) =>
  cacheLifeSet({ cache: history }, 'auto', (minute + 1) * MINUTE)?.life;

const NO_USAGE = { inputTokens: 0, cacheCreationTokens: 0, cacheReadTokens: 0, outputTokens: 0 };

describe('the prompt cache', () => {
  it('is cold five minutes after the last reply, or an hour after it if all of it was kept so long', () => {
    expect(coldFrom({ cache: undefined })).toBeUndefined();
    expect(coldFrom({ cache: at(0) })).toBe(6 * MINUTE);
    expect(coldFrom({ cache: at(0), cacheLife: 'mixed' })).toBe(6 * MINUTE);
    expect(coldFrom({ cache: at(0), cacheLife: '1h' })).toBe(61 * MINUTE);
  });

  it('is cold at once after a change of its prefix', () => {
    expect(coldFrom({ cache: { ...at(0)!, isChanged: true } })).toBe(0);
  });

  it('is never cold in a session without times, or on a server without a cache', () => {
    expect(coldFrom({ cache: { ...at(0)!, usedAt: 0 } })).toBeUndefined();
    const uncached = afterReply(undefined, MINUTE, { ...NO_USAGE, inputTokens: 900 });
    expect(coldFrom({ cache: uncached })).toBeUndefined();
    expect(
      cacheLifeSet({ cache: afterReply(uncached, 11 * MINUTE) }, 'auto', 12 * MINUTE)?.life,
    ).toBe('mixed');
    const later = afterReply(uncached, 11 * MINUTE, { ...NO_USAGE, inputTokens: 900 });
    expect(cacheLifeSet({ cache: later }, 'auto', 12 * MINUTE)).toBeUndefined();
  });

  it('is changed by another model, system prompt or tool, until the next reply', () => {
    const reply = drawnEvents('1 anchor task 10\n1 reply one 10');
    const isChanged = (window: ContextWindow) => window.cache?.isChanged;
    expect(isChanged(foldNew(reply))).toBeUndefined();
    const model = { type: 'modelSet', model: 'one' } as const;
    const other = { type: 'modelSet', model: 'other' } as const;
    expect(isChanged(foldNew([model, ...reply, other]))).toBe(true);
    expect(isChanged(foldNew([...reply, { type: 'preambleSet', system: 'New.', tools: [] }]))).toBe(
      true,
    );
  });
});

describe('the life that auto chooses', () => {
  it('is five minutes without pauses', () => {
    expect(choice(at(0, 1, 2), 3)).toBeUndefined();
  });

  it('is an hour for the stable part after a pause that an hour outlasts', () => {
    expect(choice(at(0, 1, 2), 10)).toBe('mixed');
    expect(choice(at(0, 10, 11), 12)).toBe('mixed');
  });

  it('is five minutes again once pauses are fewer than one in 33 requests', () => {
    const steps = Array.from({ length: 40 }, (_, index) => 10 + index);
    const mixed = { cache: at(0, ...steps), cacheLife: 'mixed' as const };
    expect(cacheLifeSet(mixed, 'auto', 51 * MINUTE)).toMatchObject({
      life: '5m',
      pauses: 1,
      longPauses: 0,
      requests: 42,
    });
  });

  it('is five minutes while longer pauses cost more than the others save', () => {
    expect(choice(at(0, 10, 100, 200), 201)).toBeUndefined();
    expect(choice(at(0, 10, 20, 30, 100), 101)).toBe('mixed');
  });

  it('is five minutes while passes rewrite more than pauses save', () => {
    const pass = (rewrittenTokens: number, trigger: Trigger = 'highWatermark') => ({
      trigger,
      after: { tokens: 1_000, exact: false },
      cache: { rewrittenTokens, addedTokens: 100 } as Pass['cache'],
    });
    const one = at(0, 10, 11);
    expect(choice(afterPass(one, pass(400)), 12)).toBe('mixed');
    expect(choice(afterPass(one, pass(800)), 12)).toBeUndefined();
    expect(choice(afterPass(one, pass(800, 'coldCache')), 12)).toBe('mixed');
  });

  describe('with earlier sessions', () => {
    const earlier = { sessions: 2, requests: 200, pauses: 20, longPauses: 2 };
    const first = (before: typeof earlier, history = at()) =>
      cacheLifeSet({ cache: history }, 'auto', MINUTE, before);

    it('is an hour from the first request on if they had enough pauses', () => {
      expect(first(earlier)).toEqual({
        type: 'cacheLifeSet',
        life: 'mixed',
        choice: 'auto',
        pauses: 0,
        longPauses: 0,
        requests: 1,
        earlier,
      });
      expect(first({ ...earlier, pauses: 5 })).toBeUndefined();
      expect(first({ ...earlier, longPauses: 30 })).toBeUndefined();
    });

    it('is not decided by a single one', () => {
      expect(first({ ...earlier, sessions: 1 })).toBeUndefined();
    });

    it('is decided by the session itself after some 50 requests, however many there were', () => {
      const many = { sessions: 20, requests: 9_000, pauses: 400, longPauses: 20 };
      const quiet = (requests: number) =>
        first(many, at(...Array.from({ length: requests }, () => 0)))?.life;
      expect(quiet(10)).toBe('mixed');
      expect(quiet(60)).toBeUndefined();
    });

    it('is decided by the session itself once a pass has rewritten the cache', () => {
      expect(first(earlier, { ...at(0)!, rewritten: 0.1 })).toBeUndefined();
    });

    it('does not depend on them where the user chose', () => {
      const set = cacheLifeSet({ cache: undefined }, '1h', 0, earlier);
      expect(set?.life).toBe('1h');
      expect(set?.earlier).toBeUndefined();
    });
  });

  it('gives way to the choice of the user', () => {
    expect(cacheLifeSet({ cache: undefined }, '1h', 0)?.life).toBe('1h');
    expect(cacheLifeSet({ cache: at(0, 10) }, '5m', 11 * MINUTE)).toBeUndefined();
  });
});

describe('what the hour saved', () => {
  const read = {
    ...NO_USAGE,
    cacheReadTokens: 1_000,
    cacheCreationTokens: 200,
    cacheCreation1hTokens: 200,
  };

  it('is a write instead of a read for what was read after a pause, less the dearer writes', () => {
    expect(afterReply(at(0), 11 * MINUTE, read).hourSaved).toBeCloseTo(1_000 * 1.15 - 200 * 0.75);
    expect(afterReply(at(0), 2 * MINUTE, read).hourSaved).toBeCloseTo(-200 * 0.75);
    expect(afterReply(at(0), 11 * MINUTE, NO_USAGE).hourSaved).toBe(0);
  });
});

describe('a pass at a cold cache', () => {
  const window = foldNew(
    drawnEvents(`
      1 anchor task 30
      1 reply  one 400
      1 reply  two 300
      2 prompt now 10
      2 read   b.ts 200
    `),
  );
  const plan = planned(window, { policy: 'tokenBudget', inputBudget: 1_400 });
  const freed = plan.before.tokens - plan.estimatedAfter;

  it('saves the write of what it removes, and the reads of the requests to come', () => {
    expect(savedByColdPass(plan, { warmTokens: 0, requestsToCome: 0 })).toBeCloseTo(freed * 1.25);
    expect(savedByColdPass(plan, { warmTokens: 0, requestsToCome: 10 })).toBeCloseTo(freed * 2.25);
  });

  it('loses what the cache had kept behind the first change', () => {
    const all = { warmTokens: plan.before.tokens, requestsToCome: 0 };
    const rewritten = plan.before.tokens - 30;
    expect(savedByColdPass(plan, all)).toBeCloseTo(freed * 1.25 - rewritten * 1.15);
  });

  it('pays for its summaries, unless work notes stand in for them', () => {
    const job = { summaryId: 's' as BlockId, covers: [], tokensBefore: 300, maxTokens: 50 };
    const withSummary = { ...plan, summaries: [job] };
    const cold = { warmTokens: 0, requestsToCome: 0 };
    expect(savedByColdPass(withSummary, cold)).toBeCloseTo(freed * 1.25 - 300 - 250);
    const free = { ...cold, areSummariesFree: true };
    expect(savedByColdPass(withSummary, free)).toBeCloseTo(freed * 1.25);
  });

  it('expects as many requests as an average turn has, and knows what an hour keeps', () => {
    const now = 11 * MINUTE;
    const facts = (changes: Partial<ContextWindow>) => {
      const later = { ...window, cache: at(0), ...changes };
      return { window: later, measured: measure(later, countDots) };
    };
    expect(coldCache(facts({}), now)).toEqual({ warmTokens: 0, requestsToCome: 2 });
    expect(coldCache(facts({ cacheLife: '1h' }), now)).toBeUndefined();
    expect(coldCache(facts({ cacheLife: 'mixed' }), now)?.warmTokens).toBe(30);
    expect(coldCache(facts({ cacheLife: '1h' }), 90 * MINUTE)?.warmTokens).toBe(0);
    expect(coldCache(facts({}), 2 * MINUTE)).toBeUndefined();
  });
});

describe('the input of the next request', () => {
  const usage = { ...NO_USAGE, cacheReadTokens: 700, cacheCreationTokens: 200 };
  const answered = afterReply(undefined, MINUTE, usage);
  const window = foldNew(drawnEvents('1 anchor task 30\n1 reply one 970'));

  /** At two minutes, one after the reply, unless it says otherwise. */
  function input(
    changes: Partial<ContextWindow> = {},
    later: readonly SessionEvent['type'][] = [],
    now = 2 * MINUTE,
  ) {
    const weighed = { ...window, cache: answered, ...changes };
    const events = ['replyReceived', ...later].map((type) => ({ type }) as SessionEvent);
    const facts = { window: weighed, measured: measure(weighed, countDots) };
    const { inputTokens, cacheCreationTokens, cacheReadTokens } = nextInput(facts, events, now);
    return [inputTokens, cacheCreationTokens, cacheReadTokens];
  }

  it('is read from the cache as far as the last request left it there', () => {
    expect(input()).toEqual([0, 100, 900]);
  });

  it('is written to the cache before the first reply, at a cold cache, and after a pass', () => {
    expect(input({ cache: undefined })).toEqual([0, 1_000, 0]);
    expect(input({}, [], 7 * MINUTE)).toEqual([0, 1_000, 0]);
    expect(input({ cache: { ...answered, isChanged: true } })).toEqual([0, 1_000, 0]);
    expect(input({}, ['passApplied'])).toEqual([0, 1_000, 0]);
  });

  it('is read after a pause as far as it is kept for an hour', () => {
    expect(input({ cacheLife: 'mixed' }, [], 7 * MINUTE)).toEqual([0, 970, 30]);
    expect(input({ cacheLife: '1h' }, [], 7 * MINUTE)).toEqual([0, 100, 900]);
  });

  it('is plain input on a server without a cache', () => {
    const uncached = afterReply(undefined, MINUTE, { ...NO_USAGE, inputTokens: 900 });
    expect(input({ cache: uncached })).toEqual([1_000, 0, 0]);
  });
});

describe('the breakpoints of a request', () => {
  const drawn = foldNew(
    drawnEvents(`
      1 anchor task 30
      1 read   a.ts 40
      1 read   b.ts 40
      1 read   c.ts 40
    `),
  );
  const base = { ...drawn, preamble: { system: 'Be kind.', tools: [] } };

  /** The lives of the system prompt and of the marked messages, by their index. */
  function marks(changes: Partial<ContextWindow>) {
    const { system, messages } = toRequest({ ...base, ...changes });
    const lives = messages.map(({ content }) =>
      content.flatMap((part) =>
        'cache_control' in part && part.cache_control !== undefined
          ? [part.cache_control.ttl ?? '5m']
          : [],
      ),
    );
    return [system.map((part) => part.cache_control?.ttl ?? '5m').join(), ...lives.flat()];
  }

  it('are three of five minutes, or of one hour', () => {
    expect(marks({})).toEqual(['5m', '5m', '5m']);
    expect(marks({ cacheLife: '1h' })).toEqual(['1h', '1h', '1h']);
  });

  it('have a fourth at the task, or after what the last pass left, which lives an hour', () => {
    expect(marks({ cacheLife: 'mixed' })).toEqual(['1h', '1h', '5m', '5m']);
    const stable = (id: string) => marks({ cacheLife: 'mixed', stableThrough: id as BlockId });
    expect(stable('step-1')).toEqual(['1h', '1h', '5m', '5m']);
    expect(stable('step-2')).toEqual(['1h', '1h', '5m']);
    // The API wants longer lives first.
    expect(stable('step-3')).toEqual(['1h', '1h', '1h']);
  });

  it('stay away from a stable block that is gone', () => {
    const gone = { cacheLife: 'mixed', stableThrough: 'step-9' as BlockId } as const;
    expect(marks(gone)).toEqual(['1h', '5m', '5m']);
    expect(EMPTY_WINDOW.stableThrough).toBeUndefined();
  });
});
