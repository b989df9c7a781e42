import { describe, expect, it } from 'vitest';
import { EMPTY_SCRATCHPAD } from '../../../src/contextWindow/scratchpad';
import type { ContextWindow } from '../../../src/contextWindow/window';
import {
  anchorChange,
  pinChange,
  undoChange,
  undoNewest,
} from '../../../src/editor/session/changesByHand';
import { scratchpadChangeOf } from '../../../src/editor/session/scratchpadByHand';
import { drawnEvents, evicting, foldNew } from '../../support/drawing';

const EVENTS = drawnEvents(`
  1 anchor task 30
  1 step   a.ts 40
  2 prompt next 10
  2 step   b.ts 30
`);
const WINDOW = foldNew(EVENTS);
const AFTER_PASS = foldNew([...EVENTS, evicting('step-1')]);
const refused = (message: string) => ({ ok: false, message });

describe('changes of the window by hand', () => {
  it('pin what is in the window, and explain why the rest stays out', () => {
    expect(pinChange(WINDOW, 'step-1', true)).toMatchObject({ event: { type: 'blockPinned' } });
    expect(pinChange(WINDOW, 'step-1', false)).toEqual({ ok: true });
    expect(pinChange(AFTER_PASS, 'step-1', true)).toEqual(
      refused('This block is no longer in the window; a pin would not restore it.'),
    );
    expect(pinChange(WINDOW, 'step-9', true)).toEqual(refused('There is no such block.'));
  });

  it('make a prompt the task, and nothing but a prompt', () => {
    expect(anchorChange(WINDOW, 'prompt-2')).toEqual({
      ok: true,
      event: { type: 'anchorMoved', blockId: 'prompt-2' },
    });
    expect(anchorChange(WINDOW, 'prompt-1')).toEqual({ ok: true });
    expect(anchorChange(WINDOW, 'step-1')).toEqual(refused('Only a prompt can become the task.'));
    expect(anchorChange(WINDOW, 'x')).toEqual(refused('There is no such block.'));
  });

  it("change the notes as the user's, unless nothing changes", () => {
    const scratchpad = { ...EMPTY_SCRATCHPAD, keyFacts: ['the API is frozen'] };
    expect(scratchpadChangeOf(WINDOW, scratchpad, EMPTY_SCRATCHPAD)).toEqual({
      ok: true,
      event: { type: 'scratchpadUpdated', scratchpad, byUser: true },
    });
    expect(
      scratchpadChangeOf(WINDOW, { ...EMPTY_SCRATCHPAD, objective: ' ' }, EMPTY_SCRATCHPAD),
    ).toEqual({
      ok: true,
    });
  });

  it('keep what the agent noted meanwhile, and store nothing if both changed the same field', () => {
    const noted = { ...EMPTY_SCRATCHPAD, objective: 'mend it', blockers: ['no network'] };
    const window = { ...WINDOW, scratchpad: noted };
    const typed = { ...EMPTY_SCRATCHPAD, decisions: ['keep the API'] };
    expect(scratchpadChangeOf(window, typed, EMPTY_SCRATCHPAD)).toMatchObject({
      event: { scratchpad: { ...noted, decisions: ['keep the API'] } },
    });
    const both = { ...EMPTY_SCRATCHPAD, objective: 'leave it', blockers: ['no key'] };
    expect(scratchpadChangeOf(window, both, EMPTY_SCRATCHPAD)).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        'changed the objective and the blockers while you were editing it',
      ),
    });
  });

  it('undo a pass once, the newest first', () => {
    const newest = (window: ContextWindow) => undoNewest({ window, undoPass: () => undefined });
    expect(newest(WINDOW)).toBe('There is no pass to undo.');
    expect(newest(AFTER_PASS)).toBe('Pass 1 was undone.');
    expect(undoChange(AFTER_PASS, 1)).toMatchObject({ event: { type: 'passUndone', number: 1 } });
    const undone = foldNew([...EVENTS, evicting('step-1'), { type: 'passUndone', number: 1 }]);
    expect(newest(undone)).toBe('There is no pass to undo.');
    expect(undoChange(undone, 1)).toEqual(refused('Pass 1 is already undone.'));
    expect(undoChange(WINDOW, 1)).toEqual(refused('There is no pass 1.'));
  });
});
