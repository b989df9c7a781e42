import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../src/contextWindow/block';
import type { NewEvent } from '../../../src/contextWindow/event';
import { whyNotUndone } from '../../../src/contextWindow/passes/undoPass';
import { drawnEvents, foldNew, promptEvent } from '../../support/drawing';
import { passed } from '../support/planned';
import {
  SESSION,
  COMPACT,
  type Events,
  exclude,
  clear,
  restore,
  undo,
  pinned,
  after,
  refusal,
  request,
  used,
  blockIn,
  decisionOn,
} from '../support/changeByHand';

describe('restoring a block whole', () => {
  it('restores an excluded block in its place and removes its decision', () => {
    const events = after(SESSION, exclude('step-1'), restore('step-1'));
    expect(blockIn(events, 'step-1').state).toBe('whole');
    expect(decisionOn(events, 'step-1')).toBeUndefined();
    expect(used(events)).toBe(740);
    const pass = foldNew(events).ledger.at(1)!.pass;
    expect(pass).toMatchObject({ before: { tokens: 340 }, after: { tokens: 740 } });
    expect(pass.cache).toMatchObject({ freedTokens: -400 });
    expect(pass.decisions.find(({ blockId }) => blockId === 'step-1')).toMatchObject({
      action: 'restore',
      before: { tokens: 0 },
      after: { tokens: 400 },
    });
  });

  it('restores a summarised block; its summary stays', () => {
    const compacted = passed(SESSION, COMPACT);
    expect(blockIn(compacted, 'step-1').state).toBe('summarised');
    const events = after(compacted, restore('step-1'));
    expect(
      foldNew(events)
        .blocks.filter(({ state }) => state === 'whole')
        .map(({ id }) => id),
    ).toEqual(expect.arrayContaining(['summary-1', 'step-1']));
    const back = [...events, undo(2)];
    expect(blockIn(back, 'step-1').state).toBe('summarised');
    expect(decisionOn(back, 'step-1')).toMatchObject({
      reason: { rule: 'summariseOldest' },
    });
    expect(request(back)).toBe(request(compacted));
  });

  it('restores a block whole after two passes, the first for its result and the second for the rest', () => {
    const events = after(SESSION, clear('step-1'), exclude('step-1'), restore('step-1'));
    expect(blockIn(events, 'step-1')).toMatchObject({
      state: 'whole',
      pairs: [{ cleared: false }],
    });
    expect(used(events)).toBe(740);
    expect(blockIn([...events, undo(3)], 'step-1').state).toBe('evicted');
    expect(blockIn([...events, undo(3), undo(2)], 'step-1').state).toBe('cleared');
  });

  it('keeps the cut at admission, and undoes further cuts of a pass', () => {
    const long = 'word '.repeat(3_000);
    const estimate = (text: string) => Math.ceil(text.length / 3);
    const cut = passed([...drawnEvents(''), promptEvent(long)], { inputBudget: 1_000, estimate });
    expect(blockIn(cut, 'prompt-1').state).toBe('truncated');
    expect(blockIn(after(cut, restore('prompt-1')), 'prompt-1').state).toBe('whole');
    const admitted = drawnEvents('1 anchor task 1\n1 read a.ts 50 cut\n2 prompt b 1');
    const back = after(admitted, exclude('step-1'), restore('step-1'));
    expect(blockIn(back, 'step-1').state).toBe('truncated');
    expect(decisionOn(back, 'step-1')?.reason.rule).toBe('truncateAtAdmission');
    expect(refusal(back, restore('step-1'))).toContain('head and tail, within the cap');
  });

  it('never restores thinking (I6)', () => {
    const events = after([...SESSION, promptEvent('go on')], exclude('step-3'), restore('step-3'));
    expect(blockIn(events, 'step-3')).toMatchObject({ state: 'whole', thinkingDropped: true });
  });

  it('is refused with the numbers if the request would not fit', () => {
    const events = after(SESSION, exclude('step-1'));
    expect(refusal(events, restore('step-1'), 740)).toBe('plan');
    expect(refusal(events, restore('step-1'), 739)).toBe(
      'The next request would take ≈ 740 tokens, ≈ 400 of them for this, and the input budget is 739. Nothing was changed. Run Compact Now first.',
    );
  });

  it('is refused if there is nothing to restore', () => {
    expect(refusal(SESSION, restore('step-1'))).toBe('This whole block is in the window.');
    expect(refusal(SESSION, restore('step-9'))).toBe('There is no such block.');
    expect(refusal(after(SESSION, exclude('step-1')), restore('step-3'))).toBe(
      'Only its thinking was removed, and removed thinking cannot be sent again.',
    );
    expect(refusal([...passed(SESSION, COMPACT), undo(1)], restore('summary-1'))).toBe(
      'You undid the pass of this summary. The blocks it replaced are back.',
    );
  });

  it('is not content that was needed again', () => {
    const refaults = (events: Events) => foldNew(events).refaults.toArray();
    expect(refaults(after(passed(SESSION, COMPACT), restore('step-1')))).toEqual([]);
  });
});

describe('the undo of a restore', () => {
  const moved: NewEvent = { type: 'anchorMoved', blockId: 'prompt-2' as BlockId };
  const later = [...SESSION, promptEvent('and then'), ...drawnEvents('3 read e.ts 10').slice(-2)];

  it('is refused while it would remove the task (I2), and possible once that is unpinned', () => {
    const restored = after(later, exclude('prompt-2'), restore('prompt-2'));
    const events = [...restored, moved];
    expect(whyNotUndone(foldNew(restored), 2)).toBeUndefined();
    expect(whyNotUndone(foldNew(events), 2)).toMatch(/^A block pinned since then would be removed/);
    expect(request([...events, undo(2)])).toBe(request(events));
    const unpinned: NewEvent = { type: 'blockUnpinned', blockId: 'prompt-2' as BlockId };
    expect(blockIn([...events, unpinned, undo(2)], 'prompt-2').state).toBe('evicted');
  });

  it('is refused while the block is pinned', () => {
    const events = [...after(SESSION, exclude('step-1'), restore('step-1')), pinned('step-1')];
    expect(whyNotUndone(foldNew(events), 2)).toMatch(/Unpin it first \(read_file a\.ts\)/);
    expect(blockIn([...events, undo(2)], 'step-1').state).toBe('whole');
  });
});
