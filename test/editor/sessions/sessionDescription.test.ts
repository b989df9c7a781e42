import { describe, expect, it, vi } from 'vitest';
import { descriptionOf } from '../../../src/editor/sessions/sessionPick';
import { ageText } from '../../../src/sessions/ageText';

vi.mock('vscode', () => ({}));

describe('a session in the list', () => {
  const listing = {
    file: 'a.jsonl',
    sessionId: 'a',
    title: 'Task',
    firstPrompt: 'Task',
    createdAt: 0,
    usedAt: 0,
    turns: 1,
    steps: 3,
    requests: 2,
    pauses: 0,
    longPauses: 0,
    bytes: 9,
    isHeld: false,
    condition: 'sound' as const,
  };

  it('shows when it was last used, its number of steps, its state and any problem', () => {
    expect(descriptionOf(listing, undefined, { current: undefined, now: 7_300_000 })).toBe(
      '2 h ago · 3 steps',
    );
    expect(
      descriptionOf(
        { ...listing, steps: 1, openIn: 'in another window', condition: 'damaged' },
        undefined,
        { current: 'a.jsonl', now: 180_000_000 },
      ),
    ).toBe('2 d ago · 1 step · shown now · open in another window · damaged');
    const figures = {
      state: 'waiting',
      cost: '$0.02',
      used: { tokens: 12_480, exact: false },
    } as const;
    expect(descriptionOf(listing, figures, { current: undefined, now: 0 })).toBe(
      'just now · 3 steps · waits for your answer · $0.02 · ≈ 12,480 tokens',
    );
    expect(ageText(59_000)).toBe('just now');
  });
});
