import { describe, expect, it } from 'vitest';
import type { Block, BlockId } from '../../src/contextWindow/block';
import type { ContextWindow } from '../../src/contextWindow/window';
import { PersistentList } from '../../src/contextWindow/persistentList';
import { EMPTY_WINDOW } from '../../src/contextWindow/fold';
import { PrefixReuse } from '../../src/replay/tally';

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

/** The shares of a sequence of requests; everything before the blocks weighs nothing. */
function shares(...windows: readonly ContextWindow[]): readonly number[] {
  const reuse = new PrefixReuse((text) => (text.startsWith('[') ? 0 : text.length));
  return windows.map((window) => reuse.next(window));
}

describe('prefix reuse', () => {
  it('is zero for the first request', () => {
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

  it('ignores blocks outside the window', () => {
    const out: Block = { ...B, state: 'evicted' };
    expect(shares(windowOf(A, out), windowOf(A, out, A))).toEqual([0, 0.5]);
  });

  it('is zero after a change of the system prompt', () => {
    const other = { ...windowOf(A, B), preamble: { system: 'Be kind.', tools: [] } };
    expect(shares(windowOf(A, B), other)).toEqual([0, 0]);
  });
});
