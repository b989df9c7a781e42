import { describe, expect, it } from 'vitest';
import { MOST_AT_WORK } from '../../../src/editor/session/currentSession';
import { Session } from '../../../src/agent/session';
import { asking, FINISHED, gate, scene, settled, textsOf, USE } from '../support/controllerScene';

const promptsIn = (events: readonly { readonly type: string }[]) =>
  events.flatMap((event) =>
    event.type === 'promptSubmitted' && 'text' in event ? [event.text] : [],
  );

describe('several sessions at once', () => {
  it('let one work while another is shown, each with its own turn', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    const first = current.run;
    current.startNew();
    expect([current.run.isBusy, current.run.events, first.isBusy]).toEqual([false, [], true]);
    current.run.submit('two');
    await settled();
    expect([seen.sessions, current.atWork.length]).toEqual([2, 2]);
    expect(current.background).toEqual([first]);
    end();
    await settled();
    expect(seen.outcomes).toEqual([FINISHED]);
    expect([first.isBusy, current.run.isBusy, current.background]).toEqual([false, true, []]);
    expect(promptsIn(first.events)).toEqual(['one']);
    expect(promptsIn(current.run.events)).toEqual(['two']);
  });

  it('show a working session: its turn, and its waiting prompts', async () => {
    const { runTurn, end } = gate();
    const { current } = scene(runTurn);
    current.run.submit('one');
    await settled();
    current.run.submit('then');
    const { session } = current.run;
    current.startNew();
    expect([current.run.live.activity.state, current.run.queued]).toEqual(['idle', []]);
    current.openSession(session);
    expect(current.run.live.activity.state).toBe('asking');
    expect(textsOf(current.run.queued)).toEqual(['then']);
    expect(current.run.turns.queue.held).toBeUndefined();
    current.startNew();
    end();
    await settled();
    expect(promptsIn(session?.events ?? [])).toEqual(['one', 'then']);
  });

  it('stop only the turn of the session shown', async () => {
    const { runTurn } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    await settled();
    const first = current.run;
    current.startNew();
    current.run.submit('two');
    await settled();
    current.run.stop();
    await settled();
    expect([current.run.isBusy, first.isBusy]).toEqual([false, true]);
    expect(seen.outcomes).toEqual([{ type: 'stopped' }]);
    await current.stop();
    expect([first.isBusy, seen.outcomes.length]).toEqual([false, 2]);
  });

  it('keep a question open, which is answered in its own session', async () => {
    const answers: unknown[] = [];
    const { current, seen } = scene(asking(answers));
    current.run.submit('one');
    await settled();
    const first = current.run;
    current.startNew();
    expect(seen.proposals).toEqual([`+${USE.id}`]);
    expect(first.questions.isWaiting).toBe(true);
    expect(current.run.questions.answerApproval(USE.id, { approved: true })).toMatch(
      /answered already/,
    );
    expect(current.asking(USE.id)).toBe(first);
    current.openSession(first.session);
    expect(current.run).toBe(first);
    expect(current.run.live.activity.state).toBe('awaitingApproval');
    expect(current.run.questions.answerApproval(USE.id, { approved: true })).toBeUndefined();
    await settled();
    expect([answers.length, first.questions.isWaiting]).toEqual([1, false]);
  });

  it('release an idle session, and one whose turn has ended', async () => {
    const { runTurn, end } = gate();
    const { current } = scene(runTurn);
    const rests = new Session({ append: () => undefined }, () => 0);
    current.openSession(rests);
    current.run.submit('one');
    await settled();
    current.openSession(undefined);
    end();
    await settled();
    const before = current.run;
    current.openSession(rests);
    expect(current.run).not.toBe(before);
    expect([current.run.session, current.run.isBusy]).toEqual([rests, false]);
    current.openSession(rests);
    expect(current.background).toEqual([]);
  });

  it('keep a prompt whose session starts while another is shown', async () => {
    const { runTurn, end } = gate();
    const { current, seen } = scene(runTurn);
    current.run.submit('one');
    current.startNew();
    await settled();
    const [first] = current.background;
    expect(promptsIn(first?.events ?? [])).toEqual(['one']);
    expect([current.run.events, seen.sessions]).toEqual([[], 1]);
    end();
    await settled();
  });

  it('start no turn at the limit of working sessions', async () => {
    const { current, seen } = scene(gate().runTurn);
    for (let started = 0; started < MOST_AT_WORK; started += 1) {
      current.run.submit(`one of ${started}`);
      await settled();
      current.startNew();
    }
    expect(seen.refusals).toEqual([]);
    current.run.submit('one more');
    await settled();
    expect(seen.refusals).toEqual([
      '5 sessions are at work already, which is the limit. Your prompt is kept; try again when one of them has ended.',
    ]);
    await current.stop();
  });
});
