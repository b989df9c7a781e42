import { describe, expect, it } from 'vitest';
import { ageText, descriptionOf } from '../../src/host/sessionDescription';

describe('a session in the list', () => {
  const listing = {
    file: 'a.jsonl',
    sessionId: 'a',
    title: 'Task',
    createdAt: 0,
    usedAt: 0,
    turns: 1,
    steps: 3,
    bytes: 9,
    isHeld: false,
    condition: 'sound' as const,
  };

  it('says how long ago it was used, how far it got, and what is the matter', () => {
    expect(descriptionOf(listing, undefined, 7_300_000)).toBe('2 h ago · 3 steps');
    expect(
      descriptionOf(
        { ...listing, steps: 1, openIn: 'in another window', condition: 'damaged' },
        'a.jsonl',
        180_000_000,
      ),
    ).toBe('2 d ago · 1 step · shown now · open in another window · damaged');
    expect(ageText(59_000)).toBe('just now');
  });
});
