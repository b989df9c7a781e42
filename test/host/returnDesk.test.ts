import { describe, expect, it } from 'vitest';
import type { ChangesResult } from '../../src/agent/returning';
import { Session } from '../../src/agent/session';
import type { NewEvent } from '../../src/contextWindow/event';
import type { KnownFile } from '../../src/contextWindow/idle';
import { ReturnDesk } from '../../src/host/returnDesk';
import { DEFAULT_SETTINGS, type SessionSettings } from '../../src/settings/settings';
import { promptEvent, stepEvents } from '../support/drawing';
import { finishes, scene, settled, textsOf } from './support/controllerScene';

const DAY = 86_400_000;
const CHANGES: ChangesResult = {
  ok: true,
  files: [{ path: 'a.ts', how: 'written', isKnown: true }],
  isAll: true,
  by: 'git',
};
const CALL = { id: 'toolu_1', name: 'a.ts', tokens: 40 };

/** A controller with a session of one turn, a desk beside it, and a clock that the test turns. */
function returnScene(given: Partial<SessionSettings> = {}) {
  const settings: SessionSettings = {
    ...DEFAULT_SETTINGS.sessions,
    maxSessions: 0,
    ttl: DAY,
    ...given,
  };
  const clock = { now: 0 };
  const told: string[] = [];
  const looked: { readonly since: number; readonly known: readonly KnownFile[] }[] = [];
  const state = { changes: CHANGES, left: undefined as string | undefined, isFull: false };
  const rooms: string[] = [];
  let made = { ok: true, message: 'Pass 1.' } as { readonly ok: boolean; readonly message: string };
  // eslint-disable-next-line require-yield -- this pass tells of nothing
  const { controller, seen } = scene(finishes, async function* (_deps, _signal, _words, of) {
    rooms.push(of);
    return made;
  });
  let session: Session | undefined;
  const show = (opened: Session | undefined, isChosen = false) => {
    session = opened;
    controller.openSession(opened);
    desk.opened(opened, isChosen);
  };
  const desk: ReturnDesk = new ReturnDesk({
    controller: () => controller,
    session: () => session,
    settings: () => settings,
    changesSince: async (query) => {
      looked.push(query);
      return state.changes;
    },
    remember: async (choice) => void Object.assign(settings, { onReturn: choice }),
    left: { get: () => state.left, set: (name) => (state.left = name) },
    warm: async () => undefined,
    tell: (message) => told.push(message),
    changed: () => undefined,
    report: (error) => told.push(String(error)),
    now: () => clock.now,
  });
  seen.gate = () => desk.mayBegin();
  seen.left = () => show(undefined);
  const make = (name = 's'): Session => {
    const store = {
      append: () => {
        if (state.isFull) throw new Error('The log takes no more.');
      },
    };
    const one = new Session(store, () => clock.now);
    const begun: NewEvent = {
      type: 'sessionStarted',
      version: 2,
      sessionId: name,
      pinTaskAnchor: true,
    };
    for (const event of [begun, promptEvent('task'), ...stepEvents([CALL])]) one.append(event);
    return one;
  };
  return {
    controller,
    seen,
    desk,
    settings,
    clock,
    told,
    looked,
    state,
    rooms,
    show,
    make,
    fails: (message: string) => (made = { ok: false, message }),
    shown: () => session,
    prompts: () => seen.prompts,
  };
}

/** What happened in a session, apart from what waits to be sent. */
const workIn = ({ events }: Session) => events.filter(({ type }) => type !== 'queueChanged');

const notesOf = (session: Session) =>
  session.window.blocks.flatMap((block) => (block.kind === 'note' ? [block.text] : []));

/** A session that has been idle for thirty days, opened. */
async function comeBack(given: Partial<SessionSettings> = {}, isChosen = false) {
  const made = returnScene(given);
  const session = made.make();
  made.clock.now = 30 * DAY;
  made.show(session, isChosen);
  await settled();
  return { ...made, session };
}

