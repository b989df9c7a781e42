import { describe, expect, it } from 'vitest';
import type { Pass } from '../../../../src/contextWindow/plan';
import { budgetOf } from '../../../support/drawing';
import { FileSession } from '../../../support/fileSession';

const [OLD, NEW] = [0, 1];

/**
 * A file is read, and after that another one is edited many times. The window has room for both at
 * the pass, which only the score decides.
 */
function passAfter(edits: number, choice: 'always' | 'auto' = 'auto'): Pass {
  const made = new FileSession(budgetOf(16_000));
  made.act({ type: 'read', file: OLD, from: 1, count: 60 });
  made.act({ type: 'read', file: NEW, from: 1, count: 60 });
  for (let edit = 1; edit <= edits; edit += 1) {
    made.act({ type: 'edit', file: NEW, line: 1 + (edit % 50), grows: 0 });
  }
  if (choice === 'always') made.act({ type: 'choose', file: OLD, choice });
  made.act({ type: 'pass' });
  const entry = made.player.window.ledger.at(-1);
  if (entry === undefined) throw new Error('There was no pass.');
  return entry.pass;
}

const shownIn = ({ excerpts }: Pass) => new Set(excerpts?.shown.map(({ path }) => path));
const both = new Set([FileSession.pathOf(OLD), FileSession.pathOf(NEW)]);

describe('a pass', () => {
  it('shows a file that was read recently', () => {
    const pass = passAfter(40);
    expect(shownIn(pass)).toEqual(both);
    expect(pass.excerpts?.omitsUnlikely).toBeUndefined();
  });

  it('omits a file that work left long ago, although there is room for it', () => {
    const pass = passAfter(150);
    expect(shownIn(pass)).toEqual(new Set([FileSession.pathOf(NEW)]));
    expect(pass.excerpts?.omitsUnlikely).toBe(true);
    const withIt = passAfter(150, 'always');
    expect(pass.after.tokens).toBeLessThan(withIt.after.tokens);
    expect(withIt.after.tokens).toBeLessThanOrEqual(withIt.target * 0.8);
  });

  it('shows it all the same if the user always wants it', () => {
    expect(shownIn(passAfter(150, 'always'))).toEqual(both);
  });

  it('names it among the files without excerpts', () => {
    const { excerpts } = passAfter(150);
    expect(excerpts?.hidden.map(({ path }) => path)).toEqual([FileSession.pathOf(OLD)]);
  });
});
