import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../../src/editor/session/derive';
import { recentTurns } from '../../../../src/editor/contextPanel/bar/derive';
import { DEFAULT_SETTINGS } from '../../../../src/settings/settings';
import { Scene } from '../../../contextWindow/support/undoPromptScene';
import { budgetOf, countDots, drawnEvents } from '../../../support/drawing';

const CONTEXT = { ...DEFAULT_SETTINGS.context, keepRecentTurns: 2, maxHistoryTurns: 0 };

/** Four turns; the task is not counted, since it always stays. */
const session = () =>
  new Scene(
    drawnEvents(`
      1 anchor task 30
      1 step   a.ts 40
      2 prompt next 10
      2 step   b.ts 20
      3 prompt more 5
      3 step   c.ts 30
      4 prompt last 7
      4 step   d.ts 8
    `),
  );

function recentOf({ window }: Scene, settings: Partial<typeof CONTEXT> = {}) {
  const { measured } = accountOf(window, budgetOf(1_000), countDots);
  return recentTurns(window, measured, { ...CONTEXT, ...settings });
}

/** The tokens of the blocks with these ids. */
function tokensOf({ window }: Scene, ...ids: readonly string[]) {
  const { measured } = accountOf(window, budgetOf(1_000), countDots);
  return measured.parts
    .filter(({ part }) => ids.includes(part))
    .reduce((sum, { tokens }) => sum + tokens, 0);
}

describe('the newest turns that a pass keeps', () => {
  it('are as many as the setting says, with their tokens', () => {
    const scene = session();
    const tokens = tokensOf(scene, 'prompt-3', 'step-3', 'prompt-4', 'step-4');
    expect(recentOf(scene)).toEqual({ turns: 2, tokens });
  });

  it('do not count a turn whose prompt was undone', () => {
    const scene = session().undoPrompt();
    const tokens = tokensOf(scene, 'prompt-2', 'step-2', 'prompt-3', 'step-3');
    expect(recentOf(scene)).toEqual({ turns: 2, tokens });
  });

  it('are absent if the setting is 0 or the window holds nothing older', () => {
    const scene = session();
    expect(recentOf(scene, { keepRecentTurns: 0 })).toBeUndefined();
    expect(recentOf(scene, { keepRecentTurns: 4 })).toBeUndefined();
    expect(recentOf(scene, { policy: 'salience' })).toBeUndefined();
    expect(recentOf(scene, { policy: 'salience', maxHistoryTurns: 50 })).toBeDefined();
  });
});
