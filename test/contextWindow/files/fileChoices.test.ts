import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksInWindow } from '../../../src/contextWindow/window';
import { choiceAt, choiceOf, withChoice } from '../../../src/contextWindow/files/fileChoices';
import { visibleLines } from '../../../src/contextWindow/files/fileModel';
import { PersistentMap } from '../../../src/contextWindow/persistentMap';
import { budgetOf } from '../../support/drawing';
import { FileSession, fileActions, playFiles } from '../../support/fileSession';
import { runs } from '../../support/runs';

const BUDGET = budgetOf(4_000);
const PATH = FileSession.pathOf(0);
const lines = (first: number, last: number) => ({ first, last });

/** A session that knows the first 100 lines of a file. */
function session(): FileSession {
  const made = new FileSession(budgetOf(50_000));
  made.act({ type: 'read', file: 0, from: 1, count: 100 });
  return made;
}

describe('the user’s choices for files', () => {
  it('apply to exactly these lines; the newest wins where two overlap, and all win over the choice for the file', () => {
    const none = PersistentMap.of<string, never>();
    const always = withChoice(none, { path: 'a', lines: lines(10, 20), choice: 'always' });
    const both = withChoice(always, { path: 'a', lines: lines(15, 30), choice: 'never' });
    const whole = withChoice(both, { path: 'a', choice: 'always' });
    expect([9, 10, 15, 30, 31].map((line) => choiceAt(both, 'a', line))).toEqual([
      'auto',
      'always',
      'never',
      'never',
      'auto',
    ]);
    expect([9, 20, undefined].map((line) => choiceAt(whole, 'a', line))).toEqual([
      'always',
      'never',
      'always',
    ]);
    expect(choiceOf(whole, 'a', lines(10, 20))).toBe('always');
    expect(choiceOf(whole, 'a', lines(10, 21))).toBe('auto');
  });

  it('are gone after all of them were undone', () => {
    const none = PersistentMap.of<string, never>();
    const said = withChoice(none, { path: 'a', lines: lines(1, 2), choice: 'never' });
    expect(withChoice(said, { path: 'a', lines: lines(1, 2), choice: 'auto' }).get('a')).toBe(
      undefined,
    );
  });

  it('move with their lines in an edit, and keep lines that changed inside them', () => {
    const made = session();
    made.act({ type: 'choose', file: 0, lines: lines(40, 50), choice: 'always' });
    const now = () => made.player.window.fileChoices.get(PATH)?.lines;
    made.act({ type: 'edit', file: 0, line: 5, grows: 3 });
    expect(now()).toEqual([{ first: 43, last: 53, choice: 'always' }]);
    made.act({ type: 'edit', file: 0, line: 53, grows: 2 });
    expect(now()).toEqual([{ first: 43, last: 55, choice: 'always' }]);
    made.act({ type: 'edit', file: 0, line: 80, grows: 2 });
    expect(now()).toEqual([{ first: 43, last: 55, choice: 'always' }]);
  });
});

describe('the excerpts', () => {
  it('never show lines chosen as never, and show those chosen as always first', () => {
    let [kept, left] = [0, 0];
    fc.assert(
      fc.property(fileActions, (actions) => {
        const { window, events } = playFiles([...actions, { type: 'pass' }], BUDGET);
        const last = window.ledger.at(-1)?.pass;
        // Later choices do not affect it.
        const at = events.findLastIndex(({ type }) => type === 'passApplied');
        const later = events.slice(at).some(({ type }) => type === 'fileChosen');
        if (last?.excerpts === undefined || later || window.step !== last.excerpts.step) return;
        const { fileChoices, files } = window;
        const { shown } = last.excerpts;
        for (const region of shown) {
          for (const index of region.text.split('\n').keys()) {
            const line = region.first === undefined ? undefined : region.first + index;
            const choice = choiceAt(fileChoices, region.path, line);
            left += 1;
            expect(choice).not.toBe('never');
            expect(choice === 'always').toBe(region.why.chosen === true);
          }
        }
        if (shown.every(({ why }) => why.chosen === true)) return;
        // There was room for others, so everything chosen as always is shown.
        const isVisible = visibleLines(blocksInWindow(window));
        for (const { path, runs: known } of files.values()) {
          for (const run of known) {
            for (const [index, line] of run.lines.entries()) {
              const number = run.first === undefined ? undefined : run.first + index;
              if (choiceAt(fileChoices, path, number) !== 'always') continue;
              kept += 1;
              expect(isVisible(line)).toBe(true);
            }
          }
        }
      }),
      { numRuns: runs(100, 3_000) },
    );
    expect([kept > 20, left > 100]).toEqual([true, true]);
  });
});
