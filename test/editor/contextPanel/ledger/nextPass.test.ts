import { describe, expect, it } from 'vitest';
import type { ContextWindow } from '../../../../src/contextWindow/window';
import { EMPTY_WINDOW } from '../../../../src/contextWindow/fold';
import type { Decision, Pass } from '../../../../src/contextWindow/plan';
import {
  lastDecisions,
  ranNext,
  passesAfter,
} from '../../../../src/editor/contextPanel/ledger/nextPass';

const decision = (blockId: string, action: Decision['action'], tokens = 100) =>
  ({
    blockId,
    label: `label of ${blockId}`,
    action,
    reason: { rule: 'evictUnneeded' },
    before: { tokens, exact: true },
    after: { tokens: action === 'clear' ? 20 : 0, exact: false },
  }) as Decision;

function pass(number: number, beforeStep: number, decisions: readonly Decision[]): Pass {
  const cache = { rewrittenTokens: 0, freedTokens: 100 * number };
  return {
    number,
    beforeStep,
    trigger: 'highWatermark',
    decisions,
    cache,
  } as unknown as Pass;
}

const FIRST = pass(1, 5, [decision('step-1', 'clear'), decision('step-2', 'keep')]);
const SECOND = pass(2, 5, [decision('step-1', 'evict'), decision('step-2', 'clear')]);

function windowWith(ledger: readonly { readonly pass: Pass; readonly undone?: true }[]) {
  return { ...EMPTY_WINDOW, ledger } as unknown as ContextWindow;
}

describe('the blocks removed right after a step', () => {
  it('cover all passes before the next step, each block with the last pass that removed it', () => {
    const ran = passesAfter(
      windowWith([{ pass: FIRST }, { pass: SECOND }, { pass: pass(3, 6, []) }]),
      4,
    );
    expect(ranNext(ran)).toEqual({
      type: 'ran',
      passes: [1, 2],
      blocks: 2,
      freedTokens: 300,
      shortens: false,
      largest: [
        {
          blockId: 'step-1',
          label: 'label of step-1',
          tokens: { tokens: 100, exact: false },
        },
        {
          blockId: 'step-2',
          label: 'label of step-2',
          tokens: { tokens: 80, exact: false },
        },
      ],
    });
    expect(lastDecisions(ran).map(({ blockId, action }) => `${action} ${blockId}`)).toEqual([
      'evict step-1',
      'clear step-2',
    ]);
  });

  it('name the three that lose most, largest first', () => {
    const decisions = [30, 400, 5, 90].map((tokens, at) =>
      decision(`step-${at + 1}`, 'evict', tokens),
    );
    const next = ranNext([pass(1, 5, [...decisions, decision('step-9', 'keep', 900)])]);
    expect(next.type === 'ran' && next.largest.map(({ blockId }) => blockId)).toEqual([
      'step-2',
      'step-4',
      'step-1',
    ]);
  });

  it('leave out undone passes and changes by hand', () => {
    const byHand = { ...SECOND, trigger: 'byHand' } as Pass;
    const ran = passesAfter(windowWith([{ pass: FIRST, undone: true }, { pass: byHand }]), 4);
    expect(ran).toEqual([]);
    expect(ranNext(ran).type).toBe('notWorkedOut');
  });
});
