import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../../../src/contextWindow/event';
import type { FileChoice, Lines } from '../../../../src/contextWindow/files/fileChoices';
import { fileChange } from '../../../../src/editor/session/changesByHand';
import { excerptsView, fileChoiceViews } from '../../../../src/editor/contextPanel/files/derive';
import { handChangeViews } from '../../../../src/editor/contextPanel/ledger/handChangeViews';
import { budgetOf } from '../../../support/drawing';
import { FileSession } from '../../../support/fileSession';

const PATH = FileSession.pathOf(0);
const LINES = { first: 10, last: 20 };

/** A session that knows a whole file, and has its result in the window. */
function known(budget = 50_000): FileSession {
  const session = new FileSession(budgetOf(budget));
  session.act({ type: 'read', file: 0, from: 1, count: 120 });
  return session;
}

const say = (
  session: FileSession,
  choice: FileChoice,
  lines?: Lines,
  more: { readonly undoes?: true } = {},
): void => {
  const what = lines === undefined ? {} : { lines };
  const event: NewEvent = { type: 'fileChosen', path: PATH, ...what, choice, ...more };
  session.player.append(event);
};

const changesIn = ({ player }: FileSession) => handChangeViews(player.window);

describe('a change of files by hand', () => {
  it('has a row with its lines and an undo', () => {
    const session = known();
    say(session, 'always', LINES);
    say(session, 'never', LINES);
    say(session, 'never');
    const undo = { type: 'chooseFile', path: PATH, undo: true };
    expect(changesIn(session)).toEqual([
      {
        kind: 'fileChosen',
        beforeStep: 2,
        afterPass: 0,
        label: PATH,
        choice: 'never',
        undo: { ...undo, choice: 'auto' },
      },
      {
        kind: 'fileChosen',
        beforeStep: 2,
        afterPass: 0,
        label: `${PATH}, lines 10–20`,
        choice: 'never',
        undo: { ...undo, lines: LINES, choice: 'always' },
      },
      {
        kind: 'fileChosen',
        beforeStep: 2,
        afterPass: 0,
        label: `${PATH}, lines 10–20`,
        choice: 'always',
      },
    ]);
  });

  it('is marked as undone in its row, and the earlier change applies again', () => {
    const session = known();
    say(session, 'always', LINES);
    say(session, 'never', LINES);
    say(session, 'always', LINES, { undoes: true });
    expect(changesIn(session).map(({ choice, undone }) => [choice, undone])).toEqual([
      ['never', true],
      ['always', undefined],
    ]);
    expect(changesIn(session)[1]?.undo).toMatchObject({ choice: 'auto' });
  });

  it('offers no undo after an edit has moved its lines', () => {
    const session = known();
    say(session, 'always', LINES);
    session.act({ type: 'edit', file: 0, line: 3, grows: 2 });
    expect(changesIn(session)[0]?.undo).toBeUndefined();
  });
});

describe('a wish to show or hide a file', () => {
  const { window } = known().player;

  it('is logged as an event, unless it changes nothing', () => {
    expect(fileChange(window, { path: PATH, lines: LINES, choice: 'always' })).toEqual({
      ok: true,
      event: { type: 'fileChosen', path: PATH, lines: LINES, choice: 'always' },
    });
    expect(fileChange(window, { path: PATH, choice: 'auto' })).toEqual({ ok: true });
    expect(fileChange(window, { path: PATH, choice: 'never', undo: true })).toMatchObject({
      event: { undoes: true },
    });
  });

  it.each([
    [
      { path: 'nowhere.ts', choice: 'always' } as const,
      'No call of this session has read or changed this file: there is nothing to show.',
    ],
    [
      { path: PATH, lines: { first: 9, last: 3 }, choice: 'always' } as const,
      'Lines 9 to 3 are not a valid range: the first line must come first.',
    ],
  ])('is refused: %j', (choosing, message) => {
    expect(fileChange(window, choosing)).toEqual({ ok: false, message });
  });
});

describe('the effect of a change of files by hand', () => {
  const stateOf = (session: FileSession, showsFiles = true) =>
    fileChoiceViews(session.player.window, showsFiles)(PATH)?.lines.map(({ state }) => state);

  it('is that the window shows the file now, that the next pass will, or that neither does', () => {
    const session = known(20_000);
    say(session, 'always', LINES);
    expect(stateOf(session)).toEqual(['shown']);
    for (const file of [1, 2, 3]) session.act({ type: 'read', file, from: 1, count: 120 });
    // The last read stays.
    for (const from of [1, 4, 7]) session.act({ type: 'read', file: 4, from, count: 3 });
    say(session, 'never', LINES);
    session.act({ type: 'pass' });
    say(session, 'always', LINES);
    expect([stateOf(session), stateOf(session, false)]).toEqual([['nextPass'], ['off']]);
    session.act({ type: 'read', file: 4, from: 10, count: 3 });
    session.act({ type: 'pass' });
    expect(stateOf(session)).toEqual(['shown']);
    const { window } = session.player;
    const view = window.ledger.at(-1)?.pass.excerpts;
    expect(view).toBeDefined();
    const region = excerptsView(view!, window.fileChoices).regions.find(
      ({ choice }) => choice === 'always',
    );
    expect(region).toMatchObject({ path: PATH, range: LINES, why: 'You chose: always show' });
  });

  it('is nothing for a file that was never read', () => {
    expect(fileChoiceViews(known().player.window, true)('nowhere.ts')).toBeUndefined();
  });
});
