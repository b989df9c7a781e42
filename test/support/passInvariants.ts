import { expect } from 'vitest';
import { isInWindow, type Block } from '../../src/contextWindow/block';
import type { ContextWindow } from '../../src/contextWindow/contextWindow';
import { applyEvent, fold } from '../../src/contextWindow/log/fold';
import { measure } from '../../src/contextWindow/account/measure';
import type { Pass } from '../../src/contextWindow/plan';
import { toRequest } from '../../src/contextWindow/request/request';
import { whyNotUndone } from '../../src/contextWindow/passes/undoPass';
import { estimate, type Played } from './player';
import { thoughtsOf } from './thoughts';

/** What must hold of every pass and of its undoing; each throws where it does not. */
export const PASS_INVARIANTS: Readonly<Record<string, (played: Played) => void>> = {
  'I5: every pass that a policy decides makes the request strictly smaller': (played) => {
    const { events, window } = played;
    for (const { pass } of window.ledger) {
      if (pass.trigger === 'byHand') continue;
      expect(pass.after.tokens).toBeLessThan(pass.before.tokens);
      const at = events.findIndex((event) => event.type === 'passApplied' && event.pass === pass);
      const size = (upTo: number) => JSON.stringify(toRequest(fold(events.slice(0, upTo)))).length;
      if (pass.after.tokens < pass.before.tokens - 300) {
        expect(size(at + 1)).toBeLessThan(size(at));
      }
    }
  },

  'I6, I9: a step that loses its thinking in a pass has a decision of that pass': ({ events }) => {
    for (const { before, pass, after } of passesOf(events)) {
      const acted = new Set(
        pass.decisions.flatMap(({ action, blockId }) => (action === 'keep' ? [] : [blockId])),
      );
      const afterOf = new Map(after.blocks.map((block) => [block.id, block]));
      for (const block of before.blocks) {
        if (!isInWindow(block) || thoughtsOf(block).length === 0) continue;
        if (thoughtsOf(afterOf.get(block.id)!).length === 0) expect(acted).toContain(block.id);
      }
    }
  },

  'every pass has one decision for every block in the window before or after it': ({ events }) => {
    for (const { before, pass, after } of passesOf(events)) {
      const told = before.blocks.filter((block) => {
        const now = after.blocks.find(({ id }) => id === block.id);
        return isInWindow(block) || (now !== undefined && isInWindow(now));
      });
      expect(pass.decisions.map(({ blockId }) => blockId)).toEqual(told.map(({ id }) => id));
    }
  },

  'I4, I9: a pass by hand does one thing to one block, and brings in only what fits': ({
    events,
  }) => {
    for (const { before, pass, after } of passesOf(events)) {
      if (pass.trigger !== 'byHand') continue;
      const done = pass.decisions.filter(({ action }) => action !== 'keep' && action !== 'trim');
      expect(done).toHaveLength(1);
      const [{ action, blockId, rule }] = done as [Pass['decisions'][number]];
      expect(rule).toMatch(/ByUser$/);
      if (action === 'restore') {
        expect(measure(after, estimate).used.tokens).toBeLessThanOrEqual(pass.budget.inputBudget);
      }
      expect(measure(after, estimate).used.tokens).toBe(pass.after.tokens);
      const others = ({ blocks }: ContextWindow) =>
        blocks.filter(({ id }) => id !== blockId).map(withoutThoughts);
      expect(others(after)).toEqual(others(before));
    }
  },

  'a block that is restored is as it came in, but for its thinking': ({ events }) => {
    events.forEach((event, index) => {
      if (event.type !== 'passApplied') return;
      const after = fold(events.slice(0, index + 1));
      // The same log without any pass: nothing has left there.
      const whole = fold(events.slice(0, index).filter(({ type }) => !type.startsWith('pass')));
      for (const { action, blockId } of event.pass.decisions) {
        const restored = after.blocks.find(({ id }) => id === blockId)!;
        if (action !== 'restore' || restored.kind === 'summary') continue;
        const admitted = whole.blocks.find(({ id }) => id === blockId)!;
        expect(withoutThoughts(restored)).toEqual(withoutThoughts(admitted));
      }
    });
  },

  'an undone pass gives back what it took, and takes its summaries out': ({ events }) => {
    events.forEach((event, index) => {
      if (event.type !== 'passUndone') return;
      const before = fold(events.slice(0, index));
      const after = applyEvent(before, event);
      if (whyNotUndone(before, event.number) !== undefined) {
        expect(after.blocks).toEqual(before.blocks);
        return;
      }
      const { former, pass } = before.ledger.find((entry) => entry.pass.number === event.number)!;
      const blockOf = new Map(after.blocks.map((block) => [block.id, block]));
      for (const { block } of former) {
        expect([block.state, 'trimmed']).toContain(blockOf.get(block.id)!.state);
      }
      for (const { id } of pass.summaries) expect(blockOf.get(id)!.state).toBe('evicted');
      expect(whyNotUndone(after, event.number)).toBe(`Pass ${event.number} is undone already.`);
    });
  },
};

/** A block except for what an edit before it may do to it. */
function withoutThoughts({ exactTokens: _size, ...block }: Block): object {
  const state = block.state === 'trimmed' ? 'whole' : block.state;
  return { ...block, state, ...(block.kind === 'step' ? { thinkingDropped: true } : {}) };
}

/** Every pass with the windows right before and right after it. */
function passesOf(events: Played['events']) {
  return events.flatMap((event, index) => {
    if (event.type !== 'passApplied') return [];
    const before = fold(events.slice(0, index));
    return [{ before, pass: event.pass, after: applyEvent(before, event) }];
  });
}
