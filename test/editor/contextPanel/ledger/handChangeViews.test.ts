import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../../../src/contextWindow/block';
import type { NewEvent } from '../../../../src/contextWindow/event';
import {
  handChangeViews,
  scratchpadChangeView,
} from '../../../../src/editor/contextPanel/ledger/handChangeViews';
import { undoScratchpadChange } from '../../../../src/editor/session/scratchpadByHand';
import { drawnEvents, evicting, foldNew, scratchpadEvent } from '../../../support/drawing';

const SESSION = drawnEvents(`
  1 anchor task 30
  1 read   a.ts 40
  2 prompt next 10
`);
const ON_STEP = { blockId: 'step-1' as BlockId };
const PIN: NewEvent = { type: 'blockPinned', ...ON_STEP };
const UNPIN: NewEvent = { type: 'blockUnpinned', ...ON_STEP };
const MOVE: NewEvent = { type: 'anchorMoved', blockId: 'prompt-2' as BlockId };

const folded = (told: readonly NewEvent[]) => foldNew([...SESSION, ...told]);

/** The changes and the wishes that would undo them, newest first. */
const drawn = (...told: readonly NewEvent[]) =>
  handChangeViews(folded(told)).map(({ kind, label, undo }) => [kind, label, undo]);

describe('a change by hand in the ledger', () => {
  it('is undone by the reverse wish, as long as nothing else changed it', () => {
    const label = 'read_file a.ts';
    expect(drawn(PIN)).toEqual([['pinned', label, { type: 'unpinBlock', ...ON_STEP, undo: true }]]);
    expect(drawn(PIN, UNPIN)).toEqual([
      ['unpinned', label, { type: 'pinBlock', ...ON_STEP, undo: true }],
      ['pinned', label, undefined],
    ]);
    expect(drawn(PIN, UNPIN, PIN).map(([, , undo]) => undo !== undefined)).toEqual([
      true,
      false,
      false,
    ]);
    // The block was removed meanwhile: a pin would not restore it.
    expect(drawn(PIN, UNPIN, evicting('step-1'))[0]).toEqual(['unpinned', label, undefined]);
  });

  it('shows its undo in the same row, and lets the earlier change be undone', () => {
    const label = 'read_file a.ts';
    const back: NewEvent = { ...UNPIN, undoes: true };
    const [line, ...more] = handChangeViews(folded([PIN, back]));
    expect(more).toEqual([]);
    expect(line).toMatchObject({ kind: 'pinned', label, undone: true });
    expect(line!.undo).toBeUndefined();
    // The earlier unpin applies again.
    expect(drawn(PIN, UNPIN, PIN, back)).toEqual([
      ['pinned', label, undefined],
      ['unpinned', label, { type: 'pinBlock', ...ON_STEP, undo: true }],
      ['pinned', label, undefined],
    ]);
    expect(handChangeViews(folded([PIN, UNPIN, { ...PIN, undoes: true }]))).toMatchObject([
      { kind: 'unpinned', undone: true },
      { kind: 'pinned', undo: { type: 'unpinBlock' } },
    ]);
  });

  it('is a row of its own if it undoes nothing', () => {
    expect(drawn(PIN, { ...PIN, undoes: true }).map(([kind]) => kind)).toEqual(['pinned']);
    expect(drawn(PIN, UNPIN, { ...UNPIN, undoes: true }).map(([kind]) => kind)).toEqual([
      'unpinned',
      'pinned',
    ]);
    const onPrompt = { blockId: 'prompt-2' as BlockId };
    expect(
      drawn(PIN, { type: 'blockPinned', ...onPrompt }, { ...UNPIN, ...onPrompt, undoes: true }),
    ).toHaveLength(2);
  });

  it('moves the task back', () => {
    const [edit] = handChangeViews(folded([MOVE]));
    expect(edit).toMatchObject({
      kind: 'anchor',
      beforeStep: 2,
      afterPass: 0,
      undo: { type: 'moveAnchor', blockId: 'prompt-1', undo: true },
    });
    expect(edit!.label).toMatch(/^Task: next/);
  });

  it("restores the user's last notes, and the agent is told", () => {
    const window = folded([scratchpadEvent('its'), scratchpadEvent('mine', true)]);
    const undo = { type: 'undoScratchpad', note: 'note-1' };
    expect(handChangeViews(window)[0]!.undo).toEqual(undo);
    expect(scratchpadChangeView(window)).toEqual({ by: 'user', step: 1, undo });
    expect(undoScratchpadChange(window, 'note-1')).toEqual({
      ok: true,
      event: { ...scratchpadEvent('its'), byUser: true },
    });
  });

  it("says who changed the notes last, and offers no undo of the agent's changes", () => {
    expect(scratchpadChangeView(folded([]))).toBeUndefined();
    const window = folded([scratchpadEvent('mine', true), scratchpadEvent('its')]);
    expect(scratchpadChangeView(window)).toEqual({ by: 'agent', step: 1 });
    expect(drawn(scratchpadEvent('mine', true), scratchpadEvent('its'))).toEqual([
      ['scratchpad', undefined, undefined],
    ]);
    expect(undoScratchpadChange(window, 'note-1')).toEqual({
      ok: false,
      message: 'The agent changed the notes in step 1, after your change. Edit the notes instead.',
    });
  });
});
