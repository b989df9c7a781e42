import { describe, expect, it } from 'vitest';
import { accountOf } from '../../../../src/editor/session/derive';
import { recentTurns } from '../../../../src/editor/contextPanel/bar/derive';
import { DEFAULT_SETTINGS } from '../../../../src/settings/settings';
import { fourTurns, type Scene } from '../../../contextWindow/support/undoPromptScene';
import { budgetOf, countDots } from '../../../support/drawing';

const CONTEXT = { ...DEFAULT_SETTINGS.context, keepRecentTurns: 2, maxHistoryTurns: 0 };

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
    const scene = fourTurns();
    const tokens = tokensOf(scene, 'prompt-3', 'step-3', 'prompt-4');
    expect(recentOf(scene)).toEqual({ turns: 2, tokens });
  });

  it('do not count a turn whose prompt was undone', () => {
    const scene = fourTurns().undoPrompt();
    const tokens = tokensOf(scene, 'prompt-2', 'step-2', 'prompt-3', 'step-3');
    expect(recentOf(scene)).toEqual({ turns: 2, tokens });
  });

  it('are absent if the setting is 0 or the window holds nothing older', () => {
    const scene = fourTurns();
    expect(recentOf(scene, { keepRecentTurns: 0 })).toBeUndefined();
    expect(recentOf(scene, { keepRecentTurns: 4 })).toBeUndefined();
    expect(recentOf(scene, { policy: 'salience' })).toBeUndefined();
    expect(recentOf(scene, { policy: 'salience', maxHistoryTurns: 50 })).toBeDefined();
  });
});
