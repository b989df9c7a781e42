import { describe, expect, it } from 'vitest';
import { Session } from '../../../src/agent/session';
import { asking, FINISHED, gate, scene, settled, textsOf, USE } from '../support/controllerScene';

const promptsIn = (events: readonly { readonly type: string }[]) =>
  events.flatMap((event) =>
    event.type === 'promptSubmitted' && 'text' in event ? [event.text] : [],
  );

describe('several sessions at once', () => {
  it('goes on working in one while another is shown, each with its own turn', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    const first = controller.shown;
    controller.startNew();
    expect([controller.isBusy, controller.events, first.isBusy]).toEqual([false, [], true]);
    controller.submit('two');
    await settled();
    expect([seen.sessions, controller.atWork.length]).toEqual([2, 2]);
    expect(controller.background).toEqual([first]);
    end();
    await settled();
    expect(seen.outcomes).toEqual([FINISHED]);
    expect([first.isBusy, controller.isBusy, controller.background]).toEqual([false, true, []]);
    expect(promptsIn(first.events)).toEqual(['one']);
    expect(promptsIn(controller.events)).toEqual(['two']);
  });

  it('shows a session as it works: its turn, and what waits in it', async () => {
    const { runTurn, end } = gate();
    const { controller } = scene(runTurn);
    controller.submit('one');
    await settled();
    controller.submit('then');
    const { session } = controller.shown;
    controller.startNew();
    expect([controller.live.activity.state, controller.queued]).toEqual(['idle', []]);
    controller.openSession(session);
    expect(controller.live.activity.state).toBe('asking');
    expect(textsOf(controller.queued)).toEqual(['then']);
    expect(controller.turns.queue.held).toBeUndefined();
    controller.startNew();
    end();
    await settled();
    expect(promptsIn(session?.events ?? [])).toEqual(['one', 'then']);
  });

  it('stops the turn of the session shown only', async () => {
    const { runTurn } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    await settled();
    const first = controller.shown;
    controller.startNew();
    controller.submit('two');
    await settled();
    controller.stop();
    await settled();
    expect([controller.isBusy, first.isBusy]).toEqual([false, true]);
    expect(seen.outcomes).toEqual([{ type: 'stopped' }]);
    await controller.dispose();
    expect([first.isBusy, seen.outcomes.length]).toEqual([false, 2]);
  });

  it('keeps a question open, which is answered in its own session', async () => {
    const answers: unknown[] = [];
    const { controller, seen } = scene(asking(answers));
    controller.submit('one');
    await settled();
    const first = controller.shown;
    controller.startNew();
    expect(seen.proposals).toEqual([`+${USE.id}`]);
    expect(first.questions.isWaiting).toBe(true);
    expect(controller.questions.answerApproval(USE.id, { approved: true })).toMatch(
      /answered already/,
    );
    expect(controller.asking(USE.id)).toBe(first);
    controller.openSession(first.session);
    expect(controller.shown).toBe(first);
    expect(controller.live.activity.state).toBe('awaitingApproval');
    expect(controller.questions.answerApproval(USE.id, { approved: true })).toBeUndefined();
    await settled();
    expect([answers.length, first.questions.isWaiting]).toEqual([1, false]);
  });

  it('lets go of a session that rests, and of one once it has ended', async () => {
    const { runTurn, end } = gate();
    const { controller } = scene(runTurn);
    const rests = new Session({ append: () => undefined }, () => 0);
    controller.openSession(rests);
    controller.submit('one');
    await settled();
    controller.openSession(undefined);
    end();
    await settled();
    const before = controller.shown;
    controller.openSession(rests);
    expect(controller.shown).not.toBe(before);
    expect([controller.shown.session, controller.isBusy]).toEqual([rests, false]);
    controller.openSession(rests);
    expect(controller.background).toEqual([]);
  });

  it('keeps a prompt whose session begins while another is shown', async () => {
    const { runTurn, end } = gate();
    const { controller, seen } = scene(runTurn);
    controller.submit('one');
    controller.startNew();
    await settled();
    const [first] = controller.background;
    expect(promptsIn(first?.events ?? [])).toEqual(['one']);
    expect([controller.events, seen.sessions]).toEqual([[], 1]);
    end();
    await settled();
  });
});
