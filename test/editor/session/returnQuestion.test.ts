import { describe, expect, it, vi } from 'vitest';
import { Session } from '../../../src/agent/session';
import { settled, textsOf } from '../support/controllerScene';
import { DAY, CHANGES, returnScene, comeBack } from '../support/returnScene';

vi.mock('vscode', () => ({}));

describe('a session that was idle for its time to live', () => {
  it('causes a question when it opens, with the changes since', async () => {
    const { returning, looked } = await comeBack();
    expect(returning.question).toEqual({
      usedAt: 0,
      now: 30 * DAY,
      changes: CHANGES,
      isAnswered: false,
    });
    expect(looked).toEqual([{ since: 0, known: [{ path: 'a.ts', isEdited: false }] }]);
  });

  it('continues without a question if it was idle for less, or without a limit', async () => {
    const { returning, make, show, clock, settings } = returnScene();
    const session = make();
    clock.now = DAY - 1;
    show(session);
    expect([returning.question, returning.mayBegin()]).toEqual([undefined, true]);
    Object.assign(settings, { ttl: 0 });
    clock.now = 30 * DAY;
    show(session);
    expect([returning.question, returning.mayBegin()]).toEqual([undefined, true]);
  });

  it('accepts no prompt before the answer, and then sends the waiting ones', async () => {
    const { current, returning, prompts } = await comeBack();
    current.run.submit('and now?');
    await settled();
    expect([prompts(), textsOf(current.run.queued)]).toEqual([[], ['and now?']]);
    expect(await returning.answer('continue', false)).toBeUndefined();
    await settled();
    expect([prompts(), textsOf(current.run.queued)]).toEqual([['and now?'], []]);
  });

  it('sends no waiting prompt of an earlier window automatically', async () => {
    const { current, returning, prompts } = await comeBack();
    await returning.answer('continue', false);
    await settled();
    expect([prompts(), current.run.isBusy]).toEqual([[], false]);
  });

  it('causes a question if it expires while it is shown, and nothing resumes it silently', async () => {
    const { returning, make, show, clock, current, prompts } = returnScene({ ttl: 0 });
    const session = make();
    show(session);
    clock.now = DAY;
    returning.expired(session);
    session.append({ type: 'sessionClosed', reason: 'expired' });
    expect(returning.question).toMatchObject({ usedAt: 0, now: DAY });
    current.run.submit('on');
    await settled();
    expect(prompts()).toEqual([]);
    // Another session that expires does not concern this window.
    show(make('other'));
    returning.expired(session);
    expect(returning.question).toBeUndefined();
  });

  it('is noticed at the next prompt or look if no timer fired', async () => {
    const { returning, make, show, clock, current, prompts } = returnScene();
    show(make());
    clock.now = 2 * DAY;
    expect(returning.question).toBeUndefined();
    current.run.submit('on');
    expect([returning.question?.usedAt, prompts()]).toEqual([0, []]);
    show(make('two'));
    clock.now = 5 * DAY;
    returning.look();
    expect(returning.question?.usedAt).toBe(2 * DAY);
  });

  it('causes the question again after a reload, until it is answered', async () => {
    const first = await comeBack();
    first.session.append({ type: 'blockPinned', blockId: 'step-1' as never });
    const again = returnScene();
    again.clock.now = 30.5 * DAY;
    again.show(
      new Session({ append: () => undefined }, () => again.clock.now, first.session.events),
    );
    expect(again.returning.question?.usedAt).toBe(0);
    await first.returning.answer('continue', false);
    again.show(
      new Session({ append: () => undefined }, () => again.clock.now, first.session.events),
    );
    expect(again.returning.question?.usedAt).toBeUndefined();
  });

  it('is checked again when the user returns, and says so', async () => {
    const { returning, looked, state, show, make } = await comeBack();
    state.changes = { ok: false, message: 'the search took longer than 5 seconds' };
    returning.look();
    expect(returning.question?.changes).toEqual(CHANGES);
    await settled();
    expect([looked.length, returning.question?.changes]).toEqual([2, state.changes]);
    show(make('young'));
    expect(returning.question).toBeUndefined();
  });
});
