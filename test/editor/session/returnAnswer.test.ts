import { describe, expect, it, vi } from 'vitest';
import { settled, textsOf } from '../support/controllerScene';
import { DAY, CHANGES, returnScene, comeBack, workIn, notesOf } from '../support/returnScene';

vi.mock('vscode', () => ({}));

describe('the answer about an idle session', () => {
  it('to go on adds one note at the end of the window, once', async () => {
    const { returning, session } = await comeBack();
    const before = session.window.blocks;
    expect(await returning.answer('continue', false)).toBeUndefined();
    expect(session.window.blocks.slice(0, -1)).toEqual(before);
    expect(notesOf(session)).toEqual([
      expect.stringMatching(/^The user comes back after 30 days\.[^]*1 of them[^]*\n- a\.ts$/),
    ]);
    expect(returning.question).toBeUndefined();
    expect(await returning.answer('continue', false)).toBe(
      'This session was continued already: there is nothing to answer.',
    );
    expect(notesOf(session)).toHaveLength(1);
  });

  it('to go on checks for changes again, since the question may be old', async () => {
    const { returning, session, state, clock } = await comeBack();
    state.changes = { ...CHANGES, files: [] };
    clock.now = 33 * DAY;
    await returning.answer('continue', false);
    expect(notesOf(session)[0]).toMatch(/after 33 days\.[^]*no files changed since/);
  });

  it('to go on from a summary compacts the older turns first', async () => {
    const { returning, session, rooms, told } = await comeBack();
    expect(await returning.answer('summary', false)).toBeUndefined();
    expect([rooms, told, notesOf(session).length]).toEqual([['earlierTurns'], ['Pass 1.'], 1]);
  });

  it('to go on from a summary keeps the question if nothing could be compacted', async () => {
    const { returning, session, fails } = await comeBack();
    fails('There is no key.');
    expect(await returning.answer('summary', false)).toBe('There is no key.');
    expect([returning.question?.isAnswered, notesOf(session)]).toEqual([false, []]);
    expect(await returning.answer('continue', false)).toBeUndefined();
  });

  it('to start a new session leaves the old one unchanged and sends the waiting prompts', async () => {
    const { returning, session, current, shown, seen, prompts } = await comeBack();
    current.run.submit('something else');
    const events = workIn(session);
    expect(await returning.answer('new', false)).toBeUndefined();
    await settled();
    expect(workIn(session)).toEqual(events);
    expect([shown() === session, seen.sessions, prompts()]).toEqual([false, 1, ['something else']]);
    expect([returning.isLeft(session), returning.question]).toEqual([true, undefined]);
  });

  it('is accepted once', async () => {
    const { returning, session } = await comeBack();
    const first = returning.answer('continue', false);
    expect(returning.question?.isAnswered).toBe(true);
    expect(await returning.answer('new', false)).toBe('This was answered already.');
    expect(await first).toBeUndefined();
    expect(notesOf(session)).toHaveLength(1);
  });

  it('is remembered on request', async () => {
    const { returning, settings } = await comeBack();
    await returning.answer('continue', true);
    expect(settings.onReturn).toBe('continue');
  });

  it('is ignored if another session was opened meanwhile', async () => {
    const { returning, session, show, make } = await comeBack();
    const answered = returning.answer('continue', false);
    show(make('other'));
    expect(await answered).toBe('Another session was opened meanwhile: nothing was done.');
    expect(notesOf(session)).toEqual([]);
  });

  it('leaves the question open and reports a log that takes no event', async () => {
    const { returning, state, told } = await comeBack();
    state.isFull = true;
    expect(await returning.answer('continue', false)).toBe(
      'That did not work; the notification says why.',
    );
    expect([told.map(String), returning.question?.isAnswered]).toEqual([
      ['Error: The log takes no more.'],
      false,
    ]);
  });
});

describe('a remembered answer', () => {
  it('to go on is given with the next prompt, and looking changes nothing', async () => {
    const { returning, current, session, prompts } = await comeBack({ onReturn: 'continue' });
    expect([returning.question, notesOf(session)]).toEqual([undefined, []]);
    current.run.submit('one');
    current.run.submit('two');
    await settled();
    expect(prompts()).toEqual(['one', 'two']);
    const kinds = session.window.blocks.map(({ kind }) => kind);
    expect(kinds).toEqual(['anchor', 'step', 'note', 'prompt', 'prompt']);
  });

  it('to go on from a summary does that first', async () => {
    const { current, rooms, session, prompts } = await comeBack({ onReturn: 'summary' });
    current.run.submit('one');
    await settled();
    expect([rooms, notesOf(session).length, prompts()]).toEqual([['earlierTurns'], 1, ['one']]);
  });

  it('to start a new session does so with the next prompt', async () => {
    const { current, session, seen, prompts } = await comeBack({ onReturn: 'new' });
    const events = [...session.events];
    current.run.submit('one');
    await settled();
    expect([workIn(session), seen.sessions, prompts()]).toEqual([events, 1, ['one']]);
  });

  it('to start a new session skips the old one at the start, but asks about a chosen one', async () => {
    const { returning, make, clock, show } = returnScene({ onReturn: 'new' });
    const session = make();
    expect(returning.isLeft(session)).toBe(false);
    clock.now = 30 * DAY;
    expect(returning.isLeft(session)).toBe(true);
    show(session, true);
    expect([returning.question?.usedAt, returning.mayBegin()]).toEqual([0, false]);
  });

  it('that fails becomes a question, and the prompt waits', async () => {
    const { returning, current, fails, told, prompts } = await comeBack({ onReturn: 'summary' });
    fails('There is no key.');
    current.run.submit('one');
    await settled();
    expect(told).toEqual(['There is no key. Choose in the Agent view how to continue.']);
    expect([returning.question?.usedAt, prompts(), textsOf(current.run.queued)]).toEqual([
      0,
      [],
      ['one'],
    ]);
    await returning.answer('continue', false);
    await settled();
    expect(prompts()).toEqual(['one']);
  });
});
