import { describe, expect, it } from 'vitest';
import { firstOfNewest } from '../../src/contextWindow/window';
import { fourTurns } from './support/undoPromptScene';

describe('firstOfNewest', () => {
  it('gives the oldest of the newest turns, and 1 if there are no more turns than asked for', () => {
    const { window } = fourTurns();
    expect([0, 1, 2, 3, 4, 9].map((turns) => firstOfNewest(window, turns))).toEqual([
      5, 4, 3, 2, 1, 1,
    ]);
  });

  it('skips a turn whose prompt was undone, until the undo itself is undone', () => {
    const scene = fourTurns().undoPrompt();
    expect([1, 2, 3].map((turns) => firstOfNewest(scene.window, turns))).toEqual([3, 2, 1]);
    scene.undo();
    expect([1, 2, 3].map((turns) => firstOfNewest(scene.window, turns))).toEqual([4, 3, 2]);
  });

  it('skips undone turns between others', () => {
    const { window } = fourTurns()
      .undoPrompt()
      .add({ type: 'promptSubmitted', text: 'another', admission: { form: 'whole' } });
    expect([1, 2, 3].map((turns) => firstOfNewest(window, turns))).toEqual([5, 3, 2]);
  });
});
