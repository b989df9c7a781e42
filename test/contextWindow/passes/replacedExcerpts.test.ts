import { describe, expect, it } from 'vitest';
import { isInWindow, type BlockId } from '../../../src/contextWindow/block';
import { restoreByHand } from '../../../src/contextWindow/passes/byHand';
import { startDraft } from '../../../src/contextWindow/passes/rungs/draft';
import { policyFacts } from '../../../src/contextWindow/passes/rungs/policyInput';
import { clearHeld } from '../../../src/contextWindow/passes/rungs/showExcerpts';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { budgetOf } from '../../support/drawing';
import { FileSession, EXCERPTS_SETTINGS } from '../../support/fileSession';
import { estimate, type Player } from '../../support/player';

/** A session in which a pass has shown files. */
function shown(): FileSession {
  const made = new FileSession(budgetOf(6_000));
  for (const file of [0, 1, 2, 3]) made.act({ type: 'read', file, from: 1, count: 90 });
  made.act({ type: 'pass' });
  return made;
}

/** Continues to work, and has another pass show files. */
function workOn(session: FileSession): void {
  for (const file of [4, 0, 1]) session.act({ type: 'read', file, from: 1, count: 90 });
  session.act({ type: 'pass' });
}

const excerptsIn = ({ window }: Player): readonly string[] =>
  window.blocks.flatMap((block) =>
    block.kind === 'excerpts' && isInWindow(block) ? [block.id] : [],
  );

const restored = ({ window, budget }: Player, id: string) =>
  restoreByHand(policyFacts({ window, budget, estimate, settings: EXCERPTS_SETTINGS }), id);

describe('the excerpts in the window', () => {
  it('are replaced by the next ones, and are not restored next to them', () => {
    const session = shown();
    const { player } = session;
    const [first] = excerptsIn(player);
    expect(first).toBeDefined();
    workOn(session);
    const now = excerptsIn(player);
    expect(now).toHaveLength(1);
    expect(now).not.toContain(first);
    expect(restored(player, first!)).toMatchObject({
      ok: false,
      message: expect.stringContaining('show files as they were when their pass ran.'),
    });
  });

  it('stay alone while they are pinned', () => {
    const session = shown();
    const { player } = session;
    const [pinned] = excerptsIn(player);
    player.append({ type: 'blockPinned', blockId: pinned as BlockId });
    workOn(session);
    expect(excerptsIn(player)).toEqual([pinned]);
    player.append({ type: 'blockUnpinned', blockId: pinned as BlockId });
    workOn(session);
    expect(excerptsIn(player)).toHaveLength(1);
    expect(excerptsIn(player)).not.toContain(pinned);
  });

  it('are not restored by an undo once a later pass has shown others', () => {
    const session = shown();
    const { player } = session;
    const [first] = excerptsIn(player);
    player.changeByHand('exclude', first!);
    const excluded = player.window.ledger.at(-1)!.pass.number;
    expect(whyNotUndone(player.window, excluded)).toBe(undefined);
    workOn(session);
    expect(excerptsIn(player)).toHaveLength(1);
    expect(whyNotUndone(player.window, excluded)).toMatch(/Undo that one first\.$/);
  });
});

describe('a read that excerpts could show again', () => {
  it('is cleared as held by excerpts, unless its file is never to be shown', () => {
    const cleared = (choice: 'auto' | 'never'): readonly string[] => {
      const made = new FileSession(budgetOf(50_000));
      for (const file of [0, 1, 2, 3, 4]) made.act({ type: 'read', file, from: 1, count: 90 });
      made.act({ type: 'choose', file: 0, choice });
      const { window, budget } = made.player;
      const facts = policyFacts({ window, budget, estimate, settings: EXCERPTS_SETTINGS });
      const draft = startDraft({ ...facts, trigger: 'manual' }, 'ladder');
      return [...clearHeld({ ...draft, target: 0 }).changes.keys()];
    };
    // The newest three results stay in any case.
    expect(cleared('auto')).toEqual(['step-1', 'step-2']);
    expect(cleared('never')).toEqual(['step-2']);
  });
});
