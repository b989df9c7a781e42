import { describe, expect, it } from 'vitest';
import type { BlockId } from '../../src/contextWindow/block';
import type { NewEvent } from '../../src/contextWindow/event';
import { EMPTY_SCRATCHPAD } from '../../src/contextWindow/scratchpad';
import { scratchpadBack } from '../../src/contextWindow/handChanges';
import { drawnEvents, evicting, foldNew, scratchpadEvent, stepEvents } from '../support/drawing';

const SESSION = drawnEvents(`
  1 anchor task 30
  1 read   a.ts 40
  2 prompt next 10
`);

const pin = (blockId: string): NewEvent => ({ type: 'blockPinned', blockId: blockId as BlockId });
const unpin = (blockId: string): NewEvent => ({
  type: 'blockUnpinned',
  blockId: blockId as BlockId,
});
const move = (blockId: string): NewEvent => ({ type: 'anchorMoved', blockId: blockId as BlockId });
const recalled: NewEvent = {
  type: 'noteAdded',
  source: { from: 'recall', blockId: 'step-1' as BlockId, label: 'read_file a.ts' },
  text: 'back',
  admission: { form: 'whole' },
};
const step = (id: string) => stepEvents([{ id, name: 'x.ts', tokens: 1 }]);

/** Changes by hand, one a line: kind, block, the step after, the pass before. */
const edits = (...told: readonly (NewEvent | readonly NewEvent[])[]) =>
  foldNew([...SESSION, ...told.flat()]).handChanges.map(
    ({ kind, blockId, beforeStep, afterPass, former }) =>
      [kind, blockId, beforeStep, afterPass, ...(former === undefined ? [] : [former])].join(' '),
  );

describe('changes by hand without a pass', () => {
  it('are listed in order, with the next step and the previous pass', () => {
    expect(
      edits(
        pin('step-1'),
        unpin('step-1'),
        evicting('step-1'),
        step('t2'),
        recalled,
        scratchpadEvent('mine', true),
        move('prompt-2'),
      ),
    ).toEqual([
      'pinned step-1 2 0',
      'unpinned step-1 2 0',
      'recall step-1 3 1',
      'scratchpad note-2 3 1',
      'anchor prompt-2 3 1 prompt-1',
    ]);
  });

  it('are none if nothing changed, or if the agent made the change', () => {
    const memory: NewEvent = {
      type: 'noteAdded',
      source: { from: 'memory', path: 'src/AGENTS.md' },
      text: 'rules',
      admission: { form: 'whole' },
    };
    expect(
      edits(unpin('step-1'), pin('step-9'), move('prompt-1'), scratchpadEvent('its'), memory),
    ).toEqual([]);
  });

  it('distinguish an undone change of the scratchpad from another change', () => {
    expect(
      edits(scratchpadEvent('its'), scratchpadEvent('mine', true), scratchpadEvent('its', true)),
    ).toEqual(['scratchpad note-1 2 0', 'scratchpadBack note-2 2 0']);
  });
});

describe('undoing a change of the notes', () => {
  const back = (note: string, ...told: readonly NewEvent[]) =>
    scratchpadBack(foldNew([...SESSION, ...told]), note);

  it('restores them after the user’s own last change', () => {
    const before = { ...EMPTY_SCRATCHPAD, objective: 'its' };
    expect(back('note-1', scratchpadEvent('its'), scratchpadEvent('mine', true))).toEqual({
      ok: true,
      scratchpad: before,
    });
  });

  it('is refused with the reason if they were changed since', () => {
    expect(back('note-1')).toEqual({
      ok: false,
      message: 'There is no change of the notes to undo.',
    });
    expect(back('note-1', scratchpadEvent('mine', true), scratchpadEvent('its'))).toEqual({
      ok: false,
      message: 'The agent changed the notes in step 1, after your change. Edit the notes instead.',
    });
    expect(back('note-1', scratchpadEvent('mine', true), scratchpadEvent('newer', true))).toEqual({
      ok: false,
      message: 'You changed the notes again since then. Only the last change can be undone.',
    });
  });

  it('restores them although the agent wrote the same again', () => {
    expect(back('note-1', scratchpadEvent('mine', true), scratchpadEvent('mine')).ok).toBe(true);
  });
});
