import { expect } from 'vitest';
import { isInWindow } from '../../src/contextWindow/block';
import { applyEvent, fold } from '../../src/contextWindow/fold';
import { toRequest } from '../../src/contextWindow/request';
import { whyNotUndone } from '../../src/contextWindow/undoPass';
import type { Played } from './player';
import { thoughtsOf } from './thoughts';

/** What must hold of every pass and of its undoing; each throws where it does not. */
export const PASS_INVARIANTS: Readonly<Record<string, (played: Played) => void>> = {
  'I5: every pass makes the request strictly smaller': ({ events, window }) => {
    for (const { pass } of window.ledger) {
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

  'every pass has one decision for every block that was in the window': ({ events }) => {
    events.forEach((event, index) => {
      if (event.type !== 'passApplied') return;
      const before = fold(events.slice(0, index)).blocks.filter(isInWindow);
      expect(event.pass.decisions.map(({ blockId }) => blockId)).toEqual(
        before.map(({ id }) => id),
      );
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

/** Every pass with the windows right before and right after it. */
function passesOf(events: Played['events']) {
  return events.flatMap((event, index) => {
    if (event.type !== 'passApplied') return [];
    const before = fold(events.slice(0, index));
    return [{ before, pass: event.pass, after: applyEvent(before, event) }];
  });
}