describe('a session that was idle for its time to live', () => {
  it('is asked about once it is opened, with what changed since', async () => {
    const { desk, looked } = await comeBack();
    expect(desk.question).toEqual({
      usedAt: 0,
      now: 30 * DAY,
      changes: CHANGES,
      isAnswered: false,
    });
    expect(looked).toEqual([{ since: 0, known: [{ path: 'a.ts', isEdited: false }] }]);
  });

  it('goes on without a question where it was idle for less, or there is no limit', async () => {
    const { desk, make, show, clock, settings } = returnScene();
    const session = make();
    clock.now = DAY - 1;
    show(session);
    expect([desk.question, desk.mayBegin()]).toEqual([undefined, true]);
    Object.assign(settings, { ttl: 0 });
    clock.now = 30 * DAY;
    show(session);
    expect([desk.question, desk.mayBegin()]).toEqual([undefined, true]);
  });

  it('takes no prompt before the answer, and then sends what waited', async () => {
    const { controller, desk, prompts } = await comeBack();
    controller.submit('and now?');
    await settled();
    expect([prompts(), textsOf(controller.queued)]).toEqual([[], ['and now?']]);
    expect(await desk.answer('continue', false)).toBeUndefined();
    await settled();
    expect([prompts(), textsOf(controller.queued)]).toEqual([['and now?'], []]);
  });

  it('sends nothing by itself that waited from an earlier window', async () => {
    const { controller, desk, prompts } = await comeBack();
    await desk.answer('continue', false);
    await settled();
    expect([prompts(), controller.isBusy]).toEqual([[], false]);
  });

  it('is asked about when it expires while it is shown, and nothing wakes it silently', async () => {
    const { desk, make, show, clock, controller, prompts } = returnScene({ ttl: 0 });
    const session = make();
    show(session);
    clock.now = DAY;
    desk.expired(session);
    session.append({ type: 'sessionClosed', reason: 'expired' });
    expect(desk.question).toMatchObject({ usedAt: 0, now: DAY });
    controller.submit('on');
    await settled();
    expect(prompts()).toEqual([]);
    // Another session that expires is none of this window's business.
    show(make('other'));
    desk.expired(session);
    expect(desk.question).toBeUndefined();
  });

  it('is noticed with the next prompt, or the next look, where no timer went off', async () => {
    const { desk, make, show, clock, controller, prompts } = returnScene();
    show(make());
    clock.now = 2 * DAY;
    expect(desk.question).toBeUndefined();
    controller.submit('on');
    expect([desk.question?.usedAt, prompts()]).toEqual([0, []]);
    show(make('two'));
    clock.now = 5 * DAY;
    desk.look();
    expect(desk.question?.usedAt).toBe(2 * DAY);
  });

  it('is asked about again after a reload, until the answer is given', async () => {
    const first = await comeBack();
    first.session.append({ type: 'blockPinned', blockId: 'step-1' as never });
    const again = returnScene();
    again.clock.now = 30.5 * DAY;
    again.show(
      new Session({ append: () => undefined }, () => again.clock.now, first.session.events),
    );
    expect(again.desk.question?.usedAt).toBe(0);
    await first.desk.answer('continue', false);
    again.show(
      new Session({ append: () => undefined }, () => again.clock.now, first.session.events),
    );
    expect(again.desk.question?.usedAt).toBeUndefined();
  });

  it('is looked at again when the user looks, and says that it looks', async () => {
    const { desk, looked, state, show, make } = await comeBack();
    state.changes = { ok: false, message: 'looking took longer than 5 seconds' };
    desk.look();
    expect(desk.question?.changes).toEqual(CHANGES);
    await settled();
    expect([looked.length, desk.question?.changes]).toEqual([2, state.changes]);
    show(make('young'));
    expect(desk.question).toBeUndefined();
  });
});

