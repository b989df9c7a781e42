import { describe, expect, it } from 'vitest';
import type { Block, BlockId } from '../../src/contextWindow/block';
import type { CacheLife } from '../../src/contextWindow/account/promptCache';
import type { ContextWindow } from '../../src/contextWindow/window';
import { PersistentList } from '../../src/contextWindow/persistentList';
import { EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { type CacheShares, SimulatedCache } from '../../src/replay/simulatedCache';

/** A block weighs as many tokens as its text has letters. */
function block(name: string, tokens: number): Block {
  return {
    kind: 'prompt',
    id: name as BlockId,
    turn: 1,
    pinned: false,
    state: 'whole',
    text: name.repeat(tokens),
    admission: { form: 'whole' },
  };
}

const [A, B, C] = [block('a', 100), block('b', 100), block('c', 200)];

const windowOf = (...blocks: readonly Block[]): ContextWindow => ({
  ...EMPTY_WINDOW,
  blocks: PersistentList.of(blocks),
});

const MINUTE = 60_000;

/** A request with its time since the first one, in minutes. */
type Sent = readonly [window: ContextWindow, minutes: number, model?: string];

/** What the cache did for each request; everything before the blocks weighs nothing. */
function served(...requests: readonly Sent[]): readonly CacheShares[] {
  const cache = new SimulatedCache((text) => (text.startsWith('[') ? 0 : text.length));
  let usedAt = 0;
  return requests.map(([window, minutes, model = 'a model']) => {
    const now = (1 + minutes) * MINUTE;
    const history = {
      usedAt,
      requests: 1,
      pauses: 0,
      longPauses: 0,
      rewritten: 0,
      hourSaved: 0,
      cachedTokens: 0,
    };
    const shares = cache.next(usedAt === 0 ? window : { ...window, cache: history }, now, model);
    usedAt = now;
    return shares;
  });
}

const shares = (...windows: readonly ContextWindow[]) =>
  served(...windows.map((window) => [window, 0] as const)).map(({ read }) => read);

const kept = (life: CacheLife, through: Block, ...blocks: readonly Block[]): ContextWindow => ({
  ...windowOf(...blocks),
  cacheLife: life,
  stableThrough: through.id,
});

describe('the prefix that a request shares with the last one', () => {
  it('is nothing for the first request', () => {
    expect(shares(windowOf(A))).toEqual([0]);
  });

  it('is the former content when more is appended', () => {
    expect(shares(windowOf(A, B), windowOf(A, B, C))).toEqual([0, 0.5]);
  });

  it('is everything for the same request', () => {
    expect(shares(windowOf(A, B), windowOf(A, B))).toEqual([0, 1]);
  });

  it('ends at the first block that changed, whatever follows it', () => {
    expect(shares(windowOf(A, B, C), windowOf(A, { ...B }, C))).toEqual([0, 0.25]);
    expect(shares(windowOf(A, B, C), windowOf(B, C))).toEqual([0, 0]);
  });

  it('leaves out blocks outside the window', () => {
    const out: Block = { ...B, state: 'evicted' };
    expect(shares(windowOf(A, out), windowOf(A, out, A))).toEqual([0, 0.5]);
  });

  it('is nothing after a change of system prompt or model', () => {
    const other = { ...windowOf(A, B), preamble: { system: 'Be kind.', tools: [] } };
    expect(shares(windowOf(A, B), other)).toEqual([0, 0]);
    const [, second] = served([windowOf(A, B), 0], [windowOf(A, B), 0, 'another']);
    expect(second).toEqual({ read: 0, hour: 0, rewrite: 'changed' });
  });
});

describe('the life of a cached prefix', () => {
  it('is five minutes since the last request', () => {
    const window = windowOf(A, B);
    const all = served([window, 0], [window, 4], [window, 9], [window, 15]);
    expect(all.map(({ read }) => read)).toEqual([0, 1, 1, 0]);
    expect(all.map(({ rewrite }) => rewrite)).toEqual(['first', undefined, undefined, 'expired']);
  });

  it('is an hour for everything if the request asks for it', () => {
    const window = kept('1h', B, A, B);
    const all = served([window, 0], [window, 59], [window, 120]);
    expect(all.map(({ read, hour }) => [read, hour])).toEqual([
      [0, 1],
      [1, 0],
      [0, 1],
    ]);
  });

  it('is an hour up to the block that the last pass left, and five minutes after it', () => {
    const [first, later] = served([kept('mixed', B, A, B, C), 0], [kept('mixed', B, A, B, C), 30]);
    expect(first).toEqual({ read: 0, hour: 0.5, rewrite: 'first' });
    expect(later).toEqual({ read: 0.5, hour: 0, rewrite: undefined });
  });

  it('is not lengthened by a mark on what is read', () => {
    const all = served(
      [windowOf(A, B, C), 0],
      [kept('mixed', B, A, B, C), 1],
      [kept('mixed', B, A, B, C), 31],
    );
    expect(all.map(({ read }) => read)).toEqual([0, 1, 0]);
  });
});
