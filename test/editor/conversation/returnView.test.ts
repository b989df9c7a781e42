import { describe, expect, it } from 'vitest';
import { returnView } from '../../../src/editor/conversation/derive';

const DAY = 86_400_000;
const FACTS = { usedAt: 0, now: 30 * DAY, changes: undefined, isAnswered: false };
const USED = { tokens: 140_000, exact: true };

const files = Array.from({ length: 31 }, (_, index) => ({
  path: `${index}.ts`,
  how: index === 0 ? ('gone' as const) : ('written' as const),
  isKnown: index < 4,
}));

describe('the question how to continue an idle session', () => {
  it('says how long the pause was, how full the window is and what changed, and lists some files', () => {
    const changes = { ok: true, files, isAll: true, by: 'git' } as const;
    const view = returnView({ ...FACTS, changes }, USED);
    expect(view.sentence).toBe(
      'Idle 30 days, 140,000 tokens, 31 files changed since (git and file times), 4 of them known to the agent.',
    );
    expect([view.files.length, view.moreFiles, view.files[0], view.files[4]]).toEqual([
      20,
      11,
      { path: '0.ts', isGone: true, isKnown: true },
      { path: '4.ts', isGone: false, isKnown: false },
    ]);
  });

  it('shows no unknown number, and marks an estimate', () => {
    const estimated = { ...USED, exact: false };
    expect(returnView(FACTS, estimated)).toEqual({
      sentence: 'Idle 30 days, ≈ 140,000 tokens, looking up changes since then.',
      files: [],
      moreFiles: 0,
      isAnswered: false,
    });
    const changes = { ok: false, message: 'no folder is open' } as const;
    expect(returnView({ ...FACTS, changes }, estimated).sentence).toBe(
      'Idle 30 days, ≈ 140,000 tokens, it is not known what changed since (no folder is open).',
    );
  });

  it('has the cost of the next request if it is known', () => {
    const cost = 'The prompt cache is cold: sending 140,000 tokens costs ≈ $0.35.';
    expect(returnView({ ...FACTS, cost }, USED).cost).toBe(cost);
  });
});
