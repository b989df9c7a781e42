import { describe, expect, it, vi } from 'vitest';
import { settled, textsOf } from '../support/controllerScene';
import { DAY, CHANGES, returnScene, comeBack, workIn, notesOf } from '../support/returnScene';

vi.mock('vscode', () => ({}));

describe('the answer about an idle session', () => {
  it('to go on adds one note at the end of the window, once', async () => {
    const { desk, session } = await comeBack();
    const before = session.window.blocks;
    expect(await desk.answer('continue', false)).toBeUndefined();
    expect(session.window.blocks.slice(0, -1)).toEqual(before);
    expect(notesOf(session)).toEqual([
      expect.stringMatching(/^The user comes back after 30 days\.[^]*1 of them[^]*\n- a\.ts$/),
    ]);
    expect(desk.question).toBeUndefined();
    expect(await desk.answer('continue', false)).toBe(
      'This session was continued already: there is nothing to answer.',
    );
    expect(notesOf(session)).toHaveLength(1);
  });

  it('to go on checks for changes again, since the question may be old', async () => {
    const { desk, session, state, clock } = await comeBack();
    state.changes = { ...CHANGES, files: [] };
    clock.now = 33 * DAY;
    await desk.answer('continue', false);
    expect(notesOf(session)[0]).toMatch(/after 33 days\.[^]*no files changed since/);
  });

  it('to go on from a summary compacts the older turns first', async () => {
    const { desk, session, rooms, told } = await comeBack();
    expect(await desk.answer('summary', false)).toBeUndefined();
    expect([rooms, told, notesOf(session).length]).toEqual([['earlierTurns'], ['Pass 1.'], 1]);
  });

  it('to go on from a summary keeps the question if nothing could be compacted', async () => {
    const { desk, session, fails } = await comeBack();
    fails('There is no key.');
    expect(await desk.answer('summary', false)).toBe('There is no key.');
    expect([desk.question?.isAnswered, notesOf(session)]).toEqual([false, []]);
    expect(await desk.answer('continue', false)).toBeUndefined();
  });

  it('to start a new session leaves the old one unchanged and sends the waiting prompts', async () => {
    const { desk, session, current, shown, seen, prompts } = await comeBack();
    current.run.submit('something else');
    const events = workIn(session);
    expect(await desk.answer('new', false)).toBeUndefined();
    await settled();
    expect(workIn(session)).toEqual(events);
    expect([shown() === session, seen.sessions, prompts()]).toEqual([false, 1, ['something else']]);
    expect([desk.isLeft(session), desk.question]).toEqual([true, undefined]);
  });

  it('is accepted once', async () => {
    const { desk, session } = await comeBack();
    const first = desk.answer('continue', false);
    expect(desk.question?.isAnswered).toBe(true);
    expect(await desk.answer('new', false)).toBe('This was answered already.');
    expect(await first).toBeUndefined();
    expect(notesOf(session)).toHaveLength(1);
  });

  it('is remembered on request', async () => {
    const { desk, settings } = await comeBack();
    await desk.answer('continue', true);
    expect(settings.onReturn).toBe('continue');
  });

  it('is ignored if another session was opened meanwhile', async () => {
    const { desk, session, show, make } = await comeBack();
    const answered = desk.answer('continue', false);
    show(make('other'));
    expect(await answered).toBe('Another session was opened meanwhile: nothing was done.');
    expect(notesOf(session)).toEqual([]);
  });

  it('leaves the question open and reports a log that takes no event', async () => {
    const { desk, state, told } = await comeBack();
    state.isFull = true;
    expect(await desk.answer('continue', false)).toBe(
      'That did not work; the notification says why.',
    );
    expect([told.map(String), desk.question?.isAnswered]).toEqual([
      ['Error: The log takes no more.'],
      false,
    ]);
  });
});

describe('a remembered answer', () => {
  it('to go on is given with the next prompt, and looking changes nothing', async () => {
    const { desk, current, session, prompts } = await comeBack({ onReturn: 'continue' });
    expect([desk.question, notesOf(session)]).toEqual([undefined, []]);
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
    const { desk, make, clock, show } = returnScene({ onReturn: 'new' });
    const session = make();
    expect(desk.isLeft(session)).toBe(false);
    clock.now = 30 * DAY;
    expect(desk.isLeft(session)).toBe(true);
    show(session, true);
    expect([desk.question?.usedAt, desk.mayBegin()]).toEqual([0, false]);
  });

  it('that fails becomes a question, and the prompt waits', async () => {
    const { desk, current, fails, told, prompts } = await comeBack({ onReturn: 'summary' });
    fails('There is no key.');
    current.run.submit('one');
    await settled();
    expect(told).toEqual(['There is no key. Choose in the Agent view how to go on.']);
    expect([desk.question?.usedAt, prompts(), textsOf(current.run.queued)]).toEqual([
      0,
      [],
      ['one'],
    ]);
    await desk.answer('continue', false);
    await settled();
    expect(prompts()).toEqual(['one']);
  });
});