describe('the answer', () => {
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
      'This session goes on already: there is nothing to answer.',
    );
    expect(notesOf(session)).toHaveLength(1);
  });

  it('to go on looks once more, since the question may be old', async () => {
    const { desk, session, state, clock } = await comeBack();
    state.changes = { ...CHANGES, files: [] };
    clock.now = 33 * DAY;
    await desk.answer('continue', false);
    expect(notesOf(session)[0]).toMatch(/after 33 days\.[^]*no files changed since/);
  });

  it('to go on from a summary makes room in the older turns first', async () => {
    const { desk, session, rooms, told } = await comeBack();
    expect(await desk.answer('summary', false)).toBeUndefined();
    expect([rooms, told, notesOf(session).length]).toEqual([['earlierTurns'], ['Pass 1.'], 1]);
  });

  it('to go on from a summary leaves the question where no room could be made', async () => {
    const { desk, session, fails } = await comeBack();
    fails('There is no key.');
    expect(await desk.answer('summary', false)).toBe('There is no key.');
    expect([desk.question?.isAnswered, notesOf(session)]).toEqual([false, []]);
    expect(await desk.answer('continue', false)).toBeUndefined();
  });

  it('to begin anew leaves the session as it is, over a reload too, and sends what waited', async () => {
    const { desk, session, controller, shown, seen, prompts } = await comeBack();
    controller.submit('something else');
    const events = workIn(session);
    expect(await desk.answer('new', false)).toBeUndefined();
    await settled();
    expect(workIn(session)).toEqual(events);
    expect([shown(), seen.sessions, prompts()]).toEqual([undefined, 1, ['something else']]);
    expect([desk.isLeft(session), desk.question]).toEqual([true, undefined]);
  });

  it('is given once', async () => {
    const { desk, session } = await comeBack();
    const first = desk.answer('continue', false);
    expect(desk.question?.isAnswered).toBe(true);
    expect(await desk.answer('new', false)).toBe('This was answered already.');
    expect(await first).toBeUndefined();
    expect(notesOf(session)).toHaveLength(1);
  });

  it('is remembered where the user says so', async () => {
    const { desk, settings } = await comeBack();
    await desk.answer('continue', true);
    expect(settings.onReturn).toBe('continue');
  });

  it('is nothing to a session that was left meanwhile', async () => {
    const { desk, session, show, make } = await comeBack();
    const answered = desk.answer('continue', false);
    show(make('other'));
    expect(await answered).toBe('Another session was opened meanwhile: nothing was done.');
    expect(notesOf(session)).toEqual([]);
  });

  it('that the log does not take leaves the question, and is told', async () => {
    const { desk, state, told } = await comeBack();
    state.isFull = true;
    expect(await desk.answer('continue', false)).toBe(
      'That did not work; the notification says why.',
    );
    expect([told, desk.question?.isAnswered]).toEqual([['Error: The log takes no more.'], false]);
  });
});

describe('an answer that was remembered', () => {
  it('to go on is given with the next prompt, and looking changes nothing', async () => {
    const { desk, controller, session, prompts } = await comeBack({ onReturn: 'continue' });
    expect([desk.question, notesOf(session)]).toEqual([undefined, []]);
    controller.submit('one');
    controller.submit('two');
    await settled();
    expect(prompts()).toEqual(['one', 'two']);
    const kinds = session.window.blocks.map(({ kind }) => kind);
    expect(kinds).toEqual(['anchor', 'step', 'note', 'prompt', 'prompt']);
  });

  it('to go on from a summary does that first', async () => {
    const { controller, rooms, session, prompts } = await comeBack({ onReturn: 'summary' });
    controller.submit('one');
    await settled();
    expect([rooms, notesOf(session).length, prompts()]).toEqual([['earlierTurns'], 1, ['one']]);
  });

  it('to begin anew does so with the next prompt', async () => {
    const { controller, session, seen, prompts } = await comeBack({ onReturn: 'new' });
    const events = [...session.events];
    controller.submit('one');
    await settled();
    expect([workIn(session), seen.sessions, prompts()]).toEqual([events, 1, ['one']]);
  });

  it('to begin anew leaves the session out at the start, but asks of one that was chosen', async () => {
    const { desk, make, clock, show } = returnScene({ onReturn: 'new' });
    const session = make();
    expect(desk.isLeft(session)).toBe(false);
    clock.now = 30 * DAY;
    expect(desk.isLeft(session)).toBe(true);
    show(session, true);
    expect([desk.question?.usedAt, desk.mayBegin()]).toEqual([0, false]);
  });

  it('that does not work becomes a question, and the prompt waits', async () => {
    const { desk, controller, fails, told, prompts } = await comeBack({ onReturn: 'summary' });
    fails('There is no key.');
    controller.submit('one');
    await settled();
    expect(told).toEqual(['There is no key. Say in the Agent view how to go on.']);
    expect([desk.question?.usedAt, prompts(), textsOf(controller.queued)]).toEqual([
      0,
      [],
      ['one'],
    ]);
    await desk.answer('continue', false);
    await settled();
    expect(prompts()).toEqual(['one']);
  });
});
