import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInWindow, type BlockId } from '../../../src/contextWindow/block';
import type { ContextWindow } from '../../../src/contextWindow/window';
import { entered, type NewEvent } from '../../../src/contextWindow/event';
import { applyEvent } from '../../../src/contextWindow/fold';
import { measure, weightOf } from '../../../src/contextWindow/account/measure';
import {
  clearByHand,
  excludeByHand,
  restoreByHand,
  rewriteByHand,
} from '../../../src/contextWindow/passes/byHand';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { passApplied } from '../../../src/contextWindow/passes/pipeline';
import { policyFacts, type PolicyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { POLICY_NAMES } from '../../../src/contextWindow/plan';
import { POLICY_SETTINGS } from '../../support/agentSettings';
import {
  budgetOf,
  countDots,
  dots,
  drawnEvents,
  foldNew,
  promptEvent,
  reply,
  stepEvents,
  usage,
} from '../../support/drawing';
import { expectSameTokens } from '../../support/passInvariants';
import { estimate, type Sent } from '../../support/player';
import { actions, playSmall, settingsOf, type Action } from '../../support/randomSession';
import { runs } from '../../support/runs';

const facts = (window: ContextWindow): PolicyFacts =>
  policyFacts({
    window,
    budget: budgetOf(1_000_000),
    estimate,
    settings: POLICY_SETTINGS,
  });

const after = (window: ContextWindow, event: NewEvent): ContextWindow =>
  applyEvent(window, entered(event, 0, window));

/** The window after a change of a block by hand; undefined if it is refused or changes nothing. */
function changed(
  window: ContextWindow,
  change: typeof excludeByHand,
  id: string,
): ContextWindow | undefined {
  const now = facts(window);
  const by = change(now, id);
  return by.ok && by.plan !== undefined ? after(window, passApplied(now, by.plan, [])) : undefined;
}

/**
 * Random sessions with some counted requests; without thinking, which never returns after a change.
 */
const sessions = fc
  .tuple(actions, settingsOf, fc.constantFrom(...POLICY_NAMES))
  .map(([script, settings, policy]) => {
    const thoughtless = script.map((act): Action =>
      act.type === 'step' ? { ...act, thinking: false } : act,
    );
    return playSmall(thoughtless, policy, settings).sent;
  });

/** Tries something with every fifth window of a session, backwards from the last one. */
function throughout(sent: readonly Sent[], check: (window: ContextWindow) => void): void {
  sent.filter((_, at) => (sent.length - 1 - at) % 8 === 0).forEach(({ window }) => check(window));
}

const RUNS = { numRuns: runs(15, 100) };

describe('an official count after a change', () => {
  it.each([
    ['exclude', excludeByHand],
    ['clear', clearByHand],
  ] as const)('gives the same tokens, part by part, after %s and a restore', (_, change) => {
    let tried = 0;
    fc.assert(
      fc.property(sessions, (sent) =>
        throughout(sent, (window) => {
          // A change shows the current scratchpad, and a restore leaves it shown.
          const whole = { ...window, scratchpad: foldNew([]).scratchpad, shownScratchpad: '' };
          for (const block of whole.blocks.filter(({ state }) => state === 'whole')) {
            const gone = changed(whole, change, block.id);
            const back = gone && changed(gone, restoreByHand, block.id);
            if (back === undefined) continue;
            tried += 1;
            expectSameTokens(whole, back);
          }
        }),
      ),
      RUNS,
    );
    expect(tried).toBeGreaterThan(4);
  });

  it('gives the same tokens after exclude, clear, restore or rewrite and its undo', () => {
    let tried = 0;
    const rewrite: typeof excludeByHand = (input, id) => rewriteByHand(input, id, 'Another text.');
    fc.assert(
      fc.property(sessions, (sent) =>
        throughout(sent, (window) => {
          for (const { id } of window.blocks) {
            for (const change of [excludeByHand, clearByHand, restoreByHand, rewrite]) {
              const other = changed(window, change, id);
              if (other === undefined) continue;
              const { number } = other.ledger.at(-1)!.pass;
              if (whyNotUndone(other, number) !== undefined) continue;
              tried += 1;
              expectSameTokens(window, after(other, { type: 'passUndone', number }));
            }
          }
        }),
      ),
      RUNS,
    );
    expect(tried).toBeGreaterThan(4);
  });

  it('gives the same tokens after the task was pinned and unpinned, or moved and moved back', () => {
    let tried = 0;
    fc.assert(
      fc.property(sessions, (sent) =>
        throughout(sent, (window) => {
          const task = window.blocks.find(({ kind }) => kind === 'anchor')!;
          const pin = { type: 'blockPinned', blockId: task.id } as const;
          const unpin = { type: 'blockUnpinned', blockId: task.id } as const;
          if (!isInWindow(task)) return;
          const [there, back] = task.pinned ? [unpin, pin] : [pin, unpin];
          expectSameTokens(window, after(after(window, there), back));
          const move = (blockId: BlockId) => ({ type: 'anchorMoved', blockId }) as const;
          const pinned = task.pinned ? window : after(window, pin);
          for (const { id, kind, state } of pinned.blocks) {
            if (kind !== 'prompt' || state !== 'whole') continue;
            tried += 1;
            expectSameTokens(pinned, after(after(pinned, move(id)), move(task.id)));
          }
        }),
      ),
      RUNS,
    );
    expect(tried).toBeGreaterThan(4);
  });

  /** A window whose count is twice its estimate. */
  const COUNTED = [
    { type: 'preambleSet', system: dots(300), tools: [] } as const,
    ...drawnEvents('1 anchor task 10\n1 read a.ts 200\n1 read b.ts 100'),
    { type: 'windowCounted', tokens: 1_300, source: 'countTokens' } as const,
  ];
  const near = (window: ContextWindow): PolicyFacts =>
    policyFacts({
      window,
      budget: budgetOf(10_000),
      estimate: countDots,
      settings: POLICY_SETTINGS,
    });
  const without = (window: ContextWindow, id: string): ContextWindow => {
    const now = near(window);
    const by = excludeByHand(now, id);
    if (!by.ok) throw new Error(by.message);
    return after(window, passApplied(now, by.plan!, []));
  };

  it('shrinks by exactly the counted weight of the removed block', () => {
    const window = foldNew(COUNTED);
    const before = measure(window, countDots);
    const weight = weightOf(before, 'step-1' as BlockId).tokens;
    expect(weight).toBeGreaterThan(350);
    const gone = measure(without(window, 'step-1'), countDots);
    expect(gone.used).toEqual({ tokens: 1_300 - weight, exact: false });
    for (const part of ['system', 'prompt-1' as BlockId, 'step-2' as BlockId] as const) {
      expect(weightOf(gone, part)).toEqual(weightOf(before, part));
    }
  });

  it('is exact again after the block was restored', () => {
    const gone = without(foldNew(COUNTED), 'step-1');
    const back = after(gone, { type: 'passUndone', number: 1 });
    expect(measure(back, countDots)).toMatchObject({
      used: { tokens: 1_300, exact: true },
      changed: false,
    });
  });

  it('keeps the weight of system prompt and tools at every count', () => {
    const tools = [{ name: 'read', description: dots(90), inputSchema: { type: 'object' } }];
    const start: readonly NewEvent[] = [
      { type: 'preambleSet', system: dots(300), tools },
      promptEvent(dots(40)),
      reply('first', usage(700)),
      promptEvent(dots(40)),
      ...stepEvents([{ id: 'tuA', name: 'a.ts', tokens: 200 }]),
    ];
    const weights = (events: readonly NewEvent[]) => {
      const measured = measure(foldNew(events), countDots);
      return [weightOf(measured, 'tools').tokens, weightOf(measured, 'system').tokens];
    };
    const first = weights(start);
    const count = (tokens: number): NewEvent => ({
      type: 'windowCounted',
      tokens,
      source: 'countTokens',
    });
    const grown = [...start, count(1_400)];
    expect(weights(grown)).toEqual(first);
    const now = near(foldNew(grown));
    const by = excludeByHand(now, 'prompt-1');
    expect(by.ok).toBe(false);
    const step = clearByHand(near(foldNew([...grown, reply('done', usage(1_500))])), 'step-2');
    const pass = step.ok ? passApplied(now, step.plan!, []) : undefined;
    const cleared = [...grown, reply('done', usage(1_500)), ...(pass ? [pass] : [])];
    expect(pass).toBeDefined();
    expect(weights(cleared)).toEqual(first);
    expect(weights([...cleared, count(1_150)])).toEqual(first);
  });
});
