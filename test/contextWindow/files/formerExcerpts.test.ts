import { expect, it } from 'vitest';
import { blocksInWindow, findBlock } from '../../../src/contextWindow/window';
import { recallByHand, restoreByHand, whyNotBack } from '../../../src/contextWindow/passes/byHand';
import { policyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { undoPass } from '../../../src/contextWindow/passes/undoPass';
import { budgetOf } from '../../support/drawing';
import { FileSession } from '../../support/fileSession';
import { estimate } from '../../support/player';

const WHY =
  'These excerpts show files as they were when their pass ran. The next pass shows current ones. To restore these, undo the pass or change that removed them.';

/** A session of two passes, the second of which replaced the excerpts of the first. */
function session() {
  const made = new FileSession(budgetOf(4_000));
  for (const file of [0, 1, 2]) made.act({ type: 'read', file, from: 1, count: 60 });
  made.act({ type: 'edit', file: 1, line: 20, grows: 2 });
  made.act({ type: 'pass' });
  for (const file of [3, 4]) made.act({ type: 'read', file, from: 1, count: 60 });
  made.act({ type: 'edit', file: 4, line: 20, grows: 2 });
  made.act({ type: 'pass' });
  const passes = made.player.window.ledger.toArray().map(({ pass }) => pass);
  const [former, newest] = passes.filter(({ excerpts }) => excerpts !== undefined).slice(-2);
  return { player: made.player, former: former!, newest: newest! };
}

it('former excerpts are stale, so only an undo of the pass restores them, never a change by hand', () => {
  const { player, former, newest } = session();
  const { window } = player;
  const { id } = former.excerpts!;
  const inWindow = (of: typeof window) => blocksInWindow(of).some((block) => block.id === id);
  expect(inWindow(window)).toBe(false);
  expect(whyNotBack(window, findBlock(window, id)!)).toBe(WHY);
  const { budget, settings } = player;
  const facts = policyFacts({ window, budget, settings, estimate });
  expect(restoreByHand(facts, id)).toEqual({ ok: false, message: WHY });
  expect(recallByHand(facts, id, 1_000)).toEqual({ ok: false, message: WHY });
  const undone = undoPass(window, newest.number);
  expect(inWindow(undone)).toBe(true);
  // The undo removed the newer excerpts, which have no place any more.
  expect(whyNotBack(undone, findBlock(undone, newest.excerpts!.id)!)).toBe(WHY);
});
